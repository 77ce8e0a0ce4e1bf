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
import type { MethodType } from '#rules/payment-methods.ts'
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
    bank_line: t`Bank transaction`,
    withdrawal: t`Withdrawal`,
    payout_batch: t`Payout batch`,
    payout_stop: t`Payout stop`,
    transfer: t`Transfer`,
    correction: t`Correction`,
    firm_money: t`Firm money`,
    difference: t`Discrepancy`,
    setting_change: t`Setting change`,
    settings: t`Settings`,
    staff_change: t`Role change`,
    staff: t`Staff`,
    operation: t`Operation`,
    job: t`Operation`,
    file: t`File`,
    audit: t`Audit log`,
    reconciliation: t`Reconciliation`,
    payout_file: t`Payout file`,
    list: t`List`,
    statement: t`Bank statement`,
    erasure: t`Erasure`,
    factor_reset: t`Lost 2FA device`,
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
    mail: t`Email`,
    'password-reset': t`Password reset email`,
    balance: t`Platform balance`,
    'open-account': t`Open a trading account`,
    'set-leverage': t`Change leverage`,
    'set-status': t`Change the client category of an account`,
    'card-refund': t`Refund a card payment`,
  }
  return (kind) => words[kind] ?? plainWords(kind)
}

/** How a deposit is paid. */
export function usePaidByLabel(): (type: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<MethodType, string>> = {
    wire: t`Bank transfer`,
    cc_gcen: t`Card`,
    ideal: 'iDEAL',
    astropay: 'AstroPay',
  }
  return (type) => words[type as MethodType] ?? type
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
    restored: t`backup restored`,
    'other-database': t`records in another database`,
    'unknown-reference': t`payment missing from our records`,
    'waiting-reference': t`recorded operation not yet sent`,
    'lost-event': t`the last entries before a failover are missing`,
    batch: t`payout batch missing from our records`,
  }
  return (sign) => words[sign] ?? plainWords(sign)
}
