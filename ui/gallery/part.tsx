import type { ReactNode } from 'react'

/** One titled piece of the page. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="stack">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
