/** A figure with its comparison and the goal of requirements 25, and all of them as one table. */

export interface Result {
  readonly what: string
  /** As printed, with its unit. */
  readonly measured: string
  /** The bare work, measured in the same run. */
  readonly note?: string
  readonly goal: string
  /** Null if the figure has no goal. */
  readonly held: boolean | null
}

/** Returns a result whose goal is a maximum. */
export function resultWithMaximum(what: string, measured: number, most: number, unit: string, note?: string): Result {
  const goal = `≤ ${formatFigure(most)} ${unit}`
  return {
    what,
    measured: `${formatFigure(measured)} ${unit}`,
    goal,
    held: measured <= most,
    ...(note && { note }),
  }
}

/** Returns our rate compared with the bare work, both per second; the goal is a share of the bare rate. */
export function resultWithShare(
  what: string,
  product: number,
  baseline: number,
  least: number,
  bareName: string,
): Result {
  const ratio = product / baseline
  return {
    what,
    measured: `${formatFigure(product)}/s`,
    note: `${formatFigure(baseline)}/s ${bareName}: ${ratio.toFixed(2)}`,
    goal: `≥ ${least.toFixed(2)} of it`,
    held: ratio >= least,
  }
}

/** The sizes for which requirements 25 states its goals. */
const goalSizes = { rows: 10_000_000, clients: 1_000_000 } as const

/**
 * Returns the results; those with a goal name the size for which it is meant, if they were measured at a smaller one.
 */
export function withGoalSizeNotes(results: readonly Result[], size: number, of: keyof typeof goalSizes): Result[] {
  const meant = goalSizes[of]
  if (size >= meant) return [...results]
  const note = `goal for ${meant.toLocaleString('en-GB')} ${of}`
  return results.map((result) =>
    result.held === null ? result : { ...result, note: result.note ? `${note}; ${result.note}` : note },
  )
}

/** Returns the last line of the bench and its exit status, 1 if a goal was missed. */
export function outcomeOf(results: readonly Result[], seconds: number): { line: string; status: 0 | 1 } {
  const held = results.filter((one) => one.held === true).length
  const missed = results.filter((one) => one.held === false).length
  return { line: `${held} goals held, ${missed} missed, in ${seconds} s.`, status: missed > 0 ? 1 : 0 }
}

/** Prints the results as they arrive, under one header. */
export function printResults(head: string, results: readonly Result[]): void {
  console.log(`\n${head}`)
  const rows = results.map(({ what, measured, note, goal, held }) => [
    held === null ? ' ' : held ? '✓' : '✗',
    what,
    measured,
    goal,
    note ?? '',
  ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  for (const cells of rows) {
    const padded = cells.map((cell, column) =>
      column === 2 ? cell.padStart(widths[2] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
    console.log(`  ${padded.join('  ').trimEnd()}`)
  }
}

function formatFigure(value: number): string {
  const digits = value < 10 && !Number.isInteger(value) ? 2 : 0
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits })
}
