import { IconMenu2, IconZoom } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, type SyntheticEvent, Suspense, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import { findExact } from '#contract/office/exact-search.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { call } from '#ui/api/call.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { useStaff } from '../session.ts'
import { useRoleLabels } from './role-labels.ts'
import './top-bar.css'

const StaffMenu = lazy(() => import('./staff-menu.tsx'))
const MenuDrawer = lazy(() => import('./menu-drawer.tsx'))

/** Ink, so that no one mistakes the office for the portal; one search for clients, accounts, references, IBANs. */
export function TopBar() {
  const { staff, demo } = useStaff()
  const role = useRoleLabels()
  return (
    <header className="office-top on-ink">
      <a className="skip-link" href="#content">
        <Trans>Skip to the content</Trans>
      </a>
      <Suspense
        fallback={
          <span className="icon-button office-menu-opener">
            <IconMenu2 aria-hidden="true" />
          </span>
        }
      >
        <MenuDrawer />
      </Suspense>
      <Logo href={officePaths.inbox} />
      <span className="section-name office-top-name">
        <Trans>Back office</Trans>
      </span>
      <Search />
      <span className="grow" />
      {demo && (
        <span className="section-name office-top-demo">
          <Trans>Demo</Trans>
        </span>
      )}
      <span className="office-top-who">
        {staff.name} · {staff.roles.map(role).join(', ')}
      </span>
      <Suspense fallback={<span className="staff-mark" />}>
        <StaffMenu />
      </Suspense>
    </header>
  )
}

/** Where an exact search leads: a reference to its record, everything else to the part of the client's page that shows it. */
function pathOfHit({ kind, id }: NonNullable<ResponseOf<typeof findExact>['hit']>): string {
  const client = officePaths.client(id)
  const paths = {
    deposit: officePaths.deposit(id),
    withdrawal: officePaths.withdrawal(id),
    transfer: officePaths.transfer(id),
    correction: officePaths.correction(id),
    account: `${client}?tab=accounts`,
    bank: `${client}?tab=bank`,
    client,
  }
  return paths[kind]
}

function Search() {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const [words, setWords] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const isAsking = useRef(false)
  useShortcuts({ '/': () => input.current?.focus() })
  const search = (event: SyntheticEvent) => {
    event.preventDefault()
    const q = words.trim()
    if (q === '' || isAsking.current) return
    isAsking.current = true
    const list = `${officePaths.clients}?q=${encodeURIComponent(q)}`
    void call(findExact, { q })
      .then(
        ({ hit }) => navigate(hit ? pathOfHit(hit) : list),
        (thrown: unknown) => {
          if (!(thrown instanceof ApiError)) throw thrown
          // The list says what keeps it from being read.
          navigate(list)
        },
      )
      .finally(() => {
        isAsking.current = false
      })
  }
  return (
    <form className="office-search" role="search" aria-label={t`Search`} onSubmit={search}>
      <IconZoom className="small" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={t`Search clients, accounts, references and IBANs`}
        placeholder={t`Client, account, reference, IBAN`}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <kbd className="key" aria-hidden="true">
        /
      </kbd>
    </form>
  )
}
