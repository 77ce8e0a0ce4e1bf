import { IconChevronDown } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { usePortalSettings } from '../portal-settings.ts'
import type { Client } from '../session.ts'
import { isCurrent, type MenuGroup, useMenuGroups } from './menu-entries.tsx'
import './side-menu.css'

/** At the left from 1024 px on; below it the same stands in a drawer. */
export function SideMenu({ client, path }: { client: Client; path: string }) {
  const { t } = useLingui()
  return (
    <nav className="portal-menu" aria-label={t`Menu`}>
      <MenuContent client={client} path={path} />
    </nav>
  )
}

export function MenuContent({ client, path }: { client: Client; path: string }) {
  const groups = useMenuGroups(client)
  const data = usePortalSettings()
  const mayApply =
    client.status === 'approved' &&
    client.clientStatus !== 'professional' &&
    data?.disabledProfessionalClientApplication === false
  return (
    <>
      {groups.map((group) => (
        <Group key={group.key} group={group} path={path} />
      ))}
      {mayApply && (
        <div className="portal-menu-foot">
          <ButtonLink
            href={portalPaths.professionalClientStatus}
            size="small"
            full
            aria-current={isCurrent(portalPaths.professionalClientStatus, path) ? 'page' : undefined}
          >
            <Trans>Professional Client Status</Trans>
          </ButtonLink>
        </div>
      )}
    </>
  )
}

function Group({ group, path }: { group: MenuGroup; path: string }) {
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
            <Link href={entry.href} aria-current={isCurrent(entry.href, path) ? 'page' : undefined}>
              {entry.icon}
              {entry.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
