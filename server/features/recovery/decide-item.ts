/** Two people in finance decide on a deal that the database cannot explain: one proposes, another confirms. */
import type * as office from '#contract/office/recovery.ts'
import { decimalOf, money } from '#rules/money.ts'
import { actionsForFinding, recoveryItemMachine } from '#rules/recovery-items.ts'
import type { ClientId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { assertNotRefunded } from '../../jobs/card-refund.ts'
import { bookDifference } from '../../ledger/booked-deals.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  accountOf,
  adoptRequest,
  assertNotSecond,
  settleFoundDeal,
  settleWithOtherAmount,
  type Adopting,
} from '../../recovery/adopt-deal.ts'
import { subjectOfLeg, type FoundDeal } from '../../recovery/adoption.ts'
import { closeIfDone } from '../../recovery/channels.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { assertReversible, dealToPost, postSeparately, reverseItem } from './reverse-deal.ts'
import { settleDeals, requireClientByEmail, linkAccount, openingAttributes } from './link-account.ts'
import { dealOf, isDeal, itemById, relatedItems, lockItem, type RecoveryItem } from './queries.ts'
import { destinationAccount, assignItem, refundItem } from './settle-checkout-item.ts'

const kind = 'recovery_item'

export function proposeItem(adopting: Pick<Adopting, 'linesOfAdopted'>): Handler<typeof office.proposeRecoveryItem> {
  return async (dependencies, context) => {
    const item = await itemForDecision(dependencies, context)
    const { action, bankId, destinationId, depositType, lineId, reason, version } = context.body
    await assertActionPossible(dependencies, adopting, item, context)
    const to = await proposedOwner(dependencies, item, context)
    const clientId = to === null ? item.clientId : to.clientId
    const dueAt = await workItemDueAt(dependencies, kind, context.now)
    const named = { bankId, destinationId, depositType, lineId }
    return takeDecision(dependencies, context, kind, item.id, (tx) =>
      applyTransition(tx, recoveryItemMachine, context.auditContext, { ...item, clientId }, 'propose', {
        version,
        reason,
        details: { action, ...named, ...(to?.account ? { account: context.body.accountNumber } : {}) },
        set: {
          ...(needsOwner(item) ? { client_id: to?.clientId ?? null } : {}),
          ...(item.platform === 'card'
            ? { account_id: to?.account ?? null, login: to?.account ? context.body.accountNumber : '' }
            : {}),
          action,
          proposal: JSON.stringify(named),
          reason,
          proposed_by: requireStaff(context).staffId,
          proposed_at: context.now,
        },
        workItem: { state: 'proposed', dueAt, clientId, summary: summaryOf(item) },
      }),
    )
  }
}

/** Returns whether a finding has no owner until two people assign it. */
function needsOwner({ platform, kind: why }: RecoveryItem): boolean {
  return platform === 'card' || why === 'account-found'
}

/** Returns the client or account that an unowned payment or account is assigned to; null for other findings. */
async function proposedOwner(
  dependencies: Dependencies,
  item: RecoveryItem,
  context: RequestContext<typeof office.proposeRecoveryItem>,
): Promise<{ clientId: ClientId; account: string | null } | null> {
  if (context.body.action !== 'adopt' || !needsOwner(item)) return null
  if (item.kind === 'account-found') {
    const { rows: groups } = await dependencies.settings.get('platformGroups')
    await openingAttributes(dependencies.pool, groups, item)
    const { clientId, email } = await requireClientByEmail(dependencies.pool, context.body.clientEmail)
    assertNotOwnRequest(requireStaff(context), email)
    return { clientId, account: null }
  }
  const { id, clientId, email } = await destinationAccount(dependencies.pool, item, context.body)
  assertNotOwnRequest(requireStaff(context), email)
  return { clientId, account: id }
}

/** Throws if the action is not possible for this finding, or if a required field is missing. */
async function assertActionPossible(
  dependencies: Dependencies,
  { linesOfAdopted }: Pick<Adopting, 'linesOfAdopted'>,
  item: RecoveryItem,
  { now, body: { action, ...named } }: Pick<RequestContext<typeof office.proposeRecoveryItem>, 'now' | 'body'>,
): Promise<void> {
  if (!actionsForFinding(item.kind).includes(action)) throw new Problem('recovery-choice', { field: 'action' })
  if (action === 'adopt' && item.kind === 'account-unknown') throw new Problem('recovery-action', { field: 'action' })
  if (action === 'reverse' && isDeal(item)) await assertReversible(dependencies, dependencies.pool, item)
  if (action === 'adopt') await assertNotRefunded(dependencies.pool, item, 'action')
  if (action === 'adopt' && isDeal(item) && item.kind !== 'mismatch')
    await assertNotSecond(dependencies.pool, dealOf(item))
  if (action === 'adopt' && item.kind === 'request-lost') assertFieldsGiven(item, named)
  if (item.kind !== 'line-missing') return
  if (named.lineId === undefined) throw new Problem('required', { field: 'lineId' })
  const lines = item.record === null ? [] : await linesOfAdopted(dependencies.pool, item.record, now)
  if (!lines.some(({ id }) => id === named.lineId)) throw new Problem('recovery-line-needed', { field: 'lineId' })
}

/** Throws if a field of a lost request is missing that only staff can provide. */
function assertFieldsGiven(
  { leg, accountId }: RecoveryItem,
  named: { bankId?: string | undefined; depositType?: string | undefined },
) {
  if (accountId === null) throw new Problem('recovery-action', { field: 'action' })
  if (leg === 'withdrawal-debit' && named.bankId === undefined) throw new Problem('required', { field: 'bankId' })
  if (leg === 'deposit-credit' && named.depositType === undefined)
    throw new Problem('required', { field: 'depositType' })
}

export const dropItem: Handler<typeof office.dropRecoveryItem> = async (dependencies, context) => {
  const item = await itemForDecision(dependencies, context)
  const { reason, version } = context.body
  const dueAt = await workItemDueAt(dependencies, kind, context.now)
  const isPayment = item.platform === 'card'
  const payment = isPayment ? { account_id: null, login: '' } : {}
  const withoutClient = needsOwner(item) ? { client_id: null } : {}
  const set = {
    ...payment,
    ...withoutClient,
    action: null,
    proposal: null,
    proposed_by: null,
    proposed_at: null,
    reason: null,
  }
  return takeDecision(dependencies, context, kind, item.id, (tx) =>
    applyTransition(tx, recoveryItemMachine, context.auditContext, item, 'drop', {
      version,
      reason,
      set,
      workItem: {
        state: 'open',
        dueAt,
        clientId: needsOwner(item) ? null : item.clientId,
        summary: summaryOf(isPayment ? { ...item, login: '' } : item),
      },
    }),
  )
}

/** Carries out the proposal: adopts the deal in the ledger only, or writes the operation that reverses it. */
export function confirmItem(adopting: Adopting): Handler<typeof office.confirmRecoveryItem> {
  return async (dependencies, context) => {
    const found = await itemForDecision(dependencies, context)
    const staff = requireStaff(context)
    return takeDecision(dependencies, context, kind, found.id, async (tx) => {
      // Read under the lock, as the proposal may have been replaced since the earlier reading.
      const item = (await lockItem(tx, found.id)) ?? found
      if (item.proposedBy === staff.staffId) throw new Problem('own-act')
      if (item.clientEmail !== null) assertNotOwnRequest(staff, item.clientEmail)
      const after = await applyTransition(tx, recoveryItemMachine, context.auditContext, item, 'confirm', {
        version: context.body.version,
        details: { action: item.action },
        set: { decided_by: staff.staffId, decided_at: context.now },
        workItem: null,
      })
      const auditContext: AuditContext = {
        identity: { kind: 'recovery' },
        now: context.now,
        reference: item.reference,
      }
      await executeProposal(tx, dependencies, adopting, { item, confirmedBy: staff.staffId }, auditContext)
      await closeIfDone(tx, auditContext)
      return after
    })
  }
}

async function executeProposal(
  tx: Transaction,
  dependencies: Dependencies,
  adopting: Adopting,
  { item, confirmedBy }: { readonly item: RecoveryItem; readonly confirmedBy: string },
  auditContext: AuditContext,
): Promise<void> {
  const isReversed = item.action === 'reverse'
  if (item.platform === 'card')
    return isReversed ? refundItem(tx, dependencies, item, auditContext) : assignItem(tx, adopting, item, auditContext)
  if (item.kind === 'account-found') {
    if (item.action === 'keep') return settleDeals(tx, item, auditContext)
    const { rows: groups } = await dependencies.settings.get('platformGroups')
    return linkAccount(tx, groups, item, confirmedBy, auditContext)
  }
  if (item.kind === 'line-missing') {
    const { record, proposal } = item
    if (record === null || proposal?.lineId === undefined) throw new Problem('required', { field: 'lineId' })
    return adopting.takeChosenLine(tx, record, proposal.lineId, auditContext)
  }
  if (isReversed) return reverseItem(tx, dependencies, adopting, item, auditContext)
  return adoptItem(tx, adopting, item, confirmedBy, auditContext)
}

async function adoptItem(
  tx: Transaction,
  adopting: Adopting,
  item: RecoveryItem,
  confirmedBy: string,
  auditContext: AuditContext,
) {
  const deal = dealOf(item)
  await assertNotRefunded(tx, item, 'action')
  if (item.kind === 'mismatch') await adoptMismatch(tx, adopting, item, deal, auditContext)
  else {
    const proposal = { ...item.proposal, proposedBy: item.proposedBy ?? confirmedBy, confirmedBy }
    await adoptRequest(tx, adopting, deal, subjectOfLeg[deal.leg ?? 'correction'] ?? '', proposal, auditContext)
  }
  for (const other of await relatedItems(tx, item)) await settleFoundDeal(tx, adopting, dealOf(other), auditContext)
  await adopting.adoptPayouts(tx, auditContext)
}

/**
 * Adopts a deal whose amount or account differs from its request. If only the amount differs, the operation is settled
 * with it, and the difference is posted against corrections; otherwise the deal is posted on its own, and operation and
 * request end (requirements 24.143). Throws `recovery-decided` if nothing is left to end.
 */
async function adoptMismatch(
  tx: Transaction,
  adopting: Adopting,
  item: RecoveryItem,
  deal: FoundDeal,
  auditContext: AuditContext,
): Promise<void> {
  const account = await accountOf(tx, deal)
  if (!account) throw new Problem('account-unknown')
  const difference = await settleWithOtherAmount(tx, adopting, deal, auditContext)
  if (difference !== null) {
    const amount = money(difference, deal.amount.currency)
    return bookDifference(tx, { ...dealToPost(item), accountId: account.id, amount }, auditContext.now)
  }
  // Adopted after it, the deal that debited the money would send this part of the request again.
  const isLaterLeg = item.leg !== 'withdrawal-debit' && item.leg !== 'transfer-withdraw'
  if (isLaterLeg && (await relatedItems(tx, item)).length > 0) throw new Problem('recovery-debit-first')
  // What an approved request does next, such as a payout, would come on top of the deal.
  if (!(await postSeparately(tx, adopting, item, account.id, auditContext))) throw new Problem('recovery-decided')
}

async function itemForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.confirmRecoveryItem>, 'params' | 'caller'>,
): Promise<RecoveryItem> {
  const item = await itemById(dependencies.pool, context.params.id)
  if (!item) throw new Problem('not-found')
  if (item.clientEmail !== null) assertNotOwnRequest(requireStaff(context), item.clientEmail)
  return item
}

function summaryOf({ kind: why, login, reference, amountMinor, currency }: RecoveryItem) {
  const amount = { amount: decimalOf(amountMinor), currency }
  return { kind: why, account: login, reference, ...amount }
}
