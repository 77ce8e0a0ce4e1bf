import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { type Column, Table } from '../data/table.tsx'
import { alongOf, areaPath, barsPath, downOf, labelled, linePath, plotWidth, type Scale, scaleOf } from './plot.ts'
import { useStepping } from './use-stepping.ts'
import './chart.css'

interface ChartProps<Point> {
  /** A sentence: what, when, from, to. */
  label: string
  points: readonly Point[]
  pointKey: (point: Point) => string
  /** The word of a point on the axis of days, at most `dayWords` of them (4). */
  dayWord: (point: Point) => string
  dayWords?: number
  /** The word of a line of the grid. */
  valueWord: (value: number) => string
  /** Height of the plot in pixels. */
  height: number
  /** The line above the plot: the point that is stepped to, else the last one. */
  readout?: (point: Point) => ReactNode
  /** The same figures as a table, in the place of the plot. */
  columns: readonly Column<Point>[]
  asTable: boolean
  /** What is drawn is older than it should be: it steps back. */
  stale?: boolean
}

interface LineSeries<Point> {
  /** Null where there is no value: a gap. */
  value: (point: Point) => number | null
  /** `solid`, with its area where the axis begins at zero; `dashed`, in steps: never told apart by colour alone. */
  look: 'solid' | 'dashed'
  /** What of the value came or went at once on that day. */
  jump?: (point: Point) => number
}

/** Money that came in or went out at a point. */
interface Marker {
  index: number
  way: 'in' | 'out'
}

/** Lines over days, with the money that came and went marked on the axis (requirements 24.11, 24.16). */
export function LineChart<Point>({
  series,
  markers = [],
  ...chart
}: ChartProps<Point> & { series: readonly LineSeries<Point>[]; markers?: readonly Marker[] }) {
  const { points } = chart
  const lines = series.map((one) => ({ ...one, values: points.map(one.value) }))
  const scale = scaleOf(lines.flatMap(({ values }) => values.filter((value) => value !== null)))
  const last = lines[0]?.values.at(-1) ?? null
  return (
    <Frame
      {...chart}
      scale={scale}
      place={(index) => alongOf(index, points.length)}
      beside={markers.map(({ index, way }) => (
        <span
          key={`${index} ${way}`}
          className={`chart-marker ${way}`}
          style={{ insetInlineStart: `${alongOf(index, points.length) * 100}%` }}
        />
      ))}
    >
      {lines.map(({ look, values, jump }) => {
        const options = { steps: look === 'dashed', jumps: jump && points.map(jump) }
        return (
          <g key={look}>
            {look === 'solid' && scale.low === 0 && (
              <path className="chart-area" d={areaPath(values, scale, options)} />
            )}
            <path className={`chart-${look}`} d={linePath(values, scale, options)} />
          </g>
        )
      })}
      <path className="chart-zero" d={`M0 ${downOf(scale, Math.max(0, scale.low))}H${plotWidth}`} />
      {last !== null && (
        <>
          <path className="chart-dot-edge" d={`M${plotWidth} ${downOf(scale, last)}h0`} />
          <path className="chart-dot" d={`M${plotWidth} ${downOf(scale, last)}h0`} />
        </>
      )}
    </Frame>
  )
}

/** In above the line of zero, solid; out below it, hollow; with `net` their difference as a panel of its own. */
export function BarChart<Point>({
  above,
  below,
  net,
  ...chart
}: ChartProps<Point> & {
  above: (point: Point) => number
  below?: (point: Point) => number
  /** The word of the panel; left out: none is drawn. */
  net?: ReactNode
}) {
  const { points } = chart
  const ins = points.map(above)
  const outs = points.map((point) => -(below?.(point) ?? 0))
  const nets = points.map((_, index) => (ins[index] ?? 0) + (outs[index] ?? 0))
  const scale = scaleOf([...ins, ...outs], true)
  const netScale = scaleOf(nets, true)
  return (
    <Frame
      {...chart}
      scale={scale}
      place={(index) => (index + 0.5) / points.length}
      under={
        net !== undefined && (
          <>
            <div className="chart-net">
              <Drawing>
                <path className="chart-bar-net" d={barsPath(nets, netScale)} />
              </Drawing>
            </div>
            <div className="chart-values">
              <span style={{ insetBlockStart: `${downOf(netScale, 0)}%` }}>{net}</span>
            </div>
          </>
        )
      }
    >
      <path className="chart-bar-in" d={barsPath(ins, scale)} />
      <path className="chart-bar-out" d={barsPath(outs, scale)} />
      <path className="chart-zero" d={`M0 ${downOf(scale, 0)}H${plotWidth}`} />
    </Frame>
  )
}

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

interface FrameProps<Point> extends ChartProps<Point> {
  scale: Scale
  /** Where a point is along the axis of days, 0 to 1. */
  place: (index: number) => number
  /** Drawn over the plot, in HTML. */
  beside?: ReactNode
  /** Below the plot, over the days. */
  under?: ReactNode
  children: ReactNode
}

/** Readout, plot with its grid and words, and the table that takes its place. */
function Frame<Point>(props: FrameProps<Point>) {
  const { label, points, pointKey, columns, asTable, readout, stale } = props
  const stepping = useStepping(points.length)
  const shown = points[stepping.at ?? points.length - 1]
  const said = stepping.said === null ? undefined : points[stepping.said]
  if (asTable) return <Table caption={label} columns={columns} rows={points.toReversed()} rowKey={pointKey} />
  return (
    <div className={stale ? 'chart-whole stale' : 'chart-whole'}>
      {readout && shown !== undefined && <p className="chart-readout numbers">{readout(shown)}</p>}
      <Plot {...props} stepping={stepping} />
      <p className="unseen" aria-live="polite">
        {said !== undefined && readout?.(said)}
      </p>
    </div>
  )
}

function Plot<Point>(props: FrameProps<Point> & { stepping: ReturnType<typeof useStepping> }) {
  const { t } = useLingui()
  const { label, points, pointKey, dayWord, dayWords = 4, valueWord, height, readout, scale, place, stepping } = props
  const howTo = useId()
  const words = labelled(points.length, dayWords)
  return (
    <div className="chart">
      <div
        className="chart-plot"
        style={{ blockSize: height }}
        role="img"
        aria-label={label}
        {...(readout && { tabIndex: 0, 'aria-describedby': howTo, ...stepping.listeners })}
      >
        <Drawing>
          {scale.marks.map((mark) => (
            <path key={mark} className="chart-grid" d={`M0 ${downOf(scale, mark)}H${plotWidth}`} />
          ))}
          {props.children}
          {stepping.at !== null && <path className="chart-cursor" d={`M${place(stepping.at) * plotWidth} 0V100`} />}
        </Drawing>
        {props.beside}
      </div>
      <div className="chart-values" aria-hidden="true">
        {scale.marks.map((mark) => (
          <span key={mark} style={{ insetBlockStart: `${downOf(scale, mark)}%` }}>
            {valueWord(mark)}
          </span>
        ))}
      </div>
      {props.under}
      <div className="chart-days" aria-hidden="true">
        {words.map((index) => {
          const point = points[index]
          return (
            point !== undefined && (
              <span key={pointKey(point)} style={{ insetInlineStart: `${place(index) * 100}%` }}>
                {dayWord(point)}
              </span>
            )
          )
        })}
      </div>
      {readout && (
        <p id={howTo} hidden>
          {t`Use the arrow keys to move from day to day. The table shows every day.`}
        </p>
      )}
    </div>
  )
}

/** What is drawn, with its name. */
export function ChartLegend({
  entries,
}: {
  entries: readonly { look: 'solid' | 'dashed' | 'in' | 'out' | 'bar-in' | 'bar-out' | 'bar-net'; name: ReactNode }[]
}) {
  return (
    <ul className="chart-legend">
      {entries.map(({ look, name }) => (
        <li key={look}>
          {look === 'in' || look === 'out' ? (
            <span className={`chart-marker ${look}`} />
          ) : (
            <svg viewBox="0 0 18 12" aria-hidden="true">
              <path className={`chart-${look}`} d={look.startsWith('bar') ? 'M4 1H14V11H4Z' : 'M0 6H18'} />
            </svg>
          )}
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Swaps plot and table; the screen keeps the choice in its address. */
export function ChartTableButton({ asTable, onChange }: { asTable: boolean; onChange: (asTable: boolean) => void }) {
  return (
    <button type="button" className="text-button size-13" onClick={() => onChange(!asTable)}>
      {asTable ? <Trans>Show as chart</Trans> : <Trans>Show as table</Trans>}
    </button>
  )
}
