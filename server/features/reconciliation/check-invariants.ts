/** The nightly look at what must always hold (quality-bar (c)): a row that breaks it stands among the differences. */
import { differenceLife } from '#rules/corrections.ts'
import { advance } from '../../db/transition.ts'
import { record, type Act } from '../../db/events.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { isUuid } from '../../db/ids.ts'
import { brokenInvariants, type Violation } from '../../ledger/invariants.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { Parts } from '../../dependencies.ts'
import { isKnown } from './queries.ts'

const kind = 'invariant'

/** Raises what is broken and new, lets go of what holds again, and answers how many are broken. */
export async function lookAtInvariants(parts: Pick<Parts, 'jobs' | 'log'>, now: Date): Promise<number> {
  const act: Act = { acting: { kind: 'clock' }, now }
  const broken = await brokenInvariants(parts.jobs, now)
  const seen = new Set(broken.map(fingerprintOf))
  const holding = (await standing(parts.jobs)).filter(({ fingerprint }) => !seen.has(fingerprint))
  await forEachRow({ job: 'reconcile', rows: holding, log: parts.log }, ({ id }) =>
    transaction(parts.jobs, (tx) =>
      advance(tx, differenceLife, act, { id, verb: 'vanish', set: { decided_at: now }, work: null }),
    ),
  )
  const found = broken.map((one) => ({ ...one, id: fingerprintOf(one) }))
  await forEachRow({ job: 'reconcile', rows: found, log: parts.log }, (one) =>
    transaction(parts.jobs, async (tx) => {
      if (!(await isKnown(tx, one.id))) await raise(tx, one, act)
    }),
  )
  return broken.length
}

/** Without the words: they carry times and sums that change from night to night. */
function fingerprintOf({ invariant, record: recordId }: Violation): string {
  return `${kind}:${invariant}:${recordId}`
}

function standing(connection: Connection): Promise<{ id: string; fingerprint: string }[]> {
  return rows(connection, sql`select id, fingerprint from differences where kind = ${kind} and state = 'open'`)
}

async function raise(tx: Transaction, one: Violation, act: Act): Promise<void> {
  const facts = { invariant: one.invariant, what: one.what, record: one.record }
  const written = await row<{ id: string }>(
    tx,
    sql`insert into differences (kind, record, facts, fingerprint, found_at)
        values (${kind}, ${isUuid(one.record) ? one.record : null}, ${JSON.stringify(facts)}::text::jsonb,
          ${fingerprintOf(one)}, ${act.now})
        on conflict (fingerprint) where state in ('open', 'proposed', 'processing') do nothing returning id`,
  )
  if (!written) return
  const { name, first } = differenceLife
  await record(tx, act, { kind: name, verb: 'find', record: written.id, to: first, details: facts })
  await openWork(tx, name, written.id, { state: first, dueAt: act.now, summary: { kind, ...facts } }, act.now)
}
