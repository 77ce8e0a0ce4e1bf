import type { ReactNode } from 'react'
import './office-page.css'

interface OfficePageProps {
  children: ReactNode
  /** Facts and checks on the right; below the content under 1024 px. */
  side?: ReactNode
  /** The decision at the bottom, always visible: <DecisionBar/>. */
  bar?: ReactNode
}

/** The content of a back office screen: scrolls while the decision stays visible. */
export function OfficePage({ children, side, bar }: OfficePageProps) {
  return (
    <div className="office-page">
      <div className={side ? 'office-page-body with-side' : 'office-page-body'}>
        <div className="office-page-content">{children}</div>
        {side && <aside className="office-page-side">{side}</aside>}
      </div>
      {bar}
    </div>
  )
}

/**
 * The consequences of the click in one sentence, with the buttons on the right: reject outlined in red, approve filled.
 */
export function DecisionBar({ sentence, children }: { sentence: ReactNode; children: ReactNode }) {
  return (
    <footer className="decision-bar">
      <p>{sentence}</p>
      <div className="decision-buttons">{children}</div>
    </footer>
  )
}

/** A list on the left and the selected item beside it; below 1024 px first the list, then the page. */
export function Panes({ list, children, chosen }: { list: ReactNode; children: ReactNode; chosen: boolean }) {
  return (
    <div className={chosen ? 'panes chosen' : 'panes'}>
      <section className="panes-list">{list}</section>
      <section className="panes-page">{children}</section>
    </div>
  )
}
