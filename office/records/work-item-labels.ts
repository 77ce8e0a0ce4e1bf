/** Labels and icons of work items. */
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
  IconMessage,
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
import { differenceLabels } from '#contract/office/difference-labels.ts'
import { mailKinds } from '#contract/office/mail-kinds.ts'
import { operationLabels } from '#contract/office/operation-labels.ts'
import { recordLabels, workItemLabels } from '#contract/office/record-labels.ts'
import type { MethodType } from '#rules/payment-methods.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { useLabels } from '#ui/i18n/labels.ts'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean | 'true' }>

const icons: Readonly<Record<WorkItemKind, Icon>> = {
  document: IconFileCertificate,
  client: IconUserCheck,
  account: IconWallet,
  leverage_request: IconScale,
  bank_details: IconBuildingBank,
  professional: IconCertificate,
  profile_change: IconUserEdit,
  enquiry: IconMessage,
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

export function iconOfWorkItem(kind: string): Icon {
  return Object.hasOwn(icons, kind) ? icons[kind as WorkItemKind] : IconAlertTriangle
}

/**
 * Returns a function that returns "Withdrawal" for a kind of record; an unknown kind is returned
 * unchanged.
 */
export function useRecordLabel(): (kind: string) => string {
  return useLabels(recordLabels, codeAsText)
}

/** Returns a function that returns "Client approval" for a kind of work item. */
export function useWorkItemLabel(): (kind: string) => string {
  return useLabels(workItemLabels, codeAsText)
}

/**
 * Returns a function that returns "Debit a withdrawal" for an operation, or "Email: document approved" for an email.
 */
export function useOperationLabel(): (kind: string) => string {
  const label = useLabels(operationLabels, codeAsText)
  const mail = useLabels(mailKinds)
  return (kind) => (Object.hasOwn(mailKinds, kind) ? `${label('mail')}: ${mail(kind)}` : label(kind))
}

/** Returns a function that returns the payment type of a deposit. */
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

/** Returns "signOutEverywhere" or "leverage_request" as words, for codes without a label. */
export function codeAsText(code: string): string {
  const words = code
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns a function that returns why recovery began. */
export function useRecoverySignLabel(): (sign: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    restored: t`backup restored`,
    'other-database': t`records in another database`,
    'unknown-reference': t`payment missing from our records`,
    'waiting-reference': t`recorded operation not yet sent`,
    'lost-event': t`the last entries before a failover are missing`,
    batch: t`payout batch missing from our records`,
  }
  return (sign) => words[sign] ?? codeAsText(sign)
}

/** Returns a function that returns the label of a kind of discrepancy. */
export function useDifferenceLabels(): (kind: string) => string {
  return useLabels(differenceLabels, codeAsText)
}
