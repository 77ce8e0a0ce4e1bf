import type { ReactNode } from 'react'
import './empty-state.css'

/** Says what will appear here, with the one action that adds to it. `icon` is at 32 px. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  level: Heading = 'h3',
}: {
  /** The level of its heading; h2 directly below the page's title. */
  level?: 'h2' | 'h3'
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty">
      {icon && <span className="empty-icon">{icon}</span>}
      <Heading className="title-3">{title}</Heading>
      {children && <p className="muted size-14">{children}</p>}
      {action}
    </div>
  )
}
