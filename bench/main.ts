/**
 * `npm run bench`: the figures of quality-bar part (0), each beside its goal and, where the goal is a share, beside the
 * same work bare in the same run. For a quiet machine; loopback only; some four minutes.
 */
import { openGround, type Ground } from './ground.ts'
import { benchLedger } from './ledger.ts'
import { benchLists, makeHistory } from './lists.ts'
import { makeClients } from './people.ts'
import { benchProduct } from './product.ts'
import { printResults, type Result } from './results.ts'
import { benchSearch } from './search.ts'
import { readSettings, type BenchSettings } from './settings.ts'
import { benchSignIns } from './sign-ins.ts'

const all: Result[] = []

function tell(head: string, results: readonly Result[]): void {
  all.push(...results)
  printResults(head, results)
}

async function benchServer({ chosen, rows, clients, seconds }: BenchSettings, ground: Ground): Promise<void> {
  if (chosen.has('ledger')) tell('Ledger, 16 connections', await benchLedger(ground, seconds))
  if (!chosen.has('list') && !chosen.has('search') && !chosen.has('sign-ins')) return
  await makeClients(ground.superuser, clients)
  if (chosen.has('list') || chosen.has('sign-ins')) await makeHistory(ground.superuser, rows)
  if (chosen.has('list')) tell('Lists', await benchLists(ground, rows, seconds))
  if (chosen.has('search')) tell('Search', await benchSearch(ground, clients))
  if (chosen.has('sign-ins')) tell('Sign-ins', await benchSignIns(ground, seconds))
}

async function bench(settings: BenchSettings): Promise<void> {
  const begun = performance.now()
  const { chosen } = settings
  if (chosen.has('pages') || chosen.has('start')) {
    // What cannot be measured is said, and the rest measured all the same.
    const { pages, start } = await benchProduct(chosen.has('pages'), chosen.has('start')).catch((error: Error) => {
      console.error(`The product was not measured: ${error.message}`)
      process.exitCode = 1
      return { pages: [], start: [] }
    })
    if (pages.length > 0) tell('First loads, from an empty cache', pages)
    if (start.length > 0) tell('The product', start)
  }
  if (['ledger', 'list', 'search', 'sign-ins'].some((part) => chosen.has(part as never))) {
    const ground = await openGround()
    try {
      await benchServer(settings, ground)
    } finally {
      await ground.stop()
    }
  }
  const missed = all.filter(({ held }) => held === false).length
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(`\n${all.length - missed} goals held, ${missed} missed, in ${seconds} s.`)
}

try {
  await bench(readSettings(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
