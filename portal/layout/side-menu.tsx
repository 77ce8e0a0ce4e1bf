import { IconChevronDown } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { usePortalSettings } from '../portal-settings.ts'
import type { Client } from '../session.ts'
import { LanguageSwitcher } from '#ui/i18n/language-switcher.tsx'
import { isCurrent, type MenuGroup, useMenuGroups } from './menu-entries.tsx'
import './side-menu.css'

/** At the left from 1024 px on; below it the same is in a drawer. */
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
  /** Told when an entry is followed, be it to the page that is open. */
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
      {client.status !== 'approved' && (
        <div className="portal-menu-foot">
          <LanguageSwitcher />
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
  return (
    <div className="portal-menu-group">
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {group.title}
        <IconChevronDown className="small" aria-hidden="true" />
      </button>
      <ul id={id} hidden={!open}>
        {group.entries.map((entry) => (
          <li key={entry.href}>
            <Link href={entry.href} onClick={onFollow} aria-current={isCurrent(entry.href, path) ? 'page' : undefined}>
              {entry.icon}
              {entry.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
