/**
 * Two people in finance decide a discrepancy that blocks an account: one proposes, another confirms. A deal is posted
 * in the ledger only, or reversed on the platform; either makes it known (requirements 18.3).
 */
import type * as office from '#contract/office/accounting.ts'
import { differenceMachine } from '#rules/corrections.ts'
import { stateAfterConfirmation, requiresTwoPeople, proposalsFor, unclearDeal } from '#rules/differences.ts'
import { decimalOf, money, negate } from '#rules/money.ts'
import { checkNotOwnRequest } from '#rules/withdrawals.ts'
import type { ClientId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { row, run, type Connection, type Transaction } from '../../db/sql.ts'
import type { WorkItem } from '../../db/work-items.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound, throwIfProblem } from '../../http/problem.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { assertNotRefunded } from '../../jobs/card-refund.ts'
import { bookDeal } from '../../ledger/booked-deals.ts'
import { readAccountAgain } from '../../ledger/unreadable-accounts.ts'
import { absentPlatform } from '../../office/decide.ts'
import { takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { referenceOfDeal, verifiedReference } from '../../ledger/references.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { differenceById, type DifferenceRow } from './queries.ts'

type DecisionContext = RequestContext<
  | typeof office.explainDifference
  | typeof office.proposeDifference
  | typeof office.confirmDifference
  | typeof office.rejectDifference
>

const { name } = differenceMachine

/** Explains a discrepancy that blocks no account; one person suffices. */
export const explainDifference: Handler<typeof office.explainDifference> = async (dependencies, context) => {
  const found = await differenceForDecision(dependencies, context)
  if (requiresTwoPeople(found.kind)) throw new Problem('two-people-decide')
  const { reason, version } = context.body
  const set = { reason, decided_by: requireStaff(context).staffId, decided_at: context.now }
  return applyAction(dependencies, context, found, { action: 'explain', version, reason, set, workItem: null })
}

export const proposeDifference: Handler<typeof office.proposeDifference> = async (dependencies, context) => {
  const found = await differenceForDecision(dependencies, context)
  const { proposal, reason, version } = context.body
  if (!proposalsFor(found.kind).includes(proposal)) throw new Problem('unknown-value', { field: 'proposal' })
  if (proposal.startsWith('book')) await assertMayBook(dependencies, dependencies.pool, found)
  const set = {
    proposal,
    proposal_reason: reason,
    proposed_by: requireStaff(context).staffId,
    proposed_at: context.now,
  }
  const workItem = await differenceWorkItem(dependencies, found, 'proposed', context.now)
  return applyAction(dependencies, context, found, {
    action: 'propose',
    version,
    reason,
    set,
    workItem,
    details: { after: { proposal } },
  })
}

/** Rejects a proposal. The person who made it may cancel it in this way. */
export const rejectDifference: Handler<typeof office.rejectDifference> = async (dependencies, context) => {
  const found = await differenceForDecision(dependencies, context)
  const { reason, version } = context.body
  const set = { proposal: null, proposal_reason: null, proposed_by: null, proposed_at: null }
  const workItem = await differenceWorkItem(dependencies, found, 'open', context.now)
  return applyAction(dependencies, context, found, { action: 'reject', version, reason, set, workItem })
}

export const confirmDifference: Handler<typeof office.confirmDifference> = async (dependencies, context) => {
  const found = await differenceForDecision(dependencies, context)
  const refusal = ownProposalProblem(found, context) ?? disconnectedProblem(dependencies, found)
  if (refusal) throw refusal
  const { referencePrefix: prefix } = await dependencies.settings.get('firm')
  const { note, version } = context.body
  return takeDecision(dependencies, context, name, found.id, async (tx) => {
    await run(tx)`select 1 from trading_accounts where id = ${found.accountId} for update`
    // The confirmation applies to the proposal shown: another proposal has another version.
    const proposal = found.proposal ?? 'explain'
    const after = await applyTransition(tx, differenceMachine, context.auditContext, found, 'confirm', {
      to: stateAfterConfirmation(proposal),
      version,
      reason: note,
      set: { reason: found.proposalReason, decided_by: requireStaff(context).staffId, decided_at: context.now },
      details: { after: { proposal } },
      workItem: null,
    })
    if (proposal === 'reverse') await enqueueReversal(tx, dependencies, found, prefix, context.now)
    else if (proposal !== 'explain') {
      await assertMayBook(dependencies, tx, found)
      await bookDeal(tx, dealOf(found), proposal === 'book-result' ? 'trading_result' : 'corrections', context.now)
    }
    // The block ends with the next reading of the account's deals: if the deal can be read by then, this takes
    // precedence over the decision (ADR 330).
    if (found.kind === unclearDeal && found.accountId !== null) await readAccountAgain(tx, found.accountId)
    return after
  })
}

/** Throws if the deal is a credit of a payment that is being refunded, or of which something was returned. */
async function assertMayBook(
  { keys }: Pick<Dependencies, 'keys'>,
  connection: Connection,
  { facts }: DifferenceRow,
): Promise<void> {
  const ours = verifiedReference(keys.reference.bytes, String(facts['comment']))
  if (!ours) return
  await assertNotRefunded(connection, { leg: ours.leg, reference: ours.shown }, 'proposal')
  // Locked, because the provider may return it now.
  const deposit = await row<{ isReturned: boolean }>(connection)`
    select refunded_minor > 0 or state in ('refunding', 'refunded') as "isReturned"
      from deposits where reference = ${ours.shown} and type <> 'wire' for share`
  if (ours.leg === 'deposit-credit' && deposit?.isReturned)
    throw new Problem('recovery-refunded', { field: 'proposal' })
}

/** Returns why these actions are refused to the caller, beyond the state machine. */
export function refusalsOf(
  dependencies: Dependencies,
  context: RequestContext,
  found: DifferenceRow,
  clientEmail: string | null,
) {
  const own = clientEmail === null ? null : checkNotOwnRequest(requireStaff(context).email, clientEmail)
  const self = own && new Problem(own)
  const holds = requiresTwoPeople(found.kind)
  return {
    explain: holds ? new Problem('two-people-decide') : self,
    propose: holds ? self : new Problem('wrong-state', { values: { state: found.state } }),
    confirm: ownProposalProblem(found, context) ?? self ?? disconnectedProblem(dependencies, found),
    reject: self,
  }
}

/** Returns the problem if the platform that a reversal needs is not connected. */
function disconnectedProblem(dependencies: Dependencies, { proposal, platform }: DifferenceRow): Problem | null {
  return proposal === 'reverse' && platform !== null ? absentPlatform(dependencies, platform) : null
}

function ownProposalProblem(found: DifferenceRow, context: Pick<RequestContext, 'caller'>): Problem | null {
  return found.proposedById === requireStaff(context).staffId ? new Problem('own-act') : null
}

async function differenceForDecision(dependencies: Dependencies, context: DecisionContext): Promise<DifferenceRow> {
  const found = requireFound(await differenceById(dependencies.pool, context.params.id))
  const email = await emailOf(dependencies.pool, found.clientId)
  if (email !== null) throwIfProblem(checkNotOwnRequest(requireStaff(context).email, email))
  return found
}

export async function emailOf(connection: Connection, clientId: ClientId | null): Promise<string | null> {
  const found = await row<{ email: string }>(connection)`
    select email::text as email from clients where id = ${clientId}::uuid`
  return found?.email ?? null
}

interface DifferenceAction {
  readonly action: 'explain' | 'propose' | 'reject'
  readonly version: number
  readonly reason: string
  readonly set: Readonly<Record<string, unknown>>
  readonly workItem: WorkItem | null
  readonly details?: Readonly<Record<string, unknown>>
}

function applyAction(
  dependencies: Dependencies,
  context: DecisionContext,
  found: DifferenceRow,
  move: DifferenceAction,
) {
  const { action, ...more } = move
  return takeDecision(dependencies, context, name, found.id, (tx) =>
    applyTransition(tx, differenceMachine, context.auditContext, found, action, more),
  )
}

/** Returns the work item of an open discrepancy. */
async function differenceWorkItem(
  dependencies: Pick<Dependencies, 'settings'>,
  found: DifferenceRow,
  state: 'open' | 'proposed',
  now: Date,
): Promise<WorkItem> {
  return {
    state,
    dueAt: await workItemDueAt(dependencies, 'difference', now),
    clientId: found.clientId,
    summary: summaryOf(found),
  }
}

export function summaryOf({ kind, login, ours, theirs, currency }: DifferenceRow): WorkItem['summary'] {
  const figure = (minor: bigint | null) => (minor === null ? null : decimalOf(minor))
  return { kind, account: login, ours: figure(ours), theirs: figure(theirs), currency }
}

/** Returns the deal of a discrepancy. */
export function dealOf({ id, accountId, theirs, currency, fingerprint }: DifferenceRow) {
  if (accountId === null || theirs === null || currency === null) throw new Error(`difference ${id} has no deal`)
  return { subject: 'difference' as const, record: id, ref: fingerprint, accountId, amount: money(theirs, currency) }
}

/** Enqueues the reverse of the deal under a reference of its own; after a rejection, as the next generation. */
async function enqueueReversal(
  tx: Transaction,
  dependencies: Dependencies,
  found: DifferenceRow,
  prefix: string,
  now: Date,
) {
  const { id, platform, login, clientId, facts } = found
  const { accountId, amount } = dealOf(found)
  if (platform === null || login === null || clientId === null) throw new Error(`difference ${id} has no login`)
  const shown = referenceOfDeal(dependencies.keys.reference.bytes, prefix, platform, String(facts['ticket']))
  await run(tx)`update differences set reference = ${shown} where id = ${id}`
  const sent = await row<{ times: number }>(tx)`select count(*)::int as times from operations where shown = ${shown}`
  await enqueueBalance(tx, dependencies.keys, now, {
    request: { id, clientId, reference: shown, platform, login, accountId },
    subject: name,
    leg: 'deal-reversal',
    amount: negate(amount),
    generation: sent?.times ?? 0,
  })
}
