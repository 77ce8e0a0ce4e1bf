import { type ReactNode, useEffect } from 'react'
import { useFirmName } from './firm.ts'
import './page-header.css'

interface PageHeaderProps {
  /** The one h1; as text it is the window's title too. */
  title: string
  /** Is beside the title, quieter: a count, a client's number. */
  beside?: ReactNode
  /** At most one sentence. */
  children?: ReactNode
  /** At most one command (two in history). */
  action?: ReactNode
  /** Small capitals above the title (office: "Withdrawal · WD-20417"). */
  section?: ReactNode
}

export function PageHeader({ title, beside, children, action, section }: PageHeaderProps) {
  useWindowTitle(title)
  return (
    <header className="page-header">
      <div>
        {section && <p className="section-name">{section}</p>}
        <h1>
          {title}
          {beside && <span className="page-header-beside"> {beside}</span>}
        </h1>
        {children && <p>{children}</p>}
      </div>
      {action && <div className="page-header-action">{action}</div>}
    </header>
  )
}

/** Names the window "title · firm"; pages with a heading of their own call it. */
export function useWindowTitle(title: string): void {
  const firm = useFirmName()
  useEffect(() => {
    document.title = firm ? `${title} · ${firm}` : title
  }, [title, firm])
}
