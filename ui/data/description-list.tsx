import type { ReactNode } from 'react'
import './description-list.css'

export interface DescriptionRow {
  key: ReactNode
  value: ReactNode
}

/** Rows of a label (38 %) and its value; null rows are omitted. */
export function DescriptionList({ rows }: { rows: readonly (DescriptionRow | null | false)[] }) {
  return (
    <dl className="key-values">
      {rows.map((row, index) =>
        row ? (
          <div key={index}>
            <dt>{row.key}</dt>
            <dd>{row.value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}
