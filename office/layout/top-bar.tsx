import { IconMenu2 } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { officePaths } from '#contract/office-paths.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { useStaff } from '../session.ts'
import { Keys } from './keys.tsx'
import { useRoleLabels } from './role-labels.ts'
import { Search } from './search.tsx'
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
      <Keys />
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
