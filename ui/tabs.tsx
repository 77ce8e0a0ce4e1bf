import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import './tabs.css'

export interface Tab {
  href: string
  label: ReactNode
  /** How many are listed there; null while that is being asked, so that its place is kept. */
  count?: number | null
  current: boolean
}

/** Tabs that are addresses: LIVE and DEMO, DEPOSITS and WITHDRAWALS, MT4 and MT5. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          replace
          className="capitals"
          aria-current={tab.current ? 'page' : undefined}
        >
          {tab.label} {tab.count !== undefined && <span className="tab-count">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  )
}
