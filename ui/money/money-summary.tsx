import type { ReactNode } from 'react'
import './money-summary.css'

interface MoneySummaryLine {
  label: ReactNode
  /** null while not chosen. */
  value: ReactNode
}

interface MoneySummaryProps {
  title?: ReactNode
  lines: readonly MoneySummaryLine[]
  total?: MoneySummaryLine
  /** `wide` is the summary of the confirm step: ruled lines and the amount at 40 px. */
  look?: 'side' | 'wide'
}

/** The choices of a money flow so far, with a double rule at the end. */
export function MoneySummary({ title, lines, total, look = 'side' }: MoneySummaryProps) {
  return (
    <section className={`slip ${look}`}>
      {title && <h2 className="title-3">{title}</h2>}
      <dl>
        {lines.map((line, index) => (
          <div key={index} className={line.value === null ? 'slip-line open' : 'slip-line'}>
            <dt>{line.label}</dt>
            <dd>{line.value ?? '–'}</dd>
          </div>
        ))}
        {total && <TotalLine label={total.label}>{total.value ?? '–'}</TotalLine>}
      </dl>
    </section>
  )
}

/** A single rule above, a double rule below: a total. Used inside a `dl`. */
function TotalLine({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="total-line">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A sum as rows and a total: available = balance less the amount set aside. */
export function Totals({ rows, total }: { rows: readonly MoneySummaryLine[]; total: MoneySummaryLine }) {
  return (
    <dl className="totals">
      {rows.map((row, index) => (
        <div key={index} className="slip-line">
          <dt>{row.label}</dt>
          <dd>{row.value ?? '–'}</dd>
        </div>
      ))}
      <TotalLine label={total.label}>{total.value ?? '–'}</TotalLine>
    </dl>
  )
}
