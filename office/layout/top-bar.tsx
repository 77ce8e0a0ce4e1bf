import { IconMenu2, IconZoom } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useState } from 'react'
import { officePaths } from '#contract/office-paths.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { lazyDialog } from '#ui/loading/lazy.tsx'
import { useKeyNames } from '#ui/navigation/key-names.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { isDialogOpen } from '#ui/overlays/open-dialogs.ts'
import { useStaff } from '../session.ts'
import { GlobalShortcuts } from './keys.tsx'
import { useRoleLabels } from './role-labels.ts'
import './top-bar.css'

const StaffMenu = lazy(() => import('./staff-menu.tsx'))
const MenuDrawer = lazy(() => import('./menu-drawer.tsx'))

/** The dark top bar, which distinguishes the back office from the portal, with the search. */
export function TopBar() {
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
