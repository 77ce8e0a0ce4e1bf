import type { ReactNode } from 'react'
import './description-list.css'

export interface DescriptionRow {
  key: ReactNode
  value: ReactNode
  /** The value before a change, shown struck through before the new one. */
  before?: ReactNode
}

/** Rows of a label (38 %) and its value; null rows are omitted. */
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
