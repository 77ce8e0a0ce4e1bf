/** Brings a transfer to the state that its deals on the platforms prove (requirements 20.13). */
import { money, type Currency } from '#rules/money.ts'
import { transferMachine } from '#rules/transfers.ts'
import type { AccountId, ClientId, TransferId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, type Transaction, requireRow } from '../../db/sql.ts'
import { closeWorkItem } from '../../db/work-items.ts'
import { Problem } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { endDisprovedLeg } from '../../jobs/cancel-unsent.ts'
import { release, reserve, reserveAgain } from '../../ledger/reservations.ts'
import {
  hasEnded,
  recoveredDetails,
  type FoundDeal,
  type FoundRequest,
  type RequestAdoption,
} from '../../recovery/adoption.ts'
import { notifyTransfer } from './jobs.ts'
import { transferById, type Transfer } from './queries.ts'

export const transferAdoption: RequestAdoption<TransferId> = {
  find: (tx, shown) =>
    row<FoundRequest<TransferId>>(
      tx,
    )`select id, client_id as "clientId" from transfers where reference = ${shown} for update`,

  async fits(tx, id, { leg, platform, login, amount }) {
    const transfer = await transferById(tx, id)
    if (!transfer) return false
    const arriving = leg === 'transfer-deposit'
    const at = arriving
      ? { platform: transfer.destinationPlatform, login: transfer.destinationLogin }
      : { platform: transfer.sourcePlatform, login: transfer.sourceLogin }
    if (at.platform !== platform || at.login !== login) return false
    if (arriving) return amount.currency === transfer.arrivesCurrency && amount.minor === transfer.arrivesMinor
    const expected = leg === 'transfer-withdraw' ? -transfer.amountMinor : transfer.amountMinor
    return amount.currency === transfer.currency && amount.minor === expected
  },

  async bringTo(tx, id, { leg, comment }, auditContext) {
    const transfer = await transferById(tx, id)
    if (!transfer) throw new Error(`transfer ${id} not found`)
    if (leg === 'transfer-compensate') return assertSent(tx, transfer, comment, auditContext)
    if (leg !== 'transfer-withdraw' || transfer.state === 'processing') return
    await reserveAgain(tx, 'transfer', id)
    await applyTransition(tx, transferMachine, auditContext, transfer, 'adopt', { workItem: null })
  },

  async end(tx, id, auditContext) {
    const transfer = await transferById(tx, id)
    if (transfer?.state !== 'pending') return hasEnded(transfer)
    const set = { rejected_at: auditContext.now }
    await applyTransition(tx, transferMachine, auditContext, transfer, 'reject', { set, workItem: null })
    await release(tx, 'transfer', id, auditContext.now)
    await notifyTransfer(tx, transfer, 'transfer-rejected', '', auditContext.now)
    return true
  },

  async recreate(tx, { deal, account, proposal }, auditContext) {
    if (deal.leg !== 'transfer-withdraw') throw new Problem('recovery-debit-first')
    const arrival = await creditedAccount(tx, deal, proposal.destinationId)
    if (arrival.clientId !== account.clientId || arrival.accountId === account.id)
      throw new Problem('account-unknown', { field: 'destinationId' })
    const amount = money(-deal.amount.minor, deal.amount.currency)
    if (arrival.minor === null && arrival.currency !== amount.currency)
      throw new Problem('recovery-arrival-unknown', { field: 'destinationId' })
    const { id } = await requireRow<{ id: TransferId }>(tx)`
      insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate,
          arrives_minor, arrives_currency, reference, figures, requested_at)
        values (${account.clientId}, ${account.id}, ${arrival.accountId}, ${amount.minor}, ${amount.currency},
          ${arrival.currency === amount.currency ? '1' : ''}, ${arrival.minor ?? amount.minor}, ${arrival.currency},
          ${deal.shown}, '{}'::jsonb, ${deal.at}) returning id`
    await reserve(tx, { accountId: account.id, subject: 'transfer', record: id, amount, now: auditContext.now })
    const details = recoveredDetails(deal, amount)
    await recordCreation(tx, transferMachine, auditContext, { id, clientId: account.clientId }, 'recover', { details })
    return id
  },
}

/**
 * Throws unless the platform proves that the credit was refused: an operation that is pending in the restored copy must
 * never be sent.
 */
async function assertSent(tx: Transaction, { id, state }: Transfer, proof: string, auditContext: AuditContext) {
  if (state !== 'processing') throw new Problem('recovery-debit-first')
  const refused = await endDisprovedLeg(tx, id, { leg: 'transfer-deposit', proof }, auditContext.now)
  for (const operation of refused) await closeWorkItem(tx, 'operation', operation.id, auditContext)
}

interface CreditedAccount {
  readonly accountId: AccountId
  readonly clientId: ClientId
  readonly currency: Currency
  /** Null if the second leg has not been made. */
  readonly minor: bigint | null
}

/** Returns the credited account: proven by the deal of the second leg, or named by two people. */
async function creditedAccount(
  tx: Transaction,
  { shown }: FoundDeal,
  destinationId: string | undefined,
): Promise<CreditedAccount> {
  const proven = await row<CreditedAccount>(tx)`
    select a.id as "accountId", a.client_id as "clientId", i.currency, i.amount_minor as minor
      from recovery_items i join trading_accounts a on a.platform = i.platform and a.login = i.login
      where i.reference = ${shown} and i.leg = 'transfer-deposit' order by i.deal_at desc limit 1`
  if (proven) return proven
  if (destinationId === undefined) throw new Problem('required', { field: 'destinationId' })
  const named = await row<CreditedAccount>(tx)`
    select id as "accountId", client_id as "clientId", currency, null::bigint as minor from trading_accounts
      where id = ${uuidOrNull(destinationId)}::uuid and state = 'approved' and request_type = 'live'`
  if (!named) throw new Problem('account-unknown', { field: 'destinationId' })
  return named
}
