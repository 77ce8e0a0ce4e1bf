import {
  IconArrowsLeftRight,
  IconBuildingBank,
  IconDeviceDesktop,
  IconFiles,
  IconHistory,
  IconId,
  IconTransferIn,
  IconTransferOut,
  IconWallet,
} from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Client } from '../session.ts'

export interface MenuGroup {
  key: string
  title: string
  entries: { href: string; label: string; icon: ReactNode }[]
}

/** Returns the side menu: of approved clients as requirements 2.7 has it; before that, the pages that are open. */
export function useMenuGroups(client: Client): MenuGroup[] {
  const { t } = useLingui()
  const accounts: MenuGroup = {
    key: 'my-accounts',
    title: t`My accounts`,
    entries: [
      { href: portalPaths.tradingAccounts, label: t`Trading Accounts`, icon: <IconWallet aria-hidden="true" /> },
    ],
  }
  const verification: MenuGroup = {
    key: 'verification',
    title: t`Verification`,
    entries: [
      { href: portalPaths.uploadDocuments, label: t`Upload documents`, icon: <IconId aria-hidden="true" /> },
      { href: portalPaths.documents, label: t`Documents`, icon: <IconFiles aria-hidden="true" /> },
    ],
  }
  if (client.status !== 'approved') return client.gcenApiKYCPass ? [accounts, verification] : [verification]
  return [
    accounts,
    {
      key: 'funding',
      title: t`Funding`,
      entries: [
        { href: portalPaths.depositFunds, label: t`Deposit Funds`, icon: <IconTransferIn aria-hidden="true" /> },
        { href: portalPaths.withdrawFunds, label: t`Withdraw Funds`, icon: <IconTransferOut aria-hidden="true" /> },
        { href: portalPaths.bankDetails, label: t`Bank Details`, icon: <IconBuildingBank aria-hidden="true" /> },
        {
          href: portalPaths.internalTransfer,
          label: t`Internal Transfer`,
          icon: <IconArrowsLeftRight aria-hidden="true" />,
        },
        {
          href: portalPaths.transactionsHistory,
          label: t`Transactions History`,
          icon: <IconHistory aria-hidden="true" />,
        },
      ],
    },
    {
      key: 'platforms',
      title: t`Platforms`,
      entries: [
        { href: portalPaths.platforms('mt4'), label: t`MetaTrader 4`, icon: <IconDeviceDesktop aria-hidden="true" /> },
        { href: portalPaths.platforms('mt5'), label: t`MetaTrader 5`, icon: <IconDeviceDesktop aria-hidden="true" /> },
      ],
    },
  ]
}

/** The entry of a path: its own, or that of the page it belongs to ("/deposit-funds/failed", "/document/passport"). */
export function isCurrent(href: string, path: string): boolean {
  if (href === portalPaths.documents && path.startsWith('/document/')) return true
  return path === href || path.startsWith(`${href}/`)
}
