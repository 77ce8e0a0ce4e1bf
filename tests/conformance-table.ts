/** Runs `npm run conformance` in a test, and parses its table. */
import type { Environment } from '#server/config/read-variable.ts'
import { conformance } from '#server/operator/conformance-command.ts'

export interface ConformanceTable {
  readonly isWell: boolean
  readonly text: string
  /** By name: outcome and detail. */
  readonly rows: Readonly<Record<string, string>>
}

export async function conformanceTable(env: Environment, ...args: readonly string[]): Promise<ConformanceTable> {
  const lines: string[] = []
  const isWell = await conformance(env, args, (line) => lines.push(line))
  const found = lines.flatMap((line) => {
    const [, outcome = '', name = '', detail = ''] =
      /^(matched|differed|not tested) +(.+?)(?: {2,}(.*))?$/.exec(line) ?? []
    return name === '' ? [] : [[name, detail === '' ? outcome : `${outcome}: ${detail}`] as const]
  })
  return { isWell, text: lines.join('\n'), rows: Object.fromEntries(found) }
}
