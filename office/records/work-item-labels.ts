/** What waits, in the reader's language and with the menu's icons. */
import {
  IconAlertTriangle,
  IconArrowsLeftRight,
  IconBuilding,
  IconBuildingBank,
  IconCash,
  IconCashOff,
  IconCertificate,
  IconDatabaseExclamation,
  IconDeviceMobileOff,
  IconEraser,
  IconFileCertificate,
  IconFileDiff,
  IconFileImport,
  IconRefreshAlert,
  IconReplace,
  IconScale,
  IconSettings,
  IconTransferIn,
  IconTransferOut,
  IconUserCheck,
  IconUserEdit,
  IconUsersGroup,
  IconWallet,
} from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { ComponentType } from 'react'
import type { WorkItemKind } from '#rules/work-items.ts'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean | 'true' }>

const icons: Readonly<Record<WorkItemKind, Icon>> = {
  document: IconFileCertificate,
  client: IconUserCheck,
  account: IconWallet,
  leverage_request: IconScale,
  bank_details: IconBuildingBank,
  professional: IconCertificate,
  profile_change: IconUserEdit,
  deposit: IconTransferIn,
  bank_line: IconFileImport,
  withdrawal: IconTransferOut,
  payout_batch: IconCash,
  payout_stop: IconCashOff,
  transfer: IconArrowsLeftRight,
  correction: IconReplace,
  firm_money: IconBuilding,
  difference: IconFileDiff,
  setting_change: IconSettings,
  staff_change: IconUsersGroup,
  operation: IconRefreshAlert,
  erasure: IconEraser,
  factor_reset: IconDeviceMobileOff,
  recovery: IconDatabaseExclamation,
  recovery_item: IconDatabaseExclamation,
}

export function iconOfWork(kind: string): Icon {
  return Object.hasOwn(icons, kind) ? icons[kind as WorkItemKind] : IconAlertTriangle
}

/** "Withdrawal" of a kind of work or of a record; what has no word is shown as it stands. */
export function useRecordLabel(): (kind: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    document: t`Documents`,
    client: t`Client`,
    account: t`Account request`,
    leverage_request: t`Leverage request`,
    bank_details: t`Bank details`,
    professional: t`Professional application`,
    profile_change: t`Profile change`,
    deposit: t`Deposit`,
    bank_line: t`Bank line`,
    withdrawal: t`Withdrawal`,
    payout_batch: t`Payout batch`,
    payout_stop: t`Payout stop`,
    transfer: t`Transfer`,
    correction: t`Correction`,
    firm_money: t`The firm’s own money`,
    difference: t`Difference`,
    setting_change: t`Change of a setting`,
    settings: t`Settings`,
    staff_change: t`Change of roles`,
    staff: t`Staff`,
    operation: t`Operation`,
    job: t`Job`,
    file: t`File`,
    audit: t`Audit log`,
    reconciliation: t`Reconciliation`,
    payout_file: t`Payout file`,
    list: t`List`,
    statement: t`Bank statement`,
    erasure: t`Erasure`,
    factor_reset: t`Lost second factor`,
    recovery: t`Recovery`,
    recovery_item: t`Recovery finding`,
    retention: t`Retention`,
    key: t`Key`,
  }
  return (kind) => words[kind] ?? plainWords(kind)
}

/** What was asked of an integration, in a word. */
export function useOperationLabel(): (kind: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    mail: t`Mail`,
    'password-reset': t`Mail for a new password`,
    balance: t`Balance on the platform`,
    'open-account': t`Open a trading account`,
    'set-leverage': t`Change the leverage`,
    'set-status': t`Change the client status of an account`,
    'card-refund': t`Refund a card payment`,
  }
  return (kind) => words[kind] ?? plainWords(kind)
}

/** How a deposit is paid. */
export function usePaidByLabel(): (type: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    wire: t`Bank transfer`,
    cc_gcen: t`Card`,
    ideal: 'iDEAL',
    astropay: 'AstroPay',
  }
  return (type) => words[type] ?? type
}

/** "signOutEverywhere" and "leverage_request" as words, for what no one has named yet. */
export function plainWords(code: string): string {
  const words = code
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Why recovery began. */
export function useSignLabel(): (sign: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    restored: t`a backup was restored`,
    'other-database': t`the records lie in another database`,
    'unknown-reference': t`a payment of ours is missing here`,
    'waiting-reference': t`something was done that is still to be sent here`,
    'lost-event': t`the last entries before a failover are missing`,
    batch: t`a payout batch is missing here`,
  }
  return (sign) => words[sign] ?? plainWords(sign)
}
