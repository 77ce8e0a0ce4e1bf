/** Brings a deposit to the state that its credit on the platform proves (requirements 20.14). */
import { announcementExpiry, bankLineMachine, depositMachine } from '#rules/deposits.ts'
import { money } from '#rules/money.ts'
import type { DepositId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, rows, type Connection, type Transaction, requireRow } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import {
  hasEnded,
  recoveredDetails,
  type FoundDeal,
  type LineOfDeal,
  type Named,
  type FoundRequest,
  type RequestAdoption,
} from '../../recovery/adoption.ts'
import { cardProvider } from '../../recovery/lost-checkouts.ts'
import { merchantReference, referenceOfLine } from '../../ledger/references.ts'
import { readSetting } from '../../settings/settings.ts'
import { notifyDeposit, postCardArrival } from './credit-deposit.ts'
import { restoreReceived } from './money-back.ts'
import { depositById, lockDeposit, type Deposit } from './queries.ts'
import { feesByTerms } from './wire-fees.ts'

export const depositAdoption: RequestAdoption<DepositId> = {
  find: (tx, shown) =>
    row<FoundRequest<DepositId>>(
      tx,
    )`select id, client_id as "clientId" from deposits where reference = ${shown} for update`,

  /**
   * A wire is credited with the amount received, regardless of the amount requested; a card payment is credited with
   * its own amount less the fee.
   */
  async fits(tx, id, { platform, login, amount }) {
    const deposit = await depositById(tx, id)
    if (!deposit || deposit.platform !== platform || deposit.login !== login) return false
    if (deposit.currency !== amount.currency || amount.minor <= 0n) return false
    // The payment is being or was returned to the payer.
    if (deposit.state === 'refunding' || deposit.state === 'refunded') return false
    return deposit.type === 'wire' || amount.minor === deposit.amountMinor - deposit.feeMinor
  },

  lines: linesOfDeal,

  async bringTo(tx, id, deal, auditContext, named) {
    const { amount } = deal
    const deposit = await lockDeposit(tx, id)
    if (!deposit) throw new Error(`deposit ${id} not found`)
    if (deposit.state === 'processing') return
    if (deposit.type === 'wire') return restoreMatch(tx, deposit, deal, auditContext, named)
    const received = amount.minor + deposit.feeMinor
    const set = { received_minor: received, rejected_at: null, comment: '' }
    await applyTransition(tx, depositMachine, auditContext, deposit, 'adopt', { set, workItem: null })
    if (deposit.receivedMinor === null) await postCardArrival(tx, deposit, received, auditContext.now)
    else await restoreReceived(tx, deposit, auditContext)
  },

  async end(tx, id, auditContext) {
    const deposit = await lockDeposit(tx, id)
    if (deposit?.state !== 'pending') return hasEnded(deposit)
    const set = { rejected_at: auditContext.now }
    await applyTransition(tx, depositMachine, auditContext, deposit, 'reject', { set, workItem: null })
    await notifyDeposit(tx, deposit, 'deposit-rejected', deposit.amountMinor, '', auditContext.now)
    return true
  },

  async recreate(tx, { deal, account, proposal: { depositType }, keys }, auditContext) {
    if (depositType === undefined) throw new Problem('required', { field: 'depositType' })
    if (deal.amount.minor <= 0n) throw new Problem('amount-invalid')
    const { deposit: methods } = (await readSetting(tx, 'methods', auditContext.now)).value
    const method = methods.find(({ type }) => type === depositType)
    const provider = depositType === 'wire' ? null : cardProvider
    const providerRef =
      depositType === 'wire' ? null : merchantReference({ key: keys.reference.bytes, shown: deal.shown })
    const { id } = await requireRow<{ id: DepositId }>(tx)`
      insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, language,
          card_type, provider, provider_ref, requested_at, expires_at)
        select ${account.clientId}, ${account.id}, ${depositType}, ${method?.method.en ?? 'Bank Transfer'},
          ${method?.paymentGateway ?? 'bank'}, ${deal.amount.minor}, ${deal.amount.currency}, ${deal.shown}, c.language,
          ${depositType === 'wire' ? null : 0}::integer, ${provider}, ${providerRef}, ${deal.at}::timestamptz, ${announcementExpiry(deal.at)}::timestamptz
        from clients c where c.id = ${account.clientId} returning id`
    const details = recoveredDetails(deal, deal.amount)
    await recordCreation(tx, depositMachine, auditContext, { id, clientId: account.clientId }, 'recover', { details })
    return id
  },
}

/** Maximum number of deposits from one bank transaction, each after the platform rejected the previous one. */
const roundsMax = 4
const linesMax = 50

/** Returns unmatched bank transactions of the amount that a deal credited plus its fee, those that name it first. */
export async function linesOfDeal(
  connection: Connection,
  { amount, shown, leg }: Pick<FoundDeal, 'amount' | 'shown' | 'leg'>,
  keys: Named['keys'],
  now: Date,
): Promise<LineOfDeal[]> {
  if (leg !== 'deposit-credit' || amount.minor <= 0n) return []
  const [prefix = ''] = shown.split('-')
  const found = await rows<
    Omit<LineOfDeal, 'named'> & { bankAccount: string; bankId: string; depositFee: bigint | null }
  >(connection)`select l.id, l.payer, l.remittance, l.amount_minor as "amountMinor", l.booked_on::text as "bookedOn",
        l.bank_account as "bankAccount", l.bank_id as "bankId",
        (select d.fee_minor from deposits d where d.reference = ${shown}) as "depositFee"
      from bank_lines l where l.state = 'unmatched' and l.currency = ${amount.currency} and l.amount_minor >= ${amount.minor}
      order by l.created_at, l.id`
  const feesOf = await feesByTerms(connection, now)
  const fitting = found.filter(({ amountMinor, depositFee }) => {
    const fee = amountMinor - amount.minor
    return fee === depositFee || feesOf(money(amountMinor, amount.currency)).includes(fee)
  })
  const derived = (line: { bankAccount: string; bankId: string }) =>
    Array.from({ length: roundsMax }, (_, round) => referenceOfLine(keys.reference.bytes, prefix, line, round))
  return fitting
    .map(({ bankAccount, bankId, depositFee: _fee, ...line }) => ({
      ...line,
      named: line.remittance.toUpperCase().includes(shown) || derived({ bankAccount, bankId }).includes(shown),
    }))
    .toSorted((a, b) => Number(b.named) - Number(a.named))
    .slice(0, linesMax)
}

/**
 * Restores a lost match with the bank transaction that names the deposit, or with the one that two people chose. If it
 * has not been imported yet, its import matches it (`adoptLines`), or two people choose it.
 */
async function restoreMatch(
  tx: Transaction,
  deposit: Deposit,
  deal: FoundDeal,
  auditContext: AuditContext,
  named: Named | undefined,
): Promise<void> {
  const { clientId, reference } = deposit
  const lines = named ? await linesOfDeal(tx, deal, named.keys, auditContext.now) : []
  const chosen = named?.proposal.lineId
  const line = chosen === undefined ? lines.find((one) => one.named) : lines.find((one) => one.id === chosen)
  if (!line && chosen !== undefined) throw new Problem('recovery-line-needed', { field: 'lineId' })
  const details = { deposit: reference }
  if (line)
    await applyTransition(tx, bankLineMachine, auditContext, { id: line.id, clientId }, 'adopt', {
      details,
      workItem: null,
    })
  const received = line?.amountMinor ?? deal.amount.minor + deposit.feeMinor
  const set = {
    received_minor: received,
    fee_minor: received - deal.amount.minor,
    bank_line: line?.id ?? null,
    rejected_at: null,
    comment: '',
  }
  await applyTransition(tx, depositMachine, auditContext, deposit, 'adopt', { set, workItem: null })
}
