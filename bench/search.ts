/** Staff search for a client by part of a name. */
import { searchClients } from '#contract/office/clients.ts'
import { buffersOf, type BenchContext } from './context.ts'
import { staffToken } from './users.ts'
import { atMost, type Result } from './results.ts'

const buffersMax = 50
const searches = 20
/** From five characters, as a clerk enters them. */
const partLengths = [5, 6, 7, 8]

/**
 * Returns the median of the buffers that searches for parts of surnames read; each statement of a search is counted
 * separately, the heaviest counts.
 */
export async function benchSearch(context: BenchContext, clients: number): Promise<Result[]> {
  const token = await staffToken(context, ['operations'])
  const search = async (part: string) => {
    const address = `${context.server.url}${searchClients.path}?q=${part}`
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`The search answered ${response.status}: ${await response.text()}`)
    await response.body?.cancel()
  }
  const buffers: number[] = []
  for (const part of await partsOfNames(context, clients)) {
    const statements = await context.statementsOf(() => search(part))
    const each: number[] = []
    for (const statement of statements) each.push(await buffersOf(context.superuser, statement))
    buffers.push(Math.max(...each))
  }
  const sorted = buffers.toSorted((a, b) => a - b)
  return [
    atMost(
      `search by part of a name among ${clients.toLocaleString('en-GB')} clients`,
      sorted[searches / 2] ?? 0,
      buffersMax,
      'buffers',
      `the median of ${searches}; from ${sorted[0]} to ${sorted.at(-1)}`,
    ),
  ]
}

async function partsOfNames({ superuser }: BenchContext, clients: number): Promise<string[]> {
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
