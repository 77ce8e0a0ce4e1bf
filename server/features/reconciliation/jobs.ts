/** Settles reversals on the platform; runs the daily invariant checks and the daily reconciliation. */
import { differenceMachine } from '#rules/corrections.ts'
import type { DifferenceId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { dueCheckEveryMs, isDailyRunDue } from '../../jobs/daily-schedule.ts'
import type { BalanceLegs } from '../../jobs/balance.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { recordOf } from '../../jobs/operation.ts'
import { bookDealWithReversal, bookReversal, isBooked } from '../../ledger/booked-deals.ts'
import { closeDiscrepancyOf, isOurDeal } from '../../ledger/platform-deals.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { compareAll } from './compare.ts'
import { rereadAccounts } from './reread-accounts.ts'
import { dealOf, summaryOf } from './decide-difference.ts'
import { differenceById, lastDailyRun, isKnown } from './queries.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, rows, type Connection, transaction, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { brokenInvariants } from '../../ledger/invariants.ts'
import type { Violation } from '../../ledger/invariant.ts'
import { forEachRow } from '../../jobs/each-row.ts'

export const legs = {
  /**
   * Done: deal and reversal are posted, and both are known. Rejected: two people decide again, unless the deal turned
   * out to belong to one of our operations.
   */
  'deal-reversal': async (tx, operation, outcome, auditContext) => {
    const found = await recordOf(operation, (id: DifferenceId) => differenceById(tx, id))
    const isOurs = await isOurDeal(tx, found.fingerprint)
    if ('done' in outcome) {
      await applyTransition(tx, differenceMachine, auditContext, found, 'applied')
      const isPosted = isOurs || (await isBooked(tx, found.fingerprint))
      await (isPosted ? bookReversal : bookDealWithReversal)(tx, dealOf(found), operation.ref, auditContext.now)
      return
    }
    const dueAt = await workItemDueIn(tx, 'difference', auditContext.now)
    await applyTransition(tx, differenceMachine, auditContext, found, 'refused', {
      // Only error codes of the platform have a text.
      ...(!isOurs && { reason: outcome.refused.code }),
      set: {
        proposal: null,
        proposal_reason: null,
        proposed_by: null,
        proposed_at: null,
        decided_by: null,
        decided_at: null,
      },
      workItem: { state: 'open', dueAt, clientId: found.clientId, summary: summaryOf(found) },
    })
    if (isOurs) await closeDiscrepancyOf(tx, found.fingerprint, auditContext.now)
  },
} satisfies BalanceLegs

const rereadEveryMs = 60_000

export function reconciliationTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    {
      name: 'reconcile',
      everyMs: dueCheckEveryMs,
      async run(now) {
        if (!(await isDailyRunDue(dependencies, 'reconcile', (until) => lastDailyRun(dependencies.jobs, until), now)))
          return
        await checkInvariants(dependencies, now)
        await compareAll(dependencies, { identity: { kind: 'clock' }, now })
      },
    },
    { name: 'reread-accounts', everyMs: rereadEveryMs, run: (now) => rereadAccounts(dependencies, now) },
  ]
}

const kind = 'invariant'

/**
 * Raises new violations of the invariants (requirements 34), clears those that no longer exist, and returns how many
 * remain.
 */
export async function checkInvariants(dependencies: Pick<Dependencies, 'jobs' | 'log'>, now: Date): Promise<number> {
  const auditContext: AuditContext = { identity: { kind: 'clock' }, now }
  const broken = await brokenInvariants(dependencies.jobs, now)
  const seen = new Set(broken.map(fingerprintOf))
  const holding = (await openViolations(dependencies.jobs)).filter(({ fingerprint }) => !seen.has(fingerprint))
  await forEachRow({ job: 'reconcile', rows: holding, log: dependencies.log }, ({ id }) =>
    transaction(dependencies.jobs, (tx) =>
      applyTransition(tx, differenceMachine, auditContext, { id }, 'vanish', {
        set: { decided_at: now },
        workItem: null,
      }),
    ),
  )
  const found = broken.map((one) => ({ ...one, id: fingerprintOf(one) }))
  await forEachRow({ job: 'reconcile', rows: found, log: dependencies.log }, (one) =>
    transaction(dependencies.jobs, async (tx) => {
      if (!(await isKnown(tx, one.id))) await raiseViolation(tx, one, auditContext)
    }),
  )
  return broken.length
}

/** Returns a fingerprint without the text, whose times and sums change from night to night. */
function fingerprintOf({ invariant, record: recordId }: Violation): string {
  return `${kind}:${invariant}:${recordId}`
}

function openViolations(connection: Connection) {
  return rows<{ id: DifferenceId; fingerprint: string }>(
    connection,
  )`select id, fingerprint from differences where kind = ${kind} and state = 'open'`
}

async function raiseViolation(tx: Transaction, one: Violation, auditContext: AuditContext): Promise<void> {
  const facts = { invariant: one.invariant, what: one.what, record: one.record }
  const written = await row<{ id: DifferenceId }>(
    tx,
  )`insert into differences (kind, record, facts, fingerprint, found_at)
      values (${kind}, ${uuidOrNull(one.record)}, ${JSON.stringify(facts)}::text::jsonb,
        ${fingerprintOf(one)}, ${auditContext.now})
      on conflict (fingerprint) where state in ('open', 'proposed', 'processing') do nothing returning id`
  if (!written) return
  const dueAt = await workItemDueIn(tx, 'difference', auditContext.now)
  const workItem = { dueAt, summary: { kind, ...facts } }
  await recordCreation(tx, differenceMachine, auditContext, written, 'find', { details: facts, workItem })
}
