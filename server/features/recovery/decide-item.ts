/** Two people of finance decide on a deal that the database cannot explain: one proposes, another confirms. */
import type {
  confirmRecoveryItem as confirmEndpoint,
  dropRecoveryItem as dropEndpoint,
  proposeRecoveryItem as proposeEndpoint,
} from '#contract/office/recovery.ts'
import { decimalOf } from '#rules/money.ts'
import { actionsOn, recoveryItemLife } from '#rules/recovery-items.ts'
import { advance } from '../../db/transition.ts'
import type { Act } from '../../db/events.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { dealRef } from '../../ledger/platform-deals.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { accountOf, adoptRequest, takeDeal, type Adopting } from '../../recovery/adopt-deal.ts'
import { subjectOfLeg } from '../../recovery/adoption.ts'
import { closeIfDone } from '../../recovery/channels.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { bookAsItStands, refuseReversal, reverseItem } from './reverse-deal.ts'
import { clientNamed, linkAccount, openingOf } from './link-account.ts'
import { dealOf, isDeal, itemById, itemsBeside, lockItem, type RecoveryItem } from './queries.ts'
import { accountNamed, assignItem, refundItem } from './settle-checkout-item.ts'

const kind = 'recovery_item'

export function proposeItem(parts: Parts, adopting: Pick<Adopting, 'linesOfAdopted'>): Verb<typeof proposeEndpoint> {
  return async (call) => {
    const item = await forDecision(parts, call)
    const { action, bankId, destinationId, depositType, lineId, reason, version } = call.body
    await refuseAction(parts, adopting, item, call.body)
    const to = await assignedTo(parts, item, call)
    const owner = to === null ? clientOf(item) : { clientId: to.clientId }
    const dueAt = await workDueAt(parts, kind, call.now)
    const named = { bankId, destinationId, depositType, lineId }
    return namingDecider(parts, kind, item.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, recoveryItemLife, call.act, {
          id: item.id,
          verb: 'propose',
          version,
          reason,
          ...owner,
          details: { action, ...named, ...(to?.account ? { account: call.body.accountNumber } : {}) },
          set: {
            ...(isAssigned(item) ? { client_id: to?.clientId ?? null } : {}),
            ...(item.platform === 'card'
              ? { account_id: to?.account ?? null, login: to?.account ? call.body.accountNumber : '' }
              : {}),
            action,
            proposal: JSON.stringify(named),
            reason,
            proposed_by: staffOf(call).staffId,
            proposed_at: call.now,
          },
          work: { state: 'proposed', dueAt, ...owner, summary: summaryOf(item) },
        })
        return decidedAnswer(tx, call, kind, item.id, after)
      }),
    )
  }
}

/** Findings that belong to nobody until two people say to whom. */
function isAssigned({ platform, kind: why }: RecoveryItem): boolean {
  return platform === 'card' || why === 'account-found'
}

/** To whom a payment or an account goes that belongs to nobody; null for the rest. */
async function assignedTo(
  parts: Parts,
  item: RecoveryItem,
  call: Call<typeof proposeEndpoint>,
): Promise<{ clientId: string; account: string | null } | null> {
  if (call.body.action !== 'adopt' || !isAssigned(item)) return null
  if (item.kind === 'account-found') {
    await openingOf(parts.pool, item)
    const { clientId, email } = await clientNamed(parts.pool, call.body.clientEmail)
    refuseOwnRequest(staffOf(call), email)
    return { clientId, account: null }
  }
  const { id, clientId, email } = await accountNamed(parts.pool, item, call.body)
  refuseOwnRequest(staffOf(call), email)
  return { clientId, account: id }
}

/** Refuses what cannot be decided on this finding, and what is not named for it. */
async function refuseAction(
  parts: Parts,
  { linesOfAdopted }: Pick<Adopting, 'linesOfAdopted'>,
  item: RecoveryItem,
  { action, ...named }: Call<typeof proposeEndpoint>['body'],
): Promise<void> {
  if (!actionsOn(item.kind).includes(action)) throw new Problem('recovery-choice', { field: 'action' })
  if (action === 'adopt' && item.kind === 'account-unknown') throw new Problem('recovery-action', { field: 'action' })
  if (action === 'reverse' && isDeal(item)) await refuseReversal(parts, parts.pool, item)
  if (action === 'adopt' && item.kind === 'request-lost') requireNamed(item, named)
  if (item.kind !== 'line-missing') return
  if (named.lineId === undefined) throw new Problem('required', { field: 'lineId' })
  const lines = item.record === null ? [] : await linesOfAdopted(parts.pool, item.record)
  if (!lines.some(({ id }) => id === named.lineId)) throw new Problem('recovery-line-needed', { field: 'lineId' })
}

/** What the database cannot tell of a lost request. */
function requireNamed(
  { leg, accountId }: RecoveryItem,
  named: { bankId?: string | undefined; depositType?: string | undefined },
) {
  if (accountId === null) throw new Problem('recovery-action', { field: 'action' })
  if (leg === 'withdrawal-debit' && named.bankId === undefined) throw new Problem('required', { field: 'bankId' })
  if (leg === 'deposit-credit' && named.depositType === undefined)
    throw new Problem('required', { field: 'depositType' })
}

export function dropItem(parts: Parts): Verb<typeof dropEndpoint> {
  return async (call) => {
    const item = await forDecision(parts, call)
    const { reason, version } = call.body
    const dueAt = await workDueAt(parts, kind, call.now)
    const isPayment = item.platform === 'card'
    const payment = isPayment ? { account_id: null, login: '' } : {}
    const nobody = isAssigned(item) ? { client_id: null } : {}
    const set = {
      ...payment,
      ...nobody,
      action: null,
      proposal: null,
      proposed_by: null,
      proposed_at: null,
      reason: null,
    }
    return namingDecider(parts, kind, item.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, recoveryItemLife, call.act, {
          id: item.id,
          verb: 'drop',
          version,
          reason,
          ...clientOf(item),
          set,
          work: {
            state: 'open',
            dueAt,
            ...(isAssigned(item) ? {} : clientOf(item)),
            summary: summaryOf(isPayment ? { ...item, login: '' } : item),
          },
        })
        return decidedAnswer(tx, call, kind, item.id, after)
      }),
    )
  }
}

/** Does what was proposed: adopts in the ledger alone, or writes the operation that reverses the deal. */
export function confirmItem(parts: Parts, adopting: Adopting): Verb<typeof confirmEndpoint> {
  return async (call) => {
    const found = await forDecision(parts, call)
    const staff = staffOf(call)
    if (found.proposedBy === staff.staffId) throw new Problem('own-act')
    return namingDecider(parts, kind, found.id, () =>
      transaction(parts.pool, async (tx) => {
        const item = (await lockItem(tx, found.id)) ?? found
        const after = await advance(tx, recoveryItemLife, call.act, {
          id: item.id,
          verb: 'confirm',
          version: call.body.version,
          ...clientOf(item),
          details: { action: item.action },
          set: { decided_by: staff.staffId, decided_at: call.now },
          work: null,
        })
        const act: Act = { acting: { kind: 'recovery' }, now: call.now, reference: item.reference }
        await settle(tx, parts, adopting, { item, confirmedBy: staff.staffId }, act)
        await closeIfDone(tx, act)
        return decidedAnswer(tx, call, kind, item.id, after)
      }),
    )
  }
}

async function settle(
  tx: Transaction,
  parts: Parts,
  adopting: Adopting,
  { item, confirmedBy }: { readonly item: RecoveryItem; readonly confirmedBy: string },
  act: Act,
): Promise<void> {
  const isReversed = item.action === 'reverse'
  if (item.platform === 'card')
    return isReversed ? refundItem(tx, parts, item, act) : assignItem(tx, adopting, item, act)
  if (item.kind === 'account-found') return item.action === 'keep' ? undefined : linkAccount(tx, item, confirmedBy, act)
  if (item.kind === 'line-missing') {
    const { record, proposal } = item
    if (record === null || proposal?.lineId === undefined) throw new Problem('required', { field: 'lineId' })
    return adopting.takeChosenLine(tx, record, proposal.lineId, act)
  }
  if (isReversed) return reverseItem(tx, parts, adopting, item, act)
  return adopt(tx, adopting, item, confirmedBy, act)
}

async function adopt(tx: Transaction, adopting: Adopting, item: RecoveryItem, confirmedBy: string, act: Act) {
  const deal = dealOf(item)
  if (item.kind === 'mismatch') {
    const account = await accountOf(tx, deal)
    if (!account) throw new Problem('account-unknown')
    const ref = dealRef(deal.platform, deal.ticket)
    const booked = { subject: kind, record: item.id, ref, accountId: account.id, amount: deal.amount } as const
    await bookAsItStands(tx, booked, act.now)
    return
  }
  const proposal = { ...item.proposal, proposedBy: item.proposedBy ?? confirmedBy, confirmedBy }
  await adoptRequest(tx, adopting, deal, subjectOfLeg[deal.leg ?? 'correction'] ?? '', proposal, act)
  for (const other of await itemsBeside(tx, item)) await takeDeal(tx, adopting, dealOf(other), act)
  await adopting.adoptPayouts(tx, act)
}

async function forDecision(
  parts: Parts,
  call: Pick<Call<typeof confirmEndpoint>, 'params' | 'caller'>,
): Promise<RecoveryItem> {
  const item = await itemById(parts.pool, call.params.id)
  if (!item) throw new Problem('not-found')
  if (item.clientEmail !== null) refuseOwnRequest(staffOf(call), item.clientEmail)
  return item
}

function clientOf({ clientId }: RecoveryItem): { clientId?: string } {
  return clientId === null ? {} : { clientId }
}

function summaryOf({ kind: why, login, reference, amountMinor, currency }: RecoveryItem) {
  const amount = { amount: decimalOf(amountMinor), currency }
  return { kind: why, account: login, reference, ...amount }
}
