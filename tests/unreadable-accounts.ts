/**
 * Accounts that the product cannot read: one with a deal (ADR 328), one with a balance that cannot be read, and one
 * with a deal that may be one of our operations (ADR 331).
 */
import type { AccountId, ClientId } from '#rules/ids.ts'
import { money } from '#rules/money.ts'
import { requireRow, transaction } from '#server/db/sql.ts'
import { compareAll } from '#server/features/reconciliation/compare.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { raiseDeals } from '#server/ledger/platform-deals.ts'
import { makeClient, newReference } from './factories.ts'
import { makeFundedAccount, type ServerWithPlatform } from './funded-account.ts'

/** Closes a trade whose profit is not an amount, and reads it; returns the account's number. */
export async function makeUnreadableDeal({ server, platform }: Pick<ServerWithPlatform, 'server' | 'platform'>) {
  const client = await makeClient(server, { name: 'Wolfgang', surname: 'Bergerdorff-Hausen' })
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  await readTrades(server.dependencies)
  const { position } = await platform.turn('market/open', { login, profit: '50.00' })
  await platform.turn('market/close', { position })
  const deals = await platform.read<{ ticket: string }[]>(`deals?login=${login}`)
  await platform.turn('deals/garble', { ticket: deals.at(-1)?.ticket, fields: { Profit: '1e400' } })
  server.clock.turn(60)
  await readTrades(server.dependencies)
  return login
}

/** Gives an account a balance that is not an amount, and reconciles it; returns the account's number. */
export async function makeUnreadableAccount({ server, platform }: Pick<ServerWithPlatform, 'server' | 'platform'>) {
  const client = await makeClient(server, { name: 'Marieluise', surname: 'von Hohenstein' })
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  await platform.turn('market/open', { login, profit: '2.00' })
  await platform.turn('trade-states/garble', { login, fields: { Balance: '-nan(ind)' } })
  await compareAll(server.dependencies, { identity: { kind: 'clock' }, now: server.clock.now(), reference: 'compare' })
  return login
}

/** Gives an account a deal without a readable comment, and reconciles it; returns the account's number. */
export async function makeUnclearDeal({ server, platform }: Pick<ServerWithPlatform, 'server' | 'platform'>) {
  const client = await makeClient(server, { name: 'Wolfgang', surname: 'Bergerdorff-Hausen' })
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  const { ticket } = await platform.turn('deals/write', { login, action: 2, amount: '250.00', comment: 'Rebate' })
  await platform.turn('deals/garble', { ticket, fields: { Comment: null } })
  await compareAll(server.dependencies, { identity: { kind: 'clock' }, now: server.clock.now(), reference: 'compare' })
  return login
}

/** Raises the discrepancy of a deal that was posted as an external one, but whose reference already had a deal. */
export async function postSecondDeal({ server }: Pick<ServerWithPlatform, 'server'>, login: string): Promise<void> {
  const { pool } = server.dependencies
  const account = await requireRow<{ id: AccountId; clientId: ClientId }>(pool)`
    select id, client_id as "clientId" from trading_accounts where login = ${login}`
  const now = server.clock.now()
  const amount = money(25_000n, 'EUR')
  const deal = {
    ticket: '4711',
    comment: newReference(),
    amount,
    at: now,
    status: 'known',
    isPostedSecond: true,
  } as const
  await transaction(pool, (tx) =>
    raiseDeals(tx, { ...account, platform: 'MT5', login, currency: 'EUR' }, [deal], {
      identity: { kind: 'clock' },
      now,
    }),
  )
}
