/** Writes daily figures, reviews and client money readings periodically; one of several servers does it. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getClientMoneyView } from '#contract/office/accounting.ts'
import { run } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { incrementCount } from '../../http/rate-limits.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { writeFigures, writeReviews } from './figures.ts'

type ReadClientMoney = (dependencies: Dependencies, now: Date) => Promise<ResponseOf<typeof getClientMoneyView>>

const askedEveryMs = 30_000
const figuresEverySeconds = 3600
const readingEverySeconds = 300

/**
 * Returns the tasks. `read` sums the ledger for client money, and reviews read all expiring documents: both are too
 * slow for a page that reloads every minute.
 */
export function overviewTasks(dependencies: Dependencies, read: ReadClientMoney): ScheduledTask[] {
  return [
    {
      name: 'figures',
      everyMs: askedEveryMs,
      async run(now) {
        if (await claimTurn(dependencies, 'figures', figuresEverySeconds, now)) await writeFigures(dependencies, now)
        if (await claimTurn(dependencies, 'reviews', readingEverySeconds, now)) await writeReviews(dependencies, now)
        if (await claimTurn(dependencies, 'client-money', readingEverySeconds, now))
          await storeClientMoney(dependencies, read, now)
      },
    },
  ]
}

async function claimTurn({ jobs }: Dependencies, name: string, windowSeconds: number, now: Date): Promise<boolean> {
  return (await incrementCount(jobs, { name: `${name}-turn`, who: 'overview', windowSeconds }, now)).count === 1
}

/** Stores a reading of client money; `since` stays while there is a shortfall, an excess or neither. */
async function storeClientMoney(dependencies: Dependencies, read: ReadClientMoney, now: Date): Promise<void> {
  const view = await read({ ...dependencies, pool: dependencies.jobs }, now)
  for (const { currency, owed, held, difference, standing, openDifferences } of view.currencies)
    await run(dependencies.jobs)`
      insert into client_money_readings as r (currency, owed_minor, held_minor, difference_minor, standing, open_differences,
          statements_to, since, read_at)
        values (${currency}, ${owed}, ${held}, ${difference}, ${standing}, ${openDifferences}, ${view.statementsTo}, ${now}, ${now})
        on conflict (currency) do update set owed_minor = excluded.owed_minor, held_minor = excluded.held_minor,
          difference_minor = excluded.difference_minor, standing = excluded.standing,
          open_differences = excluded.open_differences, statements_to = excluded.statements_to, read_at = excluded.read_at,
          since = case when sign(r.difference_minor) = sign(excluded.difference_minor) then r.since else excluded.since end
        where r.read_at < excluded.read_at`
}
