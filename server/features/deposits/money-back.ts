/** Refunds and chargebacks of a payment by card, booked as the provider records them (requirements 28.17; ADR 203). */
import { depositMachine } from '#rules/deposits.ts'
import { decimalOf, type Money } from '#rules/money.ts'
import { type AuditContext, recordEvent } from '../../db/events.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { totalBack, type MoneyBack } from '../../integrations/card-provider/payment-provider.ts'
import { post } from '../../ledger/post.ts'
import { notifyDeposit } from './credit-deposit.ts'
import { toReconciliation, type Named } from './payment-discrepancy.ts'
import { bookedBack, type Deposit } from './queries.ts'

type Kind = MoneyBack['kind']
const kinds = ['refunded', 'charged_back'] as const satisfies readonly Kind[]

/**
 * Posts new refunds and chargebacks of the provider's records, in total never more than was paid. Each one opens a
 * discrepancy for staff with all details of the provider.
 */
export async function takenBack(
  tx: Transaction,
  deposit: Deposit,
  status: Named,
  auditContext: AuditContext,
): Promise<void> {
  const { id, currency, receivedMinor } = deposit
  if (receivedMinor === null || status.amount.currency !== currency) return
  const booked = await bookedBack(tx, id)
  for (const kind of kinds) {
    const fresh = totalBack(status.back, kind) - booked[kind]
    if (fresh <= 0n) continue
    const before = booked.refunded + booked.charged_back
    const left = receivedMinor - before
    const more = fresh < left ? fresh : left
    booked[kind] += more
    const isBeyond = before + fresh > receivedMinor
    if (more <= 0n && !isBeyond) continue
    const sides = { ours: left, theirs: left - fresh }
    const ids = status.back.filter((one) => one.kind === kind).map((one) => one.id)
    // The account still has the credit: people decide on a correction.
    const fingerprint = `${kind}:${id}:${before + fresh}`
    await toReconciliation(tx, deposit, kind, sides, auditContext, fingerprint, { providerIds: ids.join(', ') })
    if (more > 0n) await book(tx, deposit, kind, { minor: more, currency }, before + more, auditContext)
  }
}

/** Posts a refund or chargeback. `total` is the sum returned of the deposit including it, in minor units. */
async function book(
  tx: Transaction,
  deposit: Deposit,
  kind: Kind,
  { minor, currency }: Money,
  total: bigint,
  auditContext: AuditContext,
): Promise<void> {
  const { id, clientId, provider } = deposit
  await run(tx)`update deposits set refunded_minor = ${total}, version = version + 1 where id = ${id}`
  await post(tx, auditContext.now, { ref: `${kind}:${id}:${total}`, kind, subject: depositMachine.name, record: id }, [
    { account: { kind: 'corrections', currency }, minor },
    { account: { kind: 'provider', currency, name: provider ?? '' }, minor: -minor },
  ])
  const details = { amount: decimalOf(minor), currency }
  await recordEvent(tx, auditContext, { kind: depositMachine.name, action: kind, record: id, clientId, details })
  const told = kind === 'charged_back' ? 'deposit-charged-back' : 'deposit-refunded'
  await notifyDeposit(tx, deposit, told, minor, '', auditContext.now)
}
