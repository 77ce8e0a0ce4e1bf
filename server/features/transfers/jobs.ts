/**
 * The legs of a transfer: withdraw, then deposit, each under its own reference. If the second leg is rejected, the
 * source is credited under a third reference, or the transfer becomes a work item (requirements 10.5).
 */
import { portalPaths } from '#contract/portal-paths.ts'
import { decimalOf, money, negate, type Money } from '#rules/money.ts'
import { transferMachine } from '#rules/transfers.ts'
import type { TransferId } from '#rules/ids.ts'
import { holdDebitIfBlocked } from '../../checks/hold-debit.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import {
  enqueueBalance,
  ledgerEntryOf,
  type BalanceLegs,
  type BalancePayload,
  type HeldLegs,
} from '../../jobs/balance.ts'
import type { Operation, Outcome } from '../../jobs/operations.ts'
import { openOperationItem, recordOf } from '../../jobs/operation.ts'
import type { Keys } from '../../crypto/keys.ts'
import { post, type Posting } from '../../ledger/post.ts'
import { release } from '../../ledger/reservations.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { transferById, type LegRow, type Transfer } from './queries.ts'
import { transferDebitChecked } from './transfer-checks.ts'

const subject = transferMachine.name
type ReferenceKey = Pick<Keys, 'reference'>

/** Writes a leg: the first one debits the source; the one after a rejected second leg credits it again. */
export async function enqueueLeg(
  tx: Transaction,
  keys: ReferenceKey,
  transfer: Transfer,
  leg: LegRow['leg'],
  now: Date,
) {
  const account =
    leg === 'transfer-deposit'
      ? { platform: transfer.destinationPlatform, login: transfer.destinationLogin, accountId: transfer.destinationId }
      : { platform: transfer.sourcePlatform, login: transfer.sourceLogin, accountId: transfer.sourceId }
  const request = { ...transfer, ...account }
  await enqueueBalance(tx, keys, now, { request, subject, leg, amount: amountOfLeg(transfer, leg) })
}

function amountOfLeg(transfer: Transfer, leg: LegRow['leg']): Money {
  const amount = money(transfer.amountMinor, transfer.currency)
  if (leg === 'transfer-withdraw') return negate(amount)
  return leg === 'transfer-deposit' ? money(transfer.arrivesMinor, transfer.arrivesCurrency) : amount
}

/** Returns the handler of each leg; the reference key derives the next reference. */
export const legs = ({ keys }: { readonly keys: ReferenceKey }): BalanceLegs => ({
  'transfer-withdraw': async (tx, operation, outcome, auditContext) => {
    const transfer = await transferOfOperation(tx, operation)
    // The posting and the release of the reservation share this transaction (requirements 18.7).
    await release(tx, 'transfer', transfer.id, auditContext.now)
    if (!('done' in outcome)) return endRefusedTransfer(tx, transfer, outcome, auditContext)
    await post(tx, auditContext.now, ledgerEntryOf(operation), [
      {
        account: { kind: 'client', currency: transfer.currency, tradingAccount: transfer.sourceId },
        minor: transfer.amountMinor,
      },
      { account: { kind: 'transfer_in_transit', currency: transfer.currency }, minor: -transfer.amountMinor },
    ])
    await enqueueLeg(tx, keys, transfer, 'transfer-deposit', auditContext.now)
  },
  'transfer-deposit': async (tx, operation, outcome, auditContext) => {
    const transfer = await transferOfOperation(tx, operation)
    if (!('done' in outcome)) return enqueueLeg(tx, keys, transfer, 'transfer-compensate', auditContext.now)
    await post(tx, auditContext.now, ledgerEntryOf(operation), creditPostings(transfer))
    await applyTransition(tx, transferMachine, auditContext, transfer, 'transferred', {
      set: { approved_at: auditContext.now },
      workItem: null,
    })
    await notifyTransfer(tx, transfer, 'transfer-approved', '', auditContext.now)
  },
  'transfer-compensate': async (tx, operation, outcome, auditContext) => {
    const transfer = await transferOfOperation(tx, operation)
    // The client's money is on neither account: a person must resolve it.
    if (!('done' in outcome)) return openRefusedItem(tx, transfer, operation, auditContext)
    await post(tx, auditContext.now, ledgerEntryOf(operation), [
      { account: { kind: 'transfer_in_transit', currency: transfer.currency }, minor: transfer.amountMinor },
      {
        account: { kind: 'client', currency: transfer.currency, tradingAccount: transfer.sourceId },
        minor: -transfer.amountMinor,
      },
    ])
    await endRefusedTransfer(
      tx,
      transfer,
      { refused: { reason: 'destination', code: 'transfer:destination', message: '' } },
      auditContext,
    )
  },
})

export const held: HeldLegs = {
  'transfer-withdraw': async (tx, operation, now) => {
    const transfer = await transferOfOperation(tx, operation)
    const { amountMinor, currency, sourceLogin: account, reference, clientId } = transfer
    const summary = { amount: decimalOf(amountMinor), currency, account, reference }
    const work = { state: 'processing', dueAt: await workItemDueIn(tx, 'transfer', now), clientId, summary }
    return holdDebitIfBlocked(tx, transferDebitChecked, transfer, work, now)
  },
}

function transferOfOperation(tx: Transaction, operation: Operation<BalancePayload>): Promise<Transfer> {
  return recordOf(operation, (id: TransferId) => transferById(tx, id))
}

/**
 * Returns the postings of the credit. Between currencies they go through the exchange account, so that each currency
 * sums to zero.
 */
function creditPostings(transfer: Transfer): Posting[] {
  const { currency, arrivesCurrency, amountMinor, arrivesMinor, destinationId } = transfer
  const client = { kind: 'client', currency: arrivesCurrency, tradingAccount: destinationId } as const
  const transit = { account: { kind: 'transfer_in_transit', currency } as const, minor: amountMinor }
  if (currency === arrivesCurrency) return [transit, { account: client, minor: -arrivesMinor }]
  return [
    transit,
    { account: { kind: 'exchange', currency }, minor: -amountMinor },
    { account: { kind: 'exchange', currency: arrivesCurrency }, minor: arrivesMinor },
    { account: client, minor: -arrivesMinor },
  ]
}

/** Ends a refused transfer: the source was credited again, or never debited. */
async function endRefusedTransfer(
  tx: Transaction,
  transfer: Transfer,
  outcome: Extract<Outcome, { refused: unknown }>,
  auditContext: AuditContext,
): Promise<void> {
  const { reason, code } = outcome.refused
  const comment = platformErrorComment(reason)
  await applyTransition(tx, transferMachine, auditContext, transfer, 'refused', {
    reason: code,
    set: { comment, rejected_at: auditContext.now },
    workItem: null,
  })
  await notifyTransfer(tx, transfer, 'transfer-rejected', comment, auditContext.now)
}

async function openRefusedItem(tx: Transaction, transfer: Transfer, operation: Operation, auditContext: AuditContext) {
  const { reference, amountMinor, currency, sourceLogin: account } = transfer
  const more = { reference, account, amount: decimalOf(amountMinor), currency }
  await openOperationItem(tx, operation, 'refused', auditContext.now, more)
}

/** Notifies the client of the transfer's outcome. */
export async function notifyTransfer(
  tx: Transaction,
  transfer: Transfer,
  kind: 'transfer-approved' | 'transfer-rejected',
  reason: string,
  now: Date,
): Promise<void> {
  const { id, clientId, clientEmail: email, clientLanguage: language, currency, arrivesCurrency, reference } = transfer
  const facts = {
    minor: String(transfer.amountMinor),
    currency,
    arrivesMinor: String(transfer.arrivesMinor),
    arrivesCurrency,
    source: transfer.sourceLogin,
    sourcePlatform: transfer.sourcePlatform,
    destination: transfer.destinationLogin,
    destinationPlatform: transfer.destinationPlatform,
    reference,
    reason,
  }
  const client = { id: clientId, email, language }
  await notifyClient(tx, now, { kind, client, facts, link: portalPaths.history('transfers', id), subject, record: id })
}
