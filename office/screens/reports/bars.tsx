import './reports.css'

interface Bar {
  key: string
  label: string
  /** Its length. */
  value: number
  /** Shown on the bar. */
  text: string
  tone: 'ok' | 'bad' | 'run' | 'plain'
}

const width = 320
const rowHeight = 34
const barHeight = 12

/**
 * Bars beside a table, in the colours of the statuses, with their values on them. The table contains the same values.
 */
export function Bars({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const longest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure className="report-bars">
      <figcaption className="title-3">{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${bars.length * rowHeight}`} role="img" aria-label={title}>
        {bars.map((bar, index) => {
          const length = Math.max(2, (bar.value / longest) * width)
          const top = index * rowHeight
          return (
            <g key={bar.key}>
              <text x="0" y={top + 11} className="report-bar-label">
                {bar.label}
              </text>
              <text x={width} y={top + 11} textAnchor="end" className="report-bar-value">
                {bar.text}
              </text>
              <rect x="0" y={top + 16} width={length} height={barHeight} rx="2" className={`report-bar ${bar.tone}`} />
            </g>
          )
        })}
      </svg>
    </figure>
  )
}
