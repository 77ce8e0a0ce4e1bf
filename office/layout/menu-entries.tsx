import {
  IconArrowsLeftRight,
  IconBuildingBank,
  IconCertificate,
  IconChartBar,
  IconReportMoney,
  IconFileCertificate,
  IconFileDiff,
  IconFileImport,
  IconTransferIn,
  IconTransferOut,
  IconInbox,
  IconLayoutDashboard,
  IconListDetails,
  IconMessage,
  IconRefreshAlert,
  IconReplace,
  IconScale,
  IconSettings,
  IconStack2,
  IconUserCheck,
  IconUserEdit,
  IconUsers,
  IconUsersGroup,
  IconWallet,
} from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { ComponentType } from 'react'
import { officePaths } from '#contract/office-paths.ts'
import type { Area } from '#rules/permissions.ts'
import type { WorkItemKind } from '#rules/work-items.ts'

export interface MenuEntry {
  href: string
  label: string
  icon: ComponentType<{ 'aria-hidden': 'true' }>
  area: Area
  /** The kinds that its count sums; none without a count. */
  kinds?: readonly WorkItemKind[]
  /** Whether its count is that of the list of failed operations, of which only some are items for a person. */
  countsFailed?: true
  /** A path with the same beginning that belongs to another entry. */
  list?: string
}

interface MenuGroup {
  title: string
  entries: readonly MenuEntry[]
}

/** Returns the groups of the menu: reviews, payments, records, administration. */
export function useMenuGroups(): readonly MenuGroup[] {
  const { t } = useLingui()
  return [
    {
      title: t`Reviews`,
      entries: [
        {
          href: officePaths.documents,
          label: t`Documents`,
          icon: IconFileCertificate,
          area: 'documents',
          kinds: ['document'],
        },
        {
          href: officePaths.clientsToApprove,
          label: t({ context: 'menu', message: 'Client approvals' }),
          icon: IconUserCheck,
          area: 'clients',
          kinds: ['client'],
          list: 'to-approve',
        },
        {
          href: officePaths.accountRequests,
          label: t`Account requests`,
          icon: IconWallet,
          area: 'accountRequests',
          kinds: ['account'],
        },
        {
          href: officePaths.leverage,
          label: t`Leverage`,
          icon: IconScale,
          area: 'leverageRequests',
          kinds: ['leverage_request'],
        },
        {
          href: officePaths.bankDetails,
          label: t`Bank details`,
          icon: IconBuildingBank,
          area: 'bankDetails',
          kinds: ['bank_details'],
        },
        {
          href: officePaths.professional,
          label: t`Client categorisation`,
          icon: IconCertificate,
          area: 'professional',
          kinds: ['professional'],
        },
        {
          href: officePaths.profileChanges,
          label: t`Profile changes`,
          icon: IconUserEdit,
          area: 'profileChanges',
          kinds: ['profile_change'],
        },
        {
          href: officePaths.enquiries,
          label: t`Enquiries`,
          icon: IconMessage,
          area: 'enquiries',
          kinds: ['enquiry'],
        },
      ],
    },
    {
      title: t`Payments`,
      entries: [
        { href: officePaths.deposits, label: t`Deposits`, icon: IconTransferIn, area: 'deposits', kinds: ['deposit'] },
        {
          href: officePaths.withdrawals,
          label: t`Withdrawals`,
          icon: IconTransferOut,
          area: 'withdrawals',
          kinds: ['withdrawal'],
        },
        {
          href: officePaths.payoutBatches,
          label: t`Payout batches`,
          icon: IconStack2,
          area: 'payouts',
          kinds: ['payout_batch', 'payout_stop'],
        },
        {
          href: officePaths.transfers,
          label: t`Transfers`,
          icon: IconArrowsLeftRight,
          area: 'transfers',
          kinds: ['transfer'],
        },
        {
          href: officePaths.imports,
          label: t`Bank statements`,
          icon: IconFileImport,
          area: 'deposits',
          kinds: ['bank_line'],
        },
        {
          href: officePaths.corrections,
          label: t`Corrections`,
          icon: IconReplace,
          area: 'corrections',
          kinds: ['correction'],
        },
        {
          href: officePaths.clientMoney,
          label: t`Client money`,
          icon: IconReportMoney,
          area: 'clientMoney',
          kinds: ['firm_money'],
        },
        {
          href: officePaths.reconciliation,
          label: t`Reconciliation`,
          icon: IconFileDiff,
          area: 'reconciliation',
          kinds: ['difference'],
        },
        {
          href: officePaths.recovery,
          label: t`Recovery`,
          icon: IconRefreshAlert,
          area: 'recovery',
          kinds: ['recovery', 'recovery_item'],
        },
      ],
    },
    {
      title: t`Records`,
      entries: [
        { href: officePaths.clients, label: t`Clients`, icon: IconUsers, area: 'clients', list: '' },
        { href: officePaths.audit, label: t`Audit log`, icon: IconListDetails, area: 'audit' },
        { href: officePaths.reports, label: t`Reports`, icon: IconChartBar, area: 'reports' },
      ],
    },
    {
      title: t`Administration`,
      entries: [
        {
          href: officePaths.settings,
          label: t`Settings`,
          icon: IconSettings,
          area: 'settings',
          kinds: ['setting_change'],
        },
        { href: officePaths.staff, label: t`Staff`, icon: IconUsersGroup, area: 'staff', kinds: ['staff_change'] },
        {
          href: officePaths.failedJobs,
          label: t({ context: 'menu', message: 'Failed operations' }),
          icon: IconRefreshAlert,
          area: 'failedJobs',
          kinds: ['operation'],
          countsFailed: true,
        },
      ],
    },
  ]
}

export const inboxIcon = IconInbox
export const overviewIcon = IconLayoutDashboard
