/** A copy of a server's database, like a restored backup or a copied directory, and a server on it. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import { importStatement } from '#contract/office/bank-lines.ts'
import * as recoveryCalls from '#contract/office/recovery.ts'
import { queryProvider } from '#server/features/deposits/settle-checkout.ts'
import { adoptionsOfFeatures } from '#server/features.ts'
import { row, sql, transaction } from '#server/db/sql.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { recover, type RecoverReport } from '#server/recovery/recover.ts'
import type { TestDatabase } from './database.ts'
import { call, startTestServer, type MadeStaff, type TestServer } from './factories.ts'

/** Deletes the recorded identity: nothing in a copy of the directory or of the volume shows that it is a copy. */
export async function deleteDatabaseIdentity({ ownerUrl }: TestDatabase): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('delete from database_identity')
  await owner.end()
}

/** Starts a server on the copy, with recovery open and its people signed in again. */
export async function startRecoveringServer(before: TestServer, copy: TestDatabase): Promise<TestServer> {
  const env = { ...before.env, DATABASE_URL: copy.url, DATABASE_OWNER_URL: copy.ownerUrl }
  const server = await startTestServer({ beside: { ...before, database: copy, env } })
  const now = server.clock.now()
  await transaction(server.dependencies.jobs, (tx) =>
    openRecovery(tx, { sign: 'unknown-reference', since: new Date(now.getTime() - 1_200_000), now }),
  )
  await server.dependencies.pool.query('update sessions set ended_at = null')
  return server
}

/** Runs `operator recover`. */
export function runRecover({ dependencies, clock }: TestServer): Promise<RecoverReport> {
  return recover(
    {
      dependencies,
      ...adoptionsOfFeatures(dependencies),
      askCheckout: (id, auditContext) => queryProvider(dependencies, id, auditContext),
    },
    new Date(clock.now().getTime() - 3_600_000),
  )
}

export interface RecoveryItemQuery {
  readonly leg: string
  readonly reference: string
}

/** Returns the open item of a deal. */
export async function findOpenRecoveryItem({ dependencies }: TestServer, { leg, reference }: RecoveryItemQuery) {
  const item = await row<{ id: string; version: number; kind: string }>(
    dependencies.pool,
    sql`select id, version, kind from recovery_items
        where leg = ${leg} and reference = ${reference} and state = 'open'`,
  )
  if (!item) throw new Error(`no item of ${leg} ${reference}`)
  return item
}

/** One person proposes, another confirms; returns the second response. */
export async function settleRecoveryItem(
  server: TestServer,
  look: RecoveryItemQuery,
  [first, second]: readonly [MadeStaff, MadeStaff],
  named: object = {},
) {
  const { id, version } = await findOpenRecoveryItem(server, look)
  const proposed = await call(server, recoveryCalls.proposeRecoveryItem, {
    as: first,
    params: { id },
    body: { version, action: 'adopt', reason: 'Found at the platform', ...named },
  })
  expect(proposed.status, proposed.bytes.toString()).toBe(200)
  return call(server, recoveryCalls.confirmRecoveryItem, {
    as: second,
    params: { id },
    body: { version: version + 1 },
  })
}

export interface StatementLine {
  readonly amount: string
  readonly remittance: string
  readonly bankId?: string
}

/** Imports a statement of the firm's account in EUR. */
export async function importBankLines(
  server: TestServer,
  as: MadeStaff,
  lines: readonly StatementLine[],
): Promise<void> {
  const day = server.clock.now().toISOString().slice(0, 10)
  const printed = lines.map(
    ({ amount, remittance, bankId }) => `${day};${amount};Hannah Brandt;;${remittance};${bankId ?? randomUUID()}`,
  )
  const csv = ['Date;Amount;Payer;IBAN;Reference;Id', ...printed].join('\n')
  const body = { bankAccount: 'DE91100000000123456789', filename: `${randomUUID()}.csv`, csv }
  const reply = await call(server, importStatement, { as, body })
  expect(reply.status, reply.bytes.toString()).toBe(201)
}
