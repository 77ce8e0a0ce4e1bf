import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '../navigation/link.tsx'
import './tabs.css'

interface Tab {
  href: string
  label: ReactNode
  /** How many are listed there; null while that is being asked, so that its place is kept. */
  count?: number | null
  current: boolean
}

/** Tabs that are addresses: LIVE and DEMO, DEPOSITS and WITHDRAWALS, MT4 and MT5. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null)
  const currentHref = tabs.find(({ current }) => current)?.href
  // Where the row scrolls sideways, the tab that one is at is in its middle, and the page stays where it is.
  useEffect(() => {
    const place = row.current?.getBoundingClientRect()
    const tab = row.current?.querySelector('[aria-current]')?.getBoundingClientRect()
    if (row.current && place && tab) row.current.scrollLeft += (tab.left + tab.right - place.left - place.right) / 2
  }, [currentHref])
  return (
    <nav ref={row} className="tabs" aria-label={label}>
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
