/**
 * `npm run bench`: the figures of requirements 25, each with its goal and, if the goal is a share, with the same bare
 * work measured in the same run. Exits with 1 if a goal was missed. For an idle machine; loopback only; some three
 * minutes at the default sizes.
 */
import { openBenchContext, type BenchContext } from './context.ts'
import { benchGrowth } from './growth.ts'
import { benchLedger } from './ledger.ts'
import { benchLists, makeHistory } from './lists.ts'
import { benchTrades } from './trades.ts'
import { makeClients } from './users.ts'
import { benchPlatform } from './platform.ts'
import { benchProcesses } from './processes.ts'
import { benchProduct } from './product.ts'
import { withGoalSizeNotes, outcomeOf, printResults, type Result } from './results.ts'
import { benchSearch } from './search.ts'
import { readSettings, type BenchSettings } from './settings.ts'
import { benchSignIns } from './sign-ins.ts'
import { benchZones } from './zones.ts'
import { readUsage } from '#scripts/usage.mjs'

const allResults: Result[] = []

function reportResults(head: string, results: readonly Result[]): void {
  allResults.push(...results)
  printResults(head, results)
}

async function benchServer({ chosen, rows, clients, seconds }: BenchSettings, context: BenchContext): Promise<void> {
  if (chosen.has('ledger')) reportResults('Ledger, 16 connections', await benchLedger(context, seconds))
  const lists = ['list', 'sign-ins', 'processes'].some((part) => chosen.has(part as never))
  if (!lists && !chosen.has('search') && !chosen.has('trades')) return
  await makeClients(context.superuser, clients)
  if (lists) await makeHistory(context.superuser, rows)
  if (chosen.has('list'))
    reportResults('Lists', withGoalSizeNotes(await benchLists(context, rows, seconds), rows, 'rows'))
  if (chosen.has('trades')) reportResults('Closed trades', await benchTrades(context, rows))
  if (chosen.has('search'))
    reportResults('Search', withGoalSizeNotes(await benchSearch(context, clients), clients, 'clients'))
  if (chosen.has('processes')) reportResults('Processes', await benchProcesses(context, seconds))
  if (chosen.has('sign-ins')) reportResults('Sign-ins', await benchSignIns(context, seconds))
}

async function bench(settings: BenchSettings): Promise<void> {
  const begun = performance.now()
  const { chosen } = settings
  if (chosen.has('pages') || chosen.has('start')) {
    // A part that cannot be measured is reported, and the rest is measured all the same.
    const { pages, start } = await benchProduct(chosen.has('pages'), chosen.has('start')).catch((error: Error) => {
      console.error(`The product was not measured: ${error.message}`)
      process.exitCode = 1
      return { pages: [], start: [] }
    })
    if (pages.length > 0) reportResults('First loads, from an empty cache', pages)
    if (start.length > 0) reportResults('The product', start)
  }
  if (['ledger', 'list', 'trades', 'search', 'sign-ins', 'processes'].some((part) => chosen.has(part as never))) {
    const context = await openBenchContext()
    try {
      await benchServer(settings, context)
    } finally {
      await context.stop()
    }
  }
  if (chosen.has('platform')) reportResults('Calls to the trading platform', await benchPlatform(settings.accounts))
  if (chosen.has('zones')) reportResults('Machine-readable zones, 200 specimens', await benchZones(settings.zoneSeed))
  if (chosen.has('growth') || chosen.has('overview')) {
    const { rows, clients } = settings
    reportResults(
      `The time of a call among 1,000 clients and among ${clients.toLocaleString('en-GB')}`,
      withGoalSizeNotes(await benchGrowth(clients, rows, { all: chosen.has('growth') }), clients, 'clients'),
    )
  }
  const { line, status } = outcomeOf(allResults, Math.round((performance.now() - begun) / 1000))
  console.log(`\n${line}`)
  if (status !== 0) process.exitCode = status
}

try {
  await bench(readSettings(readUsage('bench'), process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
