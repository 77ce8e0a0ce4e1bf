import { Suspense, useEffect, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { useFocusOnNewPage } from '#ui/a11y/focus.ts'
import { isLogout } from '#ui/auth/session.ts'
import { OutdatedNotice } from '#ui/feedback/outdated-notice.tsx'
import { Toasts } from '#ui/feedback/toasts.tsx'
import { ErrorBoundary } from '#ui/feedback/error-boundary.tsx'
import { screenAt } from '#ui/navigation/screens.tsx'
import { type Place, screens } from '../routes.tsx'
import { session, useSignedIn, useStaff } from '../session.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { useLingui } from '@lingui/react/macro'
import { ButtonLink } from '#ui/forms/button.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import './office.css'

// The frame of the pages after sign-in loads with the first of them (requirements 25).
const SignedInFrame = lazyPart(async () => (await import('./signed-in-frame.tsx')).SignedInFrame)
const returnKey = 'office.return'

/** Renders the screen of the URL; without a session redirects to the sign-in and back. */
export function Office() {
  const signedIn = useSignedIn()
  const [path] = useLocation()
  const found = useMemo(() => screenAt(screens, path), [path])
  const redirect = useRedirect(signedIn, path, found?.screen.place)
  const View = found?.screen.View
  const page = found?.screen.place.listStays ? path.split('/')[1] : path
  useFocusOnNewPage(page ?? path)
  const content = path === officePaths.landing ? <Landing /> : View && <View key={page} params={found.params} />
  if (redirect !== null) return null
  return (
    <>
      {signedIn && found?.screen.place.area !== null ? (
        <SignedInFrame place={found?.screen.place} path={path}>
          {content ?? <NotFound path={path} />}
        </SignedInFrame>
      ) : (
        <ErrorBoundary place={path}>
          <Suspense fallback={null}>{content ?? <NotFound path={path} />}</Suspense>
        </ErrorBoundary>
      )}
      <Toasts />
      <OutdatedNotice />
    </>
  )
}

/**
 * Returns the path to redirect to: the sign-in without a session; after it the requested page, or this person's start
 * page.
 */
function useRedirect(signedIn: boolean, path: string, place: Place | undefined): string | null {
  const [, navigate] = useLocation()
  const search = useSearch()
  const address = search ? `${path}?${search}` : path
  const to = signedIn
    ? place?.area === null
      ? officePaths.landing
      : null
    : place?.area === null
      ? null
      : officePaths.signIn
  useEffect(() => {
    if (to === null) return
    // After a logout the next person begins with their own start page.
    const isResumed = to === officePaths.signIn && path !== officePaths.landing && !isLogout(session.endReason())
    if (isResumed) sessionStorage.setItem(returnKey, address)
    const kept = to === officePaths.landing ? sessionStorage.getItem(returnKey) : null
    if (kept) sessionStorage.removeItem(returnKey)
    navigate(kept ?? to, { replace: true })
  }, [to, path, address, navigate])
  return to
}

/** Administrators and auditors start with the overview, other roles with the inbox (requirements 24.5). */
function Landing() {
  const { staff } = useStaff()
  const [, navigate] = useLocation()
  const isAbove = staff.roles.some((role) => role === 'administrator' || role === 'auditor')
  const to = isAbove ? officePaths.overview : officePaths.inbox
  useEffect(() => navigate(to, { replace: true }), [navigate, to])
  return null
}

/** Shows the unknown path and a link to the inbox. */
function NotFound({ path }: { path: string }) {
  const { t } = useLingui()
  return (
    <OfficePage>
      <PageHeader title={t`Page not found`}>{t`We cannot find ${path}.`}</PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">{t`Open inbox`}</ButtonLink>
    </OfficePage>
  )
}
