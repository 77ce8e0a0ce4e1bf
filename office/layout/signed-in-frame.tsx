/** The frame of every page after sign-in: bar, menu, notices and the signed-in person. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useRef, lazy, useState } from 'react'
import { Trans, useLingui, Plural } from '@lingui/react/macro'
import { officePaths } from '#contract/office-paths.ts'
import { officeCurrent, officeConfirmStepUp, officeGetStepUpStatus } from '#contract/office/session.ts'
import { inboxCounts } from '#contract/office/inbox.ts'
import { call } from '#ui/api/call.ts'
import { useEndpoint, refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { FirmContext } from '#ui/layout/firm.ts'
import { useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useLiveSession } from '#ui/auth/live-session.ts'
import { StepUpPrompt } from '#ui/auth/step-up-prompt.tsx'
import { type StepUpCalls, StepUpContext } from '#ui/auth/step-up.ts'
import { ErrorBoundary } from '#ui/feedback/error-boundary.tsx'
import { TimeZoneContext } from '#ui/text/time.tsx'
import { lazyPart, lazyDialog } from '#ui/loading/lazy.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Link } from '#ui/navigation/link.tsx'
import type { Place } from '../routes.tsx'
import { type SignedInStaff, StaffContext, useStaff } from '../session.ts'
import { useLiveChanges, useChanges } from './changes.ts'
import { OfficeMenu } from './office-menu.tsx'
import { IconMenu2, IconZoom } from '@tabler/icons-react'
import { Logo } from '#ui/layout/logo.tsx'
import { useKeyNames } from '#ui/navigation/key-names.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { isDialogOpen } from '#ui/overlays/open-dialogs.ts'
import { GlobalShortcuts } from './keys.tsx'
import { useRoleLabels } from './role-labels.ts'
import './top-bar.css'

// No endpoint of the back office requires a confirmation of its own.
const stepUpCalls: StepUpCalls = {
  show: officeGetStepUpStatus,
  prove: ({ password, code }) =>
    call(officeConfirmStepUp, { ...(password ? { password } : {}), ...(code ? { code } : {}) }),
}

interface SignedInFrameProps {
  place: Place | undefined
  path: string
  children: ReactNode
}

export function SignedInFrame({ place, path, children }: SignedInFrameProps) {
  const { data, error, refetch } = useEndpoint(officeCurrent, {}, { staleMs: Number.POSITIVE_INFINITY })
  useFreshStaff(data?.staff.id)
  useLiveChanges(data !== undefined)
  useAssignmentToast(data !== undefined)
  useItemKeyGuard(null)
  if (!data) return error ? <ErrorPanel level="h1" failure={error} onRetry={() => void refetch()} /> : null
  return (
    <StaffContext value={data}>
      <FirmContext value={{ ...data.firm, supportEmail: '' }}>
        <TimeZoneContext value={data.firm.timeZone}>
          <StepUpContext value={stepUpCalls}>
            <div className="office-frame">
              <TopBar />
              <RecoveryBanner />
              <OfficeMenu path={path} />
              <main id="content" className="office-main" tabIndex={-1}>
                <ErrorBoundary place={path}>
                  <Suspense fallback={null}>{canOpen(data, place) ? children : <NoAccess />}</Suspense>
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

function canOpen(staff: SignedInStaff, place: Place | undefined): boolean {
  return !place || place.area === null || place.area === 'everyone' || staff.reads.includes(place.area)
}

/** Keeps roles, permissions and absence up to date with the server, and renews the token while the person works. */
function useFreshStaff(staffId: string | undefined): void {
  const queries = useQueryClient()
  const ask = (background: boolean) =>
    void call(officeCurrent, {}, { background }).then(
      (answer) => queries.setQueryData([officeCurrent.name, {}], answer),
      () => undefined,
    )
  useLiveSession({ signedIn: true, ask })
  useChanges(({ kind, id }) => void (kind === 'staff' && id === staffId && ask(true)))
}

const RecoveryNotice = lazyPart(async () => (await import('./recovery-notice.tsx')).RecoveryNotice)

/**
 * Shown on every page while recovery is open: what is stopped, and who completes it. Updated by the stream of changes.
 */
function RecoveryBanner() {
  const { moneyStopped } = useStaff()
  const queries = useQueryClient()
  useChanges(({ kind }) => void (kind === 'recovery' && refreshEndpoints(queries, [officeCurrent])))
  return moneyStopped && <RecoveryNotice stopped={moneyStopped} />
}

/** Shown for a page that this role may not read. */
function NoAccess() {
  const { t } = useLingui()
  return (
    <OfficePage>
      <PageHeader title={t`No access`}>
        <Trans>You do not have access to this page. An administrator can change your roles under Staff.</Trans>
      </PageHeader>
      <ButtonLink href={officePaths.inbox} kind="primary">{t`Open inbox`}</ButtonLink>
    </OfficePage>
  )
}

/**
 * Shows a notice on every page when colleagues assign an item to this person; the inbox marks it until it has been
 * opened (requirements 24.70).
 */
function useAssignmentToast(signedIn: boolean): void {
  const { data } = useEndpoint(inboxCounts, {}, { enabled: signedIn })
  const count = data?.newlyAssigned
  const last = useRef(count)
  useEffect(() => {
    const added = count !== undefined && last.current !== undefined ? count - last.current : 0
    last.current = count
    if (added <= 0) return
    showToast(
      () => (
        <>
          <Plural
            value={added}
            one="A colleague assigned an item to you."
            other="A colleague assigned # items to you."
          />{' '}
          <Link href={`${officePaths.inbox}?mine=false&newlyAssigned=true`}>
            <Trans>Show</Trans>
          </Link>
        </>
      ),
      { kind: 'plain' },
    )
  }, [count])
}

const StaffMenu = lazy(() => import('./staff-menu.tsx'))
const MenuDrawer = lazy(() => import('./menu-drawer.tsx'))

/** The dark top bar, which distinguishes the back office from the portal, with the search. */
function TopBar() {
  const { t } = useLingui()
  const { staff, demo } = useStaff()
  const role = useRoleLabels()
  return (
    <header className="office-top on-ink">
      <a className="skip-link" href="#content">{t`Skip to the content`}</a>
      <Suspense
        fallback={
          <span className="icon-button office-menu-opener">
            <IconMenu2 aria-hidden="true" />
          </span>
        }
      >
        <MenuDrawer />
      </Suspense>
      <Logo href={officePaths.landing} />
      <span className="section-name office-top-name">{t`Back office`}</span>
      <Search />
      <GlobalShortcuts />
      <span className="grow" />
      {demo && <span className="section-name office-top-demo">{t`Demo`}</span>}
      <span className="office-top-who">
        {staff.name} · {staff.roles.map(role).join(', ')}
      </span>
      <Suspense fallback={<span className="staff-mark" />}>
        <StaffMenu />
      </Suspense>
    </header>
  )
}

const Palette = lazyDialog(async () => (await import('./palette/palette.tsx')).Palette)

/**
 * Opens the command palette: Ctrl+K (⌘K) everywhere, also in fields, and / elsewhere. Not while a dialog is open or
 * opening.
 */
function Search() {
  const { t } = useLingui()
  const { control } = useKeyNames()
  const words = t`Client, account, reference, page, action`
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ '/': () => setOpen(true) })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      if (!isDialogOpen() && !document.querySelector('[role="dialog"], [role="alertdialog"]')) setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button
        type="button"
        className="office-search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      >
        <IconZoom className="small" aria-hidden="true" />
        <span className="unseen">{t`Search: ${words}`}</span>
        <span className="office-search-words" aria-hidden="true">
          {words}
        </span>
        <kbd className="key" aria-hidden="true">
          {control} k
        </kbd>
      </button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
