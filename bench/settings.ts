/**
 * The arguments of `npm run bench`: the parts to measure as words, `npm run bench -- ledger search`, and the sizes from
 * the environment, as documented in docs/operations.md.
 */

export const benchParts = [
  'pages',
  'ledger',
  'list',
  'trades',
  'platform',
  'search',
  'sign-ins',
  'growth',
  'overview',
  'processes',
  'start',
  'zones',
] as const
export type Part = (typeof benchParts)[number]

export interface BenchSettings {
  /** Rows of history, half of them of one client. */
  readonly rows: number
  readonly clients: number
  /** Accounts on the platform whose calls are counted. */
  readonly accounts: number
  /** The duration of each measurement. */
  readonly seconds: number
  /** The seed of the first specimen of a machine-readable zone. */
  readonly zoneSeed: number
  readonly chosen: ReadonlySet<Part>
}

/** Throws a sentence for an unknown part and for a size that is not a number. */
export function readSettings(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): BenchSettings {
  const chosen = words.map((word) => {
    const part = benchParts.find((one) => one === word)
    if (part === undefined)
      throw new Error(`"${word}" is not a part of the benchmark. Choose from: ${benchParts.join(', ')}.`)
    return part
  })
  return {
    rows: readSize(env, 'BENCH_ROWS', 300_000),
    clients: readSize(env, 'BENCH_CLIENTS', 30_000),
    accounts: readSize(env, 'BENCH_ACCOUNTS', 50_000),
    seconds: readSize(env, 'BENCH_SECONDS', 4),
    zoneSeed: readSize(env, 'BENCH_ZONE_SEED', 0),
    chosen: new Set(chosen.length > 0 ? chosen : benchParts),
  }
}

function readSize(env: Readonly<Record<string, string | undefined>>, name: string, fallback: number): number {
  const text = env[name] ?? String(fallback)
  if (text !== String(fallback) && !/^[1-9]\d{0,7}$/.test(text))
    throw new Error(`${name} may be a whole number from 1 to 99999999, not "${text}".`)
  return Number(text)
}
