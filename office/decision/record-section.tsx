import type { ReactNode } from 'react'
import './decision.css'

/** A section of a record's page with a heading. */
export function RecordSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2 className="title-3 record-section-title">{title}</h2>
      {children}
    </section>
  )
}
