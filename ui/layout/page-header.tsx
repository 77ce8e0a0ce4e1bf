import { type ReactNode, useEffect } from 'react'
import { useFirmName } from './firm.ts'
import './page-header.css'

interface PageHeaderProps {
  /** The only h1; as text it is the window's title too. */
  title: string
  /** At most one sentence. */
  children?: ReactNode
  /** At most one action (two in history). */
  action?: ReactNode
  /** Small capitals above the title (back office: "Withdrawal · WD-20417"). */
  section?: ReactNode
}

export function PageHeader({ title, children, action, section }: PageHeaderProps) {
  useWindowTitle(title)
  return (
    <header className="page-header">
      <div>
        {section && <p className="section-name">{section}</p>}
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {action && <div className="page-header-action">{action}</div>}
    </header>
  )
}

/** Sets the window's title to "title · firm"; for pages with a heading of their own. */
export function useWindowTitle(title: string): void {
  const firm = useFirmName()
  useEffect(() => {
    document.title = firm ? `${title} · ${firm}` : title
  }, [title, firm])
}
