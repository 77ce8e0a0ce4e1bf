/**
 * One bad row does not stop a job for the others: PostgreSQL rejects the change of one of three rows, and the job still
 * processes the other two.
 */
import { money } from '#rules/money.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { defaultRetentionTimes } from '#rules/retention.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { expireDeposits } from '#server/features/deposits/jobs.ts'
import { expireDocuments, notifyOfExpiry } from '#server/features/documents/jobs.ts'
import { compareAll } from '#server/features/reconciliation/compare.ts'
import { purgeExpired } from '#server/features/retention/purge-expired.ts'
import { makeFundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { makeAccount, makeClient, type TestServer } from '#tests/factories.ts'
import { enqueue, operationDriver, type OperationKind } from './operations.ts'

const logged: string[] = []
let place: ServerWithPlatform
let server: TestServer
let owner: pg.Client
beforeAll(async () => {
  const logTo = { write: (line: string) => void logged.push(line) }
  place = await startServerWithPlatform({ env: { LOG_LEVEL: 'error' }, logTo })
  server = place.server
  owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  await owner.query(`create table bad_rows (id text primary key);
    create function refuse_bad_row() returns trigger language plpgsql security definer as $$ begin
      if exists (select from bad_rows b where to_jsonb(new)::text like '%' || b.id || '%') then raise 'a bad row'; end if;
      return new;
    end $$;`)
  for (const table of ['documents', 'deposits', 'clients', 'differences'])
    await owner.query(
      `create trigger refuse before insert or update on ${table} for each row execute function refuse_bad_row()`,
    )
})
afterAll(async () => {
  await owner.end()
  await place.stop()
})
afterEach(() => {
  logged.length = 0
})

const now = () => server.clock.now()
const clock = { kind: 'clock' } as const

/** Makes three rows, rejects changes of the first, and returns which are done after the job, in order. */
async function rowsDoneDespiteFailure(
  make: () => Promise<string>,
  work: () => Promise<unknown>,
  done: (id: string) => Promise<boolean>,
) {
  const ids = [await make(), await make(), await make()]
  await owner.query('insert into bad_rows values ($1)', [ids[0]])
  await work()
  const found = []
  for (const id of ids) found.push(await done(id))
  return { found, named: logged.some((line) => line.includes(ids[0] ?? '') && line.includes('a bad row')) }
}

const onlyFirstFailed = { found: [false, true, true], named: true }

async function documentWithExpiry(day: string): Promise<string> {
  const client = await makeClient(server)
  const id = randomUUID()
  await run(
    server.dependencies.pool,
    sql`insert into documents (id, client_id, kind, state, country, document_number, expiry_date, created_at)
        values (${id}, ${client.id}, 'passport', 'approved', 'DE', 'C01', ${day}, ${now()})`,
  )
  return id
}

async function isInState(
  id: string,
  table: 'documents' | 'deposits',
  wanted: ReturnType<typeof sql>,
): Promise<boolean> {
  const found = await rows<{ id: string }>(
    server.dependencies.pool,
    table === 'documents'
      ? sql`select id from documents where id = ${id} and ${wanted}`
      : sql`select id from deposits where id = ${id} and ${wanted}`,
  )
  return found.length === 1
}

describe('a row that cannot be changed is logged and does not stop the others', () => {
  test('when documents expire soon', async () => {
    expect(
      await rowsDoneDespiteFailure(
        () => documentWithExpiry('2026-07-01'),
        () => notifyOfExpiry(server.dependencies, now()),
        (id) => isInState(id, 'documents', sql`told_of_expiry_at is not null`),
      ),
    ).toEqual(onlyFirstFailed)
  })

  test('when documents have expired', async () => {
    expect(
      await rowsDoneDespiteFailure(
        () => documentWithExpiry('2026-06-01'),
        () => expireDocuments(server.dependencies, now()),
        (id) => isInState(id, 'documents', sql`state = 'expired'`),
      ),
    ).toEqual(onlyFirstFailed)
  })

  test('when deposits expire', async () => {
    const make = async () => {
      const client = await makeClient(server)
      const account = await makeAccount(server, client)
      const id = randomUUID()
      await run(
        server.dependencies.pool,
        sql`insert into deposits (id, client_id, account_id, type, method, gateway, amount_minor, currency, reference,
              state, wire_account, requested_at, expires_at)
            values (${id}, ${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 100, 'EUR', ${id}, 'pending',
              '{}'::jsonb, ${now()}, ${now()})`,
      )
      return id
    }
    expect(
      await rowsDoneDespiteFailure(
        make,
        () => expireDeposits(server.dependencies, new Date(now().getTime() + 1000)),
        (id) => isInState(id, 'deposits', sql`state = 'cancelled'`),
      ),
    ).toEqual(onlyFirstFailed)
  })

  test('when data of clients is due for deletion', async () => {
    const later = new Date(now().getTime() + 400 * 86_400_000)
    expect(
      await rowsDoneDespiteFailure(
        async () => (await makeClient(server, { state: 'registering' })).id,
        () => purgeExpired(server.dependencies, defaultRetentionTimes, { identity: clock, now: later }),
        async (id) => {
          const found = await row(
            server.dependencies.pool,
            sql`select 1 from clients where id = ${id} and erased_at is not null`,
          )
          return found !== undefined && found !== null
        },
      ),
    ).toEqual(onlyFirstFailed)
  })

  test('when accounts are reconciled', async () => {
    expect(
      await rowsDoneDespiteFailure(
        async () => {
          const { id, login } = await makeFundedAccount(server, await makeClient(server), 100n)
          // A dealer's rebate that has no record here.
          const rebate = { ref: `REBATE-${login}`, login, amount: money(500n, 'EUR'), checkMargin: false }
          await server.dependencies.platforms.MT5.applyBalance(rebate)
          await run(
            server.dependencies.pool,
            sql`update trading_accounts set opened_at = '2026-01-01' where id = ${id}`,
          )
          return id
        },
        () => compareAll(server.dependencies, { identity: clock, now: new Date(now().getTime() + 3_600_000) }),
        async (id) =>
          (await rows(server.dependencies.pool, sql`select id from differences where account_id = ${id}`)).length > 0,
      ),
    ).toEqual(onlyFirstFailed)
  })
})

test('an operation that fails in our own code does not stop later ones, and the sweep reports the error', async () => {
  const settled: string[] = []
  const kind: OperationKind<{ isBad: boolean }> = {
    kind: `test-${randomUUID()}`,
    repeatable: true,
    send: async () => ({}),
    async settled(_tx, operation) {
      if (operation.payload.isBad) throw new TypeError('a bug of ours')
      settled.push(operation.id)
    },
  }
  const driver = operationDriver(server.dependencies.pool, [kind as OperationKind<never>], 400, server.clock.now)
  const target = randomUUID()
  const order = (isBad: boolean) =>
    transaction(server.dependencies.pool, (tx) =>
      enqueue(tx, now(), {
        kind: kind.kind,
        ref: randomUUID(),
        target: `${target}:${randomUUID()}`,
        payload: { isBad },
      }),
    )
  await order(true)
  const sound = [await order(false), await order(false)]
  await expect(driver.sweep()).rejects.toMatchObject({ cause: { message: 'a bug of ours' } })
  expect(settled.toSorted()).toEqual(sound.toSorted())
})
