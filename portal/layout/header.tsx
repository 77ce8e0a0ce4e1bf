import { IconHelpCircle, IconMenu2 } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { Suspense } from 'react'
import { Logo } from '#ui/layout/logo.tsx'
import { Button, IconButton } from '#ui/forms/button.tsx'
import type { Section } from '../routes.tsx'
import type { Client } from '../session.ts'
import './header.css'
import { leave } from './leave.ts'
import { openPanel } from './panel.ts'
import { Bell, MenuDrawer } from './signed-in-parts.ts'
import { Who } from './who.tsx'

/** The header: firm, section label, bell, name with client status, Logout. */
export function Header({
  client,
  section,
  withMenu,
}: {
  client: Client | null
  section: Section | undefined
  withMenu: boolean
}) {
  const { t } = useLingui()
  const labels: Record<Section, string> = {
    'my-accounts': t`MY ACCOUNTS`,
    funding: t`FUNDING`,
    platforms: t`PLATFORMS`,
    verification: t`VERIFICATION`,
    'professional-client-status': t`PROFESSIONAL CLIENT STATUS`,
    profile: t`PROFILE`,
  }
  return (
    <header className="portal-header">
      <a className="skip-link" href="#content">{t`Skip to the content`}</a>
      {withMenu && (
        <Suspense
          fallback={
            <span className="icon-button menu-opener">
              <IconMenu2 aria-hidden="true" />
            </span>
          }
        >
          <MenuDrawer />
        </Suspense>
      )}
      <span className={withMenu ? 'portal-header-firm beside-menu' : 'portal-header-firm'}>
        <Logo />
      </span>
      {section && <span className="section-name portal-header-section">{labels[section]}</span>}
      <span className="grow" />
      {client?.registered && (
        <Suspense fallback={<span className="bell-place" />}>
          <Bell />
        </Suspense>
      )}
      {!withMenu && (
        <IconButton name={t`Help`} aria-haspopup="dialog" onClick={() => openPanel('help')}>
          <IconHelpCircle aria-hidden="true" />
        </IconButton>
      )}
      {client?.name && <Who client={client} />}
      {client && <Button size="small" className="portal-logout" onClick={leave}>{t`Logout`}</Button>}
    </header>
  )
}
