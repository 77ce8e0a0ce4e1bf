import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '../navigation/link.tsx'
import './tabs.css'

interface Tab {
  href: string
  label: ReactNode
  /** The number of entries, or "200+"; null while loading, to keep its space. */
  count?: number | string | null
  current: boolean
}

/** Tabs that are links: LIVE and DEMO, DEPOSITS and WITHDRAWALS, MT4 and MT5. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null)
  const currentHref = tabs.find(({ current }) => current)?.href
  // Centres the current tab in a row that scrolls sideways, without scrolling the page.
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
