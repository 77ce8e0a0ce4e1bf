import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { type Column, Table } from '../data/table.tsx'
import {
  xFraction,
  areaPath,
  barsPath,
  topPercent,
  labelledIndexes,
  linePath,
  plotWidth,
  type Scale,
  scaleOf,
} from './plot.ts'
import { useChartCursor } from './use-stepping.ts'
import './chart.css'

interface ChartProps<Point> {
  /** A sentence: what, when, from, to. */
  label: string
  points: readonly Point[]
  pointKey: (point: Point) => string
  /** The label of a point on the time axis, at most `dayWords` of them (4). */
  dayWord: (point: Point) => string
  dayWords?: number
  /** The label of a grid line. */
  valueWord: (value: number) => string
  /** Height of the plot in pixels. */
  height: number
  /** The line above the plot: the selected point, else the last one. */
  readout?: (point: Point) => ReactNode
  /** The same data as a table, in place of the plot. */
  columns: readonly Column<Point>[]
  asTable: boolean
  /** The data is older than expected: it is shown faded. */
  stale?: boolean
}

interface LineSeries<Point> {
  /** Null if there is no value: a gap. */
  value: (point: Point) => number | null
  /** `solid`, with its area if the axis begins at zero; `dashed`, in steps: lines never differ by colour alone. */
  look: 'solid' | 'dashed'
  /** The part of the value that was deposited or withdrawn on that day. */
  jump?: (point: Point) => number
}

/** A deposit or withdrawal at a point. */
interface Marker {
  index: number
  way: 'in' | 'out'
}

/** A line chart over days, with deposits and withdrawals marked on the axis (requirements 24.11, 24.16). */
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
      place={(index) => xFraction(index, points.length)}
      overlay={markers.map(({ index, way }) => (
        <span
          key={`${index} ${way}`}
          className={`chart-marker ${way}`}
          style={{ insetInlineStart: `${xFraction(index, points.length) * 100}%` }}
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
      <path className="chart-zero" d={`M0 ${topPercent(scale, Math.max(0, scale.low))}H${plotWidth}`} />
      {last !== null && (
        <>
          <path className="chart-dot-edge" d={`M${plotWidth} ${topPercent(scale, last)}h0`} />
          <path className="chart-dot" d={`M${plotWidth} ${topPercent(scale, last)}h0`} />
        </>
      )}
    </Frame>
  )
}

/**
 * A bar chart: incoming amounts above zero, solid; outgoing ones below, outlined; with `net` the difference in a panel
 * of its own.
 */
export function BarChart<Point>({
  above,
  below,
  net,
  ...chart
}: ChartProps<Point> & {
  above: (point: Point) => number
  below?: (point: Point) => number
  /** The label of the panel; without it none is drawn. */
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
              <span style={{ insetBlockStart: '50%' }}>{net}</span>
            </div>
          </>
        )
      }
    >
      <path className="chart-bar-in" d={barsPath(ins, scale)} />
      <path className="chart-bar-out" d={barsPath(outs, scale)} />
      <path className="chart-zero" d={`M0 ${topPercent(scale, 0)}H${plotWidth}`} />
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
  /** Returns the position of a point on the time axis, 0 to 1. */
  place: (index: number) => number
  /** HTML above the plot. */
  overlay?: ReactNode
  /** Below the plot, above the days. */
  under?: ReactNode
  children: ReactNode
}

/** Readout, plot with grid and labels, and the table that replaces it. */
function Frame<Point>(props: FrameProps<Point>) {
  const { label, points, pointKey, columns, asTable, readout, stale } = props
  const stepping = useChartCursor(points.length)
  const shown = points[stepping.at ?? points.length - 1]
  const announced = stepping.announced === null ? undefined : points[stepping.announced]
  if (asTable) return <Table caption={label} columns={columns} rows={points.toReversed()} rowKey={pointKey} />
  return (
    <div className={stale ? 'chart-whole stale' : 'chart-whole'}>
      {readout && shown !== undefined && <p className="chart-readout numbers">{readout(shown)}</p>}
      <Plot {...props} stepping={stepping} />
      <p className="unseen" aria-live="polite">
        {announced !== undefined && readout?.(announced)}
      </p>
    </div>
  )
}

function Plot<Point>(props: FrameProps<Point> & { stepping: ReturnType<typeof useChartCursor> }) {
  const { t } = useLingui()
  const { label, points, pointKey, dayWord, dayWords = 4, valueWord, height, readout, scale, place, stepping } = props
  const howTo = useId()
  const words = labelledIndexes(points.length, dayWords)
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
            <path key={mark} className="chart-grid" d={`M0 ${topPercent(scale, mark)}H${plotWidth}`} />
          ))}
          {props.children}
          {stepping.at !== null && <path className="chart-cursor" d={`M${place(stepping.at) * plotWidth} 0V100`} />}
        </Drawing>
        {props.overlay}
      </div>
      <div className="chart-values" aria-hidden="true">
        {scale.marks.map((mark) => (
          <span key={mark} style={{ insetBlockStart: `${topPercent(scale, mark)}%` }}>
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

interface ChartLegendProps {
  entries: readonly { look: 'solid' | 'dashed' | 'in' | 'out' | 'bar-in' | 'bar-out' | 'bar-net'; name: ReactNode }[]
}

/** The legend of the series. */
export function ChartLegend({ entries }: ChartLegendProps) {
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

/** Switches between plot and table; the screen stores the choice in its URL. */
export function ChartTableButton({ asTable, onChange }: { asTable: boolean; onChange: (asTable: boolean) => void }) {
  return (
    <button type="button" className="text-button size-13" onClick={() => onChange(!asTable)}>
      {asTable ? <Trans>Show as chart</Trans> : <Trans>Show as table</Trans>}
    </button>
  )
}
