/** Assertions after the load has ended: the backlog empties, and the invariants of requirements 34 hold. */
import { expect } from 'vitest'
import { retryJob } from '#contract/office/records.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { accountLiability } from '#server/ledger/post.ts'
import type { RunningSimulator } from '../start-simulator.ts'
import { call, type MadeStaff, type TestServer } from '../factories.ts'
import { pauseBriefly, until } from '../until.ts'
import type { Acknowledged, Actor } from './money-load.ts'

type Readable = Pick<RunningSimulator, 'read'>

const roundMs = 200
/** How often pending work is listed in the output. */
const roundsPerReport = 300
/** An operation that is absent twice, this far apart, never arrived (requirements 18.14). */
const absentApartSeconds = 61

interface OpenWork {
  readonly kind: string
  readonly state: string
  readonly asked: number
  readonly parked: boolean
}

/**
 * Waits until nothing is in progress any more; work that does not end is listed in the output until the test times out.
 * An operation that was interrupted before it was sent is absent on the platform: the observer's clock is advanced by
 * the minute after which a person may send it again, and that person does.
 */
export async function waitForEmptyBacklog(observer: TestServer, operations: MadeStaff): Promise<void> {
  for (let round = 0; ; round += 1) {
    const open = await rows<OpenWork>(
      observer.dependencies.pool,
      sql`select kind, state, asked, parked_at is not null as parked from operations where state in ('waiting', 'sending', 'unknown')
          union all select e.kind, 'not sealed', 0, false from events e
            where not exists (select from event_seals s where s.event_id = e.id)`,
    )
    if (open.length === 0) return
    // Operations behind an unknown one of the same login wait until that one is known.
    const unknown = open.filter(({ state }) => state === 'unknown')
    const onlyPersonsHelp = unknown.length > 0 && unknown.every(({ asked }) => asked > 0)
    if (onlyPersonsHelp && !open.some(({ state }) => state === 'sending')) await retryAbsent(observer, operations)
    if (round % roundsPerReport === roundsPerReport - 1)
      console.log(`the backlog has not emptied yet: ${JSON.stringify(open.slice(0, 10))}`)
    await pauseBriefly(roundMs)
  }
}

/**
 * Waits until no job of the queue is locked: locks of a killed server's workers are released soon, not after the
 * queue's four hours.
 */
export async function waitForUnlockedQueue(observer: TestServer): Promise<void> {
  const locked = sql`select id from graphile_worker._private_jobs where locked_by is not null`
  await until(async () => (await rows<{ id: bigint }>(observer.dependencies.pool, locked)).length === 0)
}

async function retryAbsent(observer: TestServer, operations: MadeStaff): Promise<void> {
  observer.clock.set(new Date(Date.now() + absentApartSeconds * 1_000))
  await observer.driver.sweep()
  const parked = await rows<{ id: string }>(
    observer.dependencies.pool,
    sql`select id from operations where state = 'unknown' and parked_at is not null`,
  )
  for (const { id } of parked) {
    const reply = await call(observer, retryJob, {
      as: operations,
      params: { source: 'operation', id },
      body: { reason: 'It never arrived.' },
    })
    expect(reply.status).toBe(200)
  }
  await observer.driver.sweep()
}

/** Requirements 34.5: every acknowledged change exists, with its amount. */
export async function expectAcknowledgedStored(
  observer: TestServer,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const { pool } = observer.dependencies
  for (const { table, id, minor } of acknowledged) {
    const kept = await row<{ state: string; minor: bigint | null }>(
      pool,
      table === 'deposits'
        ? sql`select state, amount_minor as minor from deposits where id = ${id}`
        : table === 'withdrawals'
          ? sql`select state, amount_minor as minor from withdrawals where id = ${id}`
          : sql`select state, null::bigint as minor from trading_accounts where id = ${id}`,
    )
    expect(kept, `${table} ${id} was acknowledged (requirements 34.5)`).toEqual({ state: 'approved', minor })
  }
}

/**
 * Requirements 34.1 to 34.9 and 34.12, and 34.3 and 34.4 against the platform's own list: to the cent, and each
 * movement once.
 */
export async function expectLedgerAgrees(
  observer: TestServer,
  platform: Readable,
  actors: readonly Actor[],
): Promise<void> {
  const { pool } = observer.dependencies
  for (const { account, client } of actors) {
    const login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
    const owed = await accountLiability(pool, { accountId: account.id })
    const figures = await fetchSnapshot(pool, observer.dependencies, login, new Date())
    expect(
      owed,
      `ledger and platform of ${client.email} agree before the trading result is booked (requirements 34.4)`,
    ).toBe(figures.balance.minor)
    await expectOnlyOwnDeals(observer, platform, account.login)
  }
  expect(await brokenInvariants(pool, new Date())).toEqual([])
}

/** Requirements 34.3: no reference twice on the platform, and each belongs to one operation of ours. */
async function expectOnlyOwnDeals(observer: TestServer, platform: Readable, login: string): Promise<void> {
  const deals = await platform.read<{ comment: string; amount: string }[]>(`deals?login=${login}&action=2`)
  // The first one is the account's initial money.
  const refs = deals.slice(1).map((deal) => deal.comment)
  expect(new Set(refs).size).toBe(refs.length)
  const ownDeals = await rows<{ ref: string }>(
    observer.dependencies.pool,
    sql`select ref from operations where ref = any (${refs}::text[]) and state = 'done'`,
  )
  expect(ownDeals).toHaveLength(refs.length)
}

/** Each opened account exists on the platform, and the platform has none that we do not know. */
export async function expectOnlyOwnAccounts(observer: TestServer, platform: Readable): Promise<void> {
  const there = await platform.read<{ login: string }[]>('accounts')
  const ownAccounts = await rows<{ login: string }>(
    observer.dependencies.pool,
    sql`select login from trading_accounts where login is not null`,
  )
  expect(there.map(({ login }) => login).toSorted()).toEqual(ownAccounts.map(({ login }) => login).toSorted())
}

/**
 * Each mail arrived, under its own Message-ID, and none more often than it was sent: a mail server that disappears
 * before it confirms a mail receives it again (operations.md, Integrations).
 */
export async function expectAllMailsDelivered(observer: TestServer, mailbox: Readable): Promise<number> {
  const written = await rows<{ ref: string; to: string; tries: number; state: string }>(
    observer.dependencies.pool,
    sql`select ref, payload ->> 'to' as "to", tries, state from operations where kind = 'mail'`,
  )
  const arrived = await mailbox.read<{ messageId: string; to: string[] }[]>('mails?limit=5000')
  const copies = new Map<string, number>()
  for (const { messageId } of arrived) {
    const ref = messageId.slice(1).split('@')[0] ?? ''
    copies.set(ref, (copies.get(ref) ?? 0) + 1)
  }
  for (const { ref, to, tries, state } of written) {
    expect(state, `state of the email ${ref} to ${to}`).toBe('done')
    expect(copies.get(ref) ?? 0, `the email ${ref} to ${to} arrived`).toBeGreaterThan(0)
    expect(copies.get(ref) ?? 0, `the email ${ref} to ${to} arrived at most once per attempt`).toBeLessThanOrEqual(
      tries,
    )
  }
  expect([...copies.keys()].filter((ref) => !written.some((one) => one.ref === ref))).toEqual([])
  return arrived.length - copies.size
}
