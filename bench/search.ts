/** Staff search for a client by part of a name. */
import { searchClients } from '#contract/office/clients.ts'
import { searchRecords } from '#contract/office/search.ts'
import { buffersOf, type BenchContext } from './context.ts'
import { staffToken } from './users.ts'
import { resultWithMaximum, type Result } from './results.ts'

const buffersMax = 50
const searches = 20
/** From five characters, as a clerk enters them. */
const partLengths = [5, 6, 7, 8]

/**
 * Returns the median of the buffers that searches for parts of surnames read, in the list of clients and in the
 * palette; each statement of a search is counted separately, the heaviest counts.
 */
export async function benchSearch(context: BenchContext, clients: number): Promise<Result[]> {
  const token = await staffToken(context, ['operations'])
  const parts = await surnameParts(context, clients)
  const among = `part of a name among ${clients.toLocaleString('en-GB')} clients`
  const results: Result[] = []
  for (const [name, path] of [
    [`search by ${among}`, searchClients.path],
    [`the palette, by ${among}`, searchRecords.path],
  ] as const) {
    const search = async (part: string) => {
      const response = await fetch(`${context.server.url}${path}?q=${part}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (!response.ok) throw new Error(`The search answered ${response.status}: ${await response.text()}`)
      await response.body?.cancel()
    }
    const buffers: number[] = []
    for (const part of parts) {
      const statements = await context.statementsOf(() => search(part))
      const each: number[] = []
      for (const statement of statements) each.push(await buffersOf(context.superuser, statement))
      buffers.push(Math.max(...each))
    }
    const sorted = buffers.toSorted((x, y) => x - y)
    const range = `the median of ${searches}; from ${sorted[0]} to ${sorted.at(-1)}`
    results.push(resultWithMaximum(name, sorted[searches / 2] ?? 0, buffersMax, 'buffers', range))
  }
  return results
}

async function surnameParts({ superuser }: BenchContext, clients: number): Promise<string[]> {
  const emails = Array.from(
    { length: searches },
    (_, number) => `bench-${Math.ceil((clients * (number + 1)) / searches)}@example.com`,
  )
  const found = await superuser.query<{ surname: string }>({
    text: 'select lower(surname) as surname from clients where email = any ($1::citext[])',
    values: [emails],
  })
  return found.rows.map(({ surname }, number) => surname.slice(1, 1 + (partLengths[number % partLengths.length] ?? 5)))
}
