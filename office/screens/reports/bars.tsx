import { useLingui } from '@lingui/react/macro'
import type { Period } from '#contract/office/reports.ts'
import { usePeriodLabel } from '../../figures/period-label.ts'
import './reports.css'

interface Bar {
  key: string
  label: string
  /** Its length. */
  value: number
  /** The value of the previous period; null if it is not known. */
  before: number | null
  tone: 'ok' | 'bad' | 'run' | 'plain'
}

const width = 320
const rowHeight = 34
const barHeight = 12

/** Bars beside a table, in the colours of the statuses, with their counts and those of the previous period on them. */
export function Bars({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const { t } = useLingui()
  const textOf = ({ value, before }: Bar) => (before === null ? String(value) : t`${value}, previous period ${before}`)
  const longest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure className="report-bars">
      <figcaption className="title-3">{title}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${bars.length * rowHeight}`}
        role="img"
        aria-label={bars.map((bar) => `${bar.label}: ${textOf(bar)}`).join('; ')}
      >
        {bars.map((bar, index) => {
          const length = Math.max(2, (bar.value / longest) * width)
          const top = index * rowHeight
          return (
            <g key={bar.key}>
              <text x="0" y={top + 11} className="report-bar-label">
                {bar.label}
              </text>
              <text x={width} y={top + 11} textAnchor="end" className="report-bar-value">
                {textOf(bar)}
              </text>
              <rect x="0" y={top + 16} width={length} height={barHeight} rx="2" className={`report-bar ${bar.tone}`} />
            </g>
          )
        })}
      </svg>
    </figure>
  )
}

/** The days of the previous period; null from a server of the previous version, which sends no comparison. */
export function PreviousPeriod({ before }: { before: Period | null }) {
  const { t } = useLingui()
  const periodLabel = usePeriodLabel()
  return (
    <p className="muted size-13">
      {before
        ? t`Previous period: ${periodLabel(before)}`
        : t`Previous period: not available yet. Reload this page later.`}
    </p>
  )
}
