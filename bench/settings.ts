/** What `npm run bench` takes: `npm run bench -- --rows=10000000 --clients=1000000 ledger search`. */

export const parts = ['pages', 'ledger', 'list', 'search', 'sign-ins', 'start'] as const
export type Part = (typeof parts)[number]

export interface BenchSettings {
  /** Rows of history, half of them of one client. */
  readonly rows: number
  readonly clients: number
  /** How long each rate is measured. */
  readonly seconds: number
  readonly chosen: ReadonlySet<Part>
}

/** Throws a sentence for a word that is no setting. */
export function readSettings(words: readonly string[]): BenchSettings {
  const numbers = { rows: 1_000_000, clients: 200_000, seconds: 6 }
  const named: Part[] = []
  for (const word of words) {
    const part = parts.find((one) => one === word)
    const [, name, value] = /^--(rows|clients|seconds)=(\d{1,8})$/.exec(word) ?? []
    if (part) named.push(part)
    else if (name !== undefined) numbers[name as keyof typeof numbers] = Number(value)
    else
      throw new Error(
        `"${word}" is no setting of the bench: --rows=N --clients=N --seconds=N, or any of ${parts.join(', ')}.`,
      )
  }
  return { ...numbers, chosen: new Set(named.length > 0 ? named : parts) }
}
