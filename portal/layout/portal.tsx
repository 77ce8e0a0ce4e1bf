import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Trans, useLingui } from '@lingui/react/macro'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { IconHelpCircle, IconMenu2 } from '@tabler/icons-react'
import { confirmStepUp, getStepUpStatus } from '#contract/step-up.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { currentUser } from '#contract/users-session.ts'
import { call } from '#ui/api/call.ts'
import { FirmContext } from '#ui/layout/firm.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { useFocusOnNewPage } from '#ui/a11y/focus.ts'
import { OutdatedNotice } from '#ui/feedback/outdated-notice.tsx'
import { Toasts } from '#ui/feedback/toasts.tsx'
import { StepUpPrompt } from '#ui/auth/step-up-prompt.tsx'
import { type StepUpCalls, StepUpContext } from '#ui/auth/step-up.ts'
import { ErrorBoundary } from '#ui/feedback/error-boundary.tsx'
import { screenAt } from '#ui/navigation/screens.tsx'
import { ButtonLink, Button } from '#ui/forms/button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { useLiveSession } from '#ui/auth/live-session.ts'
import { claimsOf, isLogout } from '#ui/auth/session.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { isResumedAfterLogin, redirectFor } from '../guard.ts'
import { useMoneyStopped, usePortalSettings } from '../portal-settings.ts'
import { type Place, screens, type Section } from '../routes.tsx'
import { type Client, progressKeys, session, useClient } from '../session.ts'
import { useIsLogoutPending, logOut } from './logout.ts'
import { useEnquiryFromUrl, usePanel, openPanel } from './panel.ts'
import { SideMenu } from './side-menu.tsx'
import { Prompts, Bell, MenuDrawer } from './signed-in-parts.ts'
import { ClientIdentity } from './client-identity.tsx'
import './portal.css'
import './demo-mark.css'
import './header.css'

const MoneyStoppedBanner = lazyPart(async () => (await import('./money-stopped-banner.tsx')).MoneyStoppedBanner)
const Panels = lazyPart(async () => (await import('./panels.tsx')).default)
const LogoutDialog = lazy(() => import('./logout-dialog.tsx'))

const stepUpCalls: StepUpCalls = { show: getStepUpStatus, prove: (given) => call(confirmStepUp, given) }

/** Renders the screen of the address with its frame; redirects people who may not open it. */
export function Portal() {
  const client = useClient()
  const [path] = useLocation()
  const isReading = useLiveClient(client, path)
  const leaving = useIsLogoutPending()
  useEnquiryFromUrl(client !== null)
  useFocusOnNewPage(path)
  const found = useMemo(() => screenAt(screens, path), [path])
  const redirect = useRedirect(client, path, found?.screen.place, isReading)
  const data = usePortalSettings()
  const place: Place = found?.screen.place ?? { access: 'anyone', frame: client ? 'full' : 'header' }
  const View = found?.screen.View
  const clients = useClientChanges(client)
  const content =
    redirect !== null ? null : (
      <ErrorBoundary place={path}>
        <Suspense fallback={<div className="portal-waits" />}>
          {View ? <View key={`${clients} ${path}`} params={found.params} /> : <NotFound path={path} />}
        </Suspense>
      </ErrorBoundary>
    )
  return (
    <FirmContext value={data?.firm ?? null}>
      <StepUpContext value={client ? stepUpCalls : null}>
        <Frame client={client} path={path} place={place}>
          {content}
        </Frame>
        {client && <StepUpPrompt />}
        {client && leaving && (
          <Suspense fallback={null}>
            <LogoutDialog client={client} />
          </Suspense>
        )}
      </StepUpContext>
      {client?.status === 'approved' && place.frame === 'full' && redirect === null && (
        <Suspense fallback={null}>
          <Prompts client={client} path={path} />
        </Suspense>
      )}
      <OpenPanel key={clients} />
      <Toasts />
      <OutdatedNotice />
      {data?.demo && <DemoMark />}
    </FirmContext>
  )
}

/**
 * Counts the changes from one client to another, by a link in an email or in another tab: what the first one entered is
 * not kept for the second.
 */
function useClientChanges(client: Client | null): number {
  const [last, setLast] = useState({ id: client?.id, changes: 0 })
  if (client && client.id !== last.id)
    setLast({ id: client.id, changes: last.id === undefined ? last.changes : last.changes + 1 })
  return last.changes
}

/** Stays rendered while closed, once opened, for its closing transition. */
function OpenPanel() {
  const opened = usePanel()
  const [wanted, setWanted] = useState(false)
  if (opened !== null && !wanted) setWanted(true)
  return wanted && <Panels opened={opened} />
}

interface FrameProps {
  client: Client | null
  path: string
  place: Place
  children: React.ReactNode
}

function Frame({ client, path, place, children }: FrameProps) {
  const stopped = useMoneyStopped()
  if (place.frame === 'bare') return children
  const withMenu = place.frame === 'full' && client !== null && client.registered && !client.continueRegistration
  return (
    <div className="portal-page">
      <Header client={client} section={place.section} withMenu={withMenu} />
      <div className={withMenu ? 'portal-frame with-menu' : 'portal-frame'}>
        {withMenu && <SideMenu client={client} path={path} />}
        <main id="content" className="portal-main" tabIndex={-1}>
          {stopped && client?.status === 'approved' && <MoneyStoppedBanner stopped={stopped} />}
          {children}
        </main>
      </div>
    </div>
  )
}

/**
 * Redirects the client where necessary; returns the target until the navigation has happened. The page stays while the
 * deciding claims are being read.
 */
function useRedirect(client: Client | null, path: string, place: Place | undefined, isReading: boolean): string | null {
  const [, navigate] = useLocation()
  const search = useSearch()
  const address = search ? `${path}?${search}` : path
  const to = path === '/platforms' ? portalPaths.platforms() : place ? redirectFor(client, path, place.access) : null
  useEffect(() => {
    if (to === null || (client && isReading)) return
    // A logout leaves no path to resume, in this tab or another one.
    if (!client && place && isResumedAfterLogin(place.access, path, search) && !isLogout(session.endReason()))
      sessionStorage.setItem(progressKeys.returnTo, address)
    const kept = client && place?.access === 'visitor' ? sessionStorage.getItem(progressKeys.returnTo) : null
    if (kept) sessionStorage.removeItem(progressKeys.returnTo)
    navigate(kept ?? to, { replace: true })
  }, [to, address, path, search, place, client, isReading, navigate])
  return to
}

/** Says on every page that this is a demo, and links to the demo's own page (requirements 22.4). */
function DemoMark() {
  const { t } = useLingui()
  return (
    <aside aria-label={t`Demo`}>
      <a className="demo-mark" href="/demo">
        <b className="section-name">{t`Demo`}</b>
        <span>{t`Demo data only`}</span>
      </a>
    </aside>
  )
}

/** Shows the unknown address and a link to the first page. */
function NotFound({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <>
      <PageHeader title={t`Page not found`}>
        <Trans>We cannot find {path}. Check the spelling, including capital letters and a slash at the end.</Trans>
      </PageHeader>
      <ButtonLink href={portalPaths.home} kind="primary">{t`Go to the home page`}</ButtonLink>
    </>
  )
}

/** Pages on which a client waits for the approvals: of the documents, then of the client (requirements 2.21). */
const waitingPages: readonly string[] = [portalPaths.uploadDocuments, portalPaths.tradingAccounts]
const waitingPollMs = 20_000
/** A younger token equals the server's claims. */
const freshMs = 30_000

/**
 * Keeps the client's claims up to date: an approval opens the portal without another login. Returns whether the claims
 * are being read for a page that was just opened: until then the client is not redirected.
 */
function useLiveClient(client: Client | null, path: string): boolean {
  const queries = useQueryClient()
  const signedIn = client !== null
  const [isReading, setReading] = useState(() => signedIn && isOlderThan(session.token(), freshMs))
  // An approval takes effect immediately, also through the link in its email: opening a page queries what the token may
  // not know.
  useEffect(() => {
    if (!signedIn || !isOlderThan(session.token(), freshMs)) return
    void queryCurrentUser(queries, true).then(() => setReading(false))
  }, [signedIn, queries])
  const waiting = waitingPages.includes(path) && client?.status === 'pending'
  const ask = (background: boolean) => void queryCurrentUser(queries, background)
  useLiveSession({ signedIn, ask, pollMs: waiting ? waitingPollMs : undefined })
  return isReading
}

function isOlderThan(token: string | null, ms: number): boolean {
  const { iat } = (claimsOf(token) ?? {}) as { iat?: number }
  return iat === undefined || Date.now() - iat * 1000 > ms
}

async function queryCurrentUser(queries: QueryClient, background: boolean): Promise<void> {
  try {
    queries.setQueryData([currentUser.name, {}], await call(currentUser, {}, { background }))
  } catch {
    // A rejected session has already ended; without a response the next poll repeats the query.
  }
}

interface HeaderProps {
  client: Client | null
  section: Section | undefined
  withMenu: boolean
}

/** The header: firm, section label, bell, name with client status, Logout. */
function Header({ client, section, withMenu }: HeaderProps) {
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
        <Button
          kind="quiet"
          size="small"
          className="portal-help"
          icon={<IconHelpCircle aria-hidden="true" />}
          aria-haspopup="dialog"
          onClick={() => openPanel('help')}
        >{t`Help`}</Button>
      )}
      {client?.name && <ClientIdentity client={client} />}
      {client && <Button size="small" className="portal-logout" onClick={() => logOut()}>{t`Logout`}</Button>}
    </header>
  )
}
