import type { ReactNode } from 'react'

/** One section of the page with a title. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="stack">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
