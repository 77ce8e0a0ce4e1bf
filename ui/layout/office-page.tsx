import type { ReactNode } from 'react'
import './office-page.css'

interface OfficePageProps {
  children: ReactNode
  /** Facts and checks at the right; under the content below 1024 px. */
  side?: ReactNode
  /** The decision at the bottom, always visible: <DecisionBar/>. */
  bar?: ReactNode
}

/** The content of an office screen: scrolls on its own, the decision stays. */
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

/** Says in one sentence what the click does, the buttons at the right: reject outlined red, approve filled. */
export function DecisionBar({ sentence, children }: { sentence: ReactNode; children: ReactNode }) {
  return (
    <footer className="decision-bar">
      <p>{sentence}</p>
      <div className="decision-buttons">{children}</div>
    </footer>
  )
}

/** A list at the left and what is chosen beside it; under 1024 px the list first, then the page. */
export function Panes({ list, children, chosen }: { list: ReactNode; children: ReactNode; chosen: boolean }) {
  return (
    <div className={chosen ? 'panes chosen' : 'panes'}>
      <section className="panes-list">{list}</section>
      <section className="panes-page">{children}</section>
    </div>
  )
}
