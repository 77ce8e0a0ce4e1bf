import type { ReactNode } from 'react'
import './description-list.css'

export interface DescriptionRow {
  key: ReactNode
  value: ReactNode
  /** What it was before a change; shown struck through before the value. */
  before?: ReactNode
}

/** Rows of a key (38 %) and its value; rows that are null are left out. */
export function DescriptionList({ rows }: { rows: readonly (DescriptionRow | null | false)[] }) {
  return (
    <dl className="key-values">
      {rows.map((row, index) =>
        row ? (
          <div key={index}>
            <dt>{row.key}</dt>
            <dd>
              {row.before !== undefined && (
                <>
                  <del>{row.before}</del> <span aria-hidden="true">→</span>{' '}
                </>
              )}
              {row.value}
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}
