import {
  IconChevronDown,
  IconArrowsLeftRight,
  IconBell,
  IconBriefcase,
  IconBuildingBank,
  IconChartLine,
  IconDeviceDesktop,
  IconFiles,
  IconHelpCircle,
  IconHistory,
  IconId,
  IconLanguage,
  IconShieldLock,
  IconTransferIn,
  IconTransferOut,
  IconUser,
  IconWallet,
} from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState, type ReactNode } from 'react'
import { useSearch } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { usePortalSettings } from '../portal-settings.ts'
import type { Client } from '../session.ts'
import { openPanel, type PanelName } from './panel.ts'
import './side-menu.css'

/** On the left from 1024 px on; in narrower windows a drawer shows the same. */
export function SideMenu({ client, path }: { client: Client; path: string }) {
  const { t } = useLingui()
  return (
    <nav className="portal-menu" aria-label={t`Menu`}>
      <MenuContent client={client} path={path} />
    </nav>
  )
}

interface MenuContentProps {
  client: Client
  path: string
  /** Called when an entry is followed, even that of the open page. */
  onFollow?: () => void
}

export function MenuContent({ client, path, onFollow }: MenuContentProps) {
  const groups = useMenuGroups(client)
  const data = usePortalSettings()
  const mayApply =
    client.status === 'approved' &&
    client.clientStatus !== 'professional' &&
    data?.disabledProfessionalClientApplication === false
  return (
    <>
      {groups.map((group) => (
        <Group key={group.key} group={group} path={path} onFollow={onFollow} />
      ))}
      {mayApply && (
        <div className="portal-menu-foot">
          <ButtonLink
            href={portalPaths.professionalClientStatus}
            size="small"
            full
            onClick={onFollow}
            aria-current={isCurrent(portalPaths.professionalClientStatus, path) ? 'page' : undefined}
          >
            <Trans>Professional Client Status</Trans>
          </ButtonLink>
        </div>
      )}
    </>
  )
}

interface GroupProps {
  group: MenuGroup
  path: string
  onFollow: (() => void) | undefined
}

function Group({ group, path, onFollow }: GroupProps) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const section = new URLSearchParams(useSearch()).get('section')
  const inSection = `${path}?section=${section}`
  // An unknown section opens the page itself, as one without an entry does.
  const address = group.entries.some(({ href }) => href === inSection) ? inSection : path
  return (
    <div className="portal-menu-group">
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {group.title}
        <IconChevronDown className="small" aria-hidden="true" />
      </button>
      <ul id={id} hidden={!open}>
        {group.entries.map((entry) => (
          <li key={entry.href}>
            <Link
              href={entry.href}
              onClick={onFollow}
              aria-current={isCurrent(entry.href, address) ? 'page' : undefined}
            >
              {entry.icon}
              {entry.label}
            </Link>
          </li>
        ))}
        {group.panels?.map((panel) => (
          <li key={panel.name}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => {
                onFollow?.()
                openPanel(panel.name)
              }}
            >
              {panel.icon}
              {panel.label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface MenuGroup {
  key: string
  title: string
  entries: { href: string; label: string; icon: ReactNode }[]
  /** Panels that open above the page. */
  panels?: { name: PanelName; label: string; icon: ReactNode }[]
}

/** Returns the side menu: for approved clients that of requirements 2.7; before that, the pages that they may open. */
function useMenuGroups(client: Client): MenuGroup[] {
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
  const panels: MenuGroup['panels'] = [
    { name: 'display', label: t`Language and appearance`, icon: <IconLanguage aria-hidden="true" /> },
    { name: 'help', label: t`Help`, icon: <IconHelpCircle aria-hidden="true" /> },
  ]
  if (client.status !== 'approved') {
    const help: MenuGroup = { key: 'help', title: t`Help`, entries: [], panels }
    return client.gcenApiKYCPass ? [accounts, verification, help] : [verification, help]
  }
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
    {
      key: 'profile',
      title: t`Profile and help`,
      entries: [
        { href: portalPaths.profile, label: t`Profile`, icon: <IconUser aria-hidden="true" /> },
        {
          href: portalPaths.profileSection('employment'),
          label: t`Employment & financial info`,
          icon: <IconBriefcase aria-hidden="true" />,
        },
        {
          href: portalPaths.profileSection('experience'),
          label: t`Trading experience`,
          icon: <IconChartLine aria-hidden="true" />,
        },
        {
          href: portalPaths.profileSection('security'),
          label: t`Security`,
          icon: <IconShieldLock aria-hidden="true" />,
        },
        {
          href: portalPaths.profileSection('data'),
          label: t`Notifications and data`,
          icon: <IconBell aria-hidden="true" />,
        },
      ],
      panels,
    },
  ]
}

/**
 * Returns whether an entry is the current one: its own address, with the section of the profile, or the path of a page
 * below it ("/deposit-funds/failed", "/document/passport").
 */
function isCurrent(href: string, path: string): boolean {
  if (href === portalPaths.documents && path.startsWith('/document/')) return true
  return path === href || path.startsWith(`${href}/`)
}
