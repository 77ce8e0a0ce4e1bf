import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { confirmStepUp, getStepUpStatus } from '#contract/step-up.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { call } from '#ui/api/call.ts'
import { FirmContext } from '#ui/layout/firm.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { useFocusOnNewPage } from '#ui/a11y/focus.ts'
import { Toasts } from '#ui/feedback/toasts.tsx'
import { StepUpPrompt } from '#ui/auth/step-up-prompt.tsx'
import { type StepUpCalls, StepUpContext } from '#ui/auth/step-up.ts'
import { ErrorBoundary } from '#ui/feedback/error-boundary.tsx'
import { screenAt } from '#ui/navigation/screens.tsx'
import { isAwaited, redirectFor } from '../guard.ts'
import { useMoneyStopped, usePortalSettings } from '../portal-settings.ts'
import { type Place, screens } from '../routes.tsx'
import { type Client, progressKeys, session, useClient } from '../session.ts'
import { DemoMark } from './demo-mark.tsx'
import { Header } from './header.tsx'
import { useIsLeaving } from './leave.ts'
import { useLiveClient } from './live-session.ts'
import { NotFound } from './not-found.tsx'
import './portal.css'
import { SideMenu } from './side-menu.tsx'
import { Prompts } from './signed-in-parts.ts'

const MoneyStoppedBanner = lazyPart(async () => (await import('./money-stopped-banner.tsx')).MoneyStoppedBanner)
const LeaveDialog = lazy(() => import('./leave-dialog.tsx'))

const proofCalls: StepUpCalls = { show: getStepUpStatus, prove: (given) => call(confirmStepUp, given) }

/** Finds the screen of the address, leads away who may not be there, and draws what stands around it. */
export function Portal() {
  const client = useClient()
  const [path] = useLocation()
  const isReading = useLiveClient(client, path)
  const leaving = useIsLeaving()
  useFocusOnNewPage(path)
  const found = useMemo(() => screenAt(screens, path), [path])
  const redirect = useRedirect(client, path, found?.screen.place, isReading)
  const data = usePortalSettings()
  const place: Place = found?.screen.place ?? { access: 'anyone', frame: client ? 'full' : 'header' }
  const View = found?.screen.View
  const content =
    redirect !== null ? null : (
      <ErrorBoundary place={path}>
        <Suspense fallback={<div className="portal-waits" />}>
          {View ? <View key={path} params={found.params} /> : <NotFound path={path} />}
        </Suspense>
      </ErrorBoundary>
    )
  return (
    <FirmContext value={data?.firm ?? null}>
      <StepUpContext value={client ? proofCalls : null}>
        <Frame client={client} path={path} place={place}>
          {content}
        </Frame>
        {client && <StepUpPrompt />}
        {client && leaving && (
          <Suspense fallback={null}>
            <LeaveDialog client={client} />
          </Suspense>
        )}
      </StepUpContext>
      {client?.status === 'approved' && place.frame === 'full' && redirect === null && (
        <Suspense fallback={null}>
          <Prompts client={client} path={path} />
        </Suspense>
      )}
      <Toasts />
      {data?.demo && <DemoMark />}
    </FirmContext>
  )
}

function Frame({
  client,
  path,
  place,
  children,
}: {
  client: Client | null
  path: string
  place: Place
  children: React.ReactNode
}) {
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
 * Leads to where the client has to be; answers that address while the move is still to come. The page stays while the claims
 * that decide it are being read.
 */
function useRedirect(client: Client | null, path: string, place: Place | undefined, isReading: boolean): string | null {
  const [, navigate] = useLocation()
  const search = useSearch()
  const address = search ? `${path}?${search}` : path
  const to = path === '/platforms' ? portalPaths.platforms() : place ? redirectFor(client, path, place.access) : null
  useEffect(() => {
    if (to === null || (client && isReading)) return
    // Anyone who has just logged out leaves nothing behind.
    if (!client && place && isAwaited(place.access, search) && session.endReason() !== 'logout')
      sessionStorage.setItem(progressKeys.returnTo, address)
    const kept = client && place?.access === 'visitor' ? sessionStorage.getItem(progressKeys.returnTo) : null
    if (kept) sessionStorage.removeItem(progressKeys.returnTo)
    navigate(kept ?? to, { replace: true })
  }, [to, address, search, place, client, isReading, navigate])
  return to
}
