import { topPercent, linePath, plotWidth, scaleOf } from './plot.ts'
import './chart.css'

/**
 * The course of a result in 104 by 28 pixels, with the initial value as a dashed line and the last one as a dot; the
 * colour does not depend on gain or loss. `label` describes it in a sentence.
 */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const [first = 0] = values
  const scale = resultScale(values)
  return (
    <span className="sparkline" role="img" aria-label={label}>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <path className="sparkline-start" d={`M0 ${topPercent(scale, first)}H${plotWidth}`} />
        <path d={linePath(values, scale)} />
        <path className="sparkline-end" d={`M${plotWidth} ${topPercent(scale, values.at(-1) ?? first)}h0`} />
      </svg>
    </span>
  )
}

/** Returns a scale that uses the full height; a constant value is in the middle. */
function resultScale(values: readonly number[]) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return { ...scaleOf([]), low: low === high ? low - 1 : low, high: low === high ? high + 1 : high }
}
