import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { officeCurrent, officeConfirmStepUp, officeGetStepUpStatus } from '#contract/office/session.ts'
import { call } from '#ui/api/call.ts'
import { useEndpoint, refresh } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { FirmContext } from '#ui/layout/firm.ts'
import { useFocusOnNewPage } from '#ui/a11y/focus.ts'
import { useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useLiveSession } from '#ui/auth/live-session.ts'
import { Toasts } from '#ui/feedback/toasts.tsx'
import { StepUpPrompt } from '#ui/auth/step-up-prompt.tsx'
import { type StepUpCalls, StepUpContext } from '#ui/auth/step-up.ts'
import { ErrorBoundary } from '#ui/feedback/error-boundary.tsx'
import { screenAt } from '#ui/navigation/screens.tsx'
import { TimeZoneContext } from '#ui/text/time.tsx'
import { type Place, screens } from '../routes.tsx'
import { type SignedInStaff, StaffContext, useSignedIn, useStaff } from '../session.ts'
import { useLiveChanges, type Change, useChanges } from './changes.ts'
import { OfficeMenu } from './office-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { Trans, useLingui } from '@lingui/react/macro'
import { ButtonLink } from '#ui/forms/button.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import './office.css'

// No call of the office takes a proof of its own.
const proofCalls: StepUpCalls = {
  show: officeGetStepUpStatus,
  prove: ({ password, code }) =>
    call(officeConfirmStepUp, { ...(password ? { password } : {}), ...(code ? { code } : {}) }),
}
const returnKey = 'office.return'

/** Finds the screen of the address; without a session leads to the sign-in and back. */
export function Office() {
  const signedIn = useSignedIn()
  const [path] = useLocation()
  const found = useMemo(() => screenAt(screens, path), [path])
  const redirect = useRedirect(signedIn, path, found?.screen.place)
  const View = found?.screen.View
  const page = found?.screen.place.listStays ? path.split('/')[1] : path
  useFocusOnNewPage(page ?? path)
  const content = View && <View key={page} params={found.params} />
  if (redirect !== null) return null
  return (
    <>
      {signedIn && found?.screen.place.area !== null ? (
        <Inside place={found?.screen.place} path={path}>
          {content ?? <NotFound path={path} />}
        </Inside>
      ) : (
        <ErrorBoundary place={path}>
          <Suspense fallback={null}>{content ?? <NotFound path={path} />}</Suspense>
        </ErrorBoundary>
      )}
      <Toasts />
    </>
  )
}

function Inside({ place, path, children }: { place: Place | undefined; path: string; children: ReactNode }) {
  const { data, error, refetch } = useEndpoint(officeCurrent, {}, { staleMs: Number.POSITIVE_INFINITY })
  useFreshStaff()
  useLiveChanges(data !== undefined)
  useItemKeyGuard(null)
  if (!data) return error ? <ErrorPanel level="h1" failure={error} onRetry={() => void refetch()} /> : null
  return (
    <StaffContext value={data}>
      <FirmContext value={{ ...data.firm, supportEmail: '' }}>
        <TimeZoneContext value={data.firm.timeZone}>
          <StepUpContext value={proofCalls}>
            <div className="office-frame">
              <TopBar />
              <RecoveryBanner />
              <OfficeMenu path={path} />
              <main id="content" className="office-main" tabIndex={-1}>
                <ErrorBoundary place={path}>
                  <Suspense fallback={null}>{mayOpen(data, place) ? children : <NotForYou />}</Suspense>
                </ErrorBoundary>
              </main>
            </div>
            <StepUpPrompt />
          </StepUpContext>
        </TimeZoneContext>
      </FirmContext>
    </StaffContext>
  )
}

function mayOpen(staff: SignedInStaff, place: Place | undefined): boolean {
  return !place || place.area === null || place.area === 'everyone' || staff.reads.includes(place.area)
}

/** Roles and rights follow the server; the token is renewed while the person works. */
function useFreshStaff(): void {
  const queries = useQueryClient()
  const ask = useCallback(
    (background: boolean) => {
      call(officeCurrent, {}, { background }).then(
        (answer) => queries.setQueryData([officeCurrent.name, {}], answer),
        () => undefined,
      )
    },
    [queries],
  )
  useLiveSession({ signedIn: true, ask })
}

/** To the sign-in without a session, to the inbox or the page that was asked for with one. */
function useRedirect(signedIn: boolean, path: string, place: Place | undefined): string | null {
  const [, navigate] = useLocation()
  const search = useSearch()
  const address = search ? `${path}?${search}` : path
  const to = signedIn
    ? path === '/' || place?.area === null
      ? officePaths.inbox
      : null
    : place?.area === null
      ? null
      : officePaths.signIn
  useEffect(() => {
    if (to === null) return
    if (to === officePaths.signIn && path !== '/') sessionStorage.setItem(returnKey, address)
    const kept = to === officePaths.inbox ? sessionStorage.getItem(returnKey) : null
    if (kept) sessionStorage.removeItem(returnKey)
    navigate(kept ?? to, { replace: true })
  }, [to, path, address, navigate])
  return to
}

const RecoveryNotice = lazyPart(async () => (await import('./recovery-notice.tsx')).RecoveryNotice)

/** On every page while recovery is open: what is stopped, and who completes it. It follows the stream of changes. */
function RecoveryBanner() {
  const { moneyStopped } = useStaff()
  const queries = useQueryClient()
  const follow = useCallback(
    ({ kind }: Change) => void (kind === 'recovery' && refresh(queries, [officeCurrent])),
    [queries],
  )
  useChanges(follow)
  return moneyStopped && <RecoveryNotice stopped={moneyStopped} />
}

/** Says which address there is nothing at, and leads to the inbox. */
function NotFound({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <OfficePage>
      <PageHeader title={t`Page not found`}>
        <Trans>We cannot find {path}.</Trans>
      </PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">
        <Trans>Open inbox</Trans>
      </ButtonLink>
    </OfficePage>
  )
}

/** A page that this role does not read. */
function NotForYou() {
  const { t } = useLingui()
  return (
    <OfficePage>
      <PageHeader title={t`No access`}>
        <Trans>You do not have access to this page. An administrator can change your roles under Staff.</Trans>
      </PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">
        <Trans>Open inbox</Trans>
      </ButtonLink>
    </OfficePage>
  )
}
