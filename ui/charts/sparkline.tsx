import { downOf, linePath, plotWidth, scaleOf } from './plot.ts'
import './chart.css'

/**
 * The course of a result in a place of 104 by 28, with its beginning as a dashed line and its end as a dot; its colour
 * says nothing of gain or loss. `label` says in a sentence what is drawn.
 */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const [first = 0] = values
  const scale = resultScale(values)
  return (
    <span className="sparkline" role="img" aria-label={label}>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <path className="sparkline-start" d={`M0 ${downOf(scale, first)}H${plotWidth}`} />
        <path d={linePath(values, scale)} />
        <path className="sparkline-end" d={`M${plotWidth} ${downOf(scale, values.at(-1) ?? first)}h0`} />
      </svg>
    </span>
  )
}

/** All of the height is for the result; where nothing moved it lies in the middle. */
function resultScale(values: readonly number[]) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return { ...scaleOf([]), low: low === high ? low - 1 : low, high: low === high ? high + 1 : high }
}
