/**
 * Restores a provider payment whose request was lost, as a deposit to the account that two people assign it to (ADR
 * 145).
 */
import { announcementExpiry, depositMachine } from '#rules/deposits.ts'
import { decimalOf } from '#rules/money.ts'
import type { DepositId } from '#rules/ids.ts'
import type { AuditContext } from '../../db/events.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { row, type Transaction } from '../../db/sql.ts'
import type { Keys } from '../../crypto/keys.ts'
import type { AssignedCheckout } from '../../recovery/adopt-deal.ts'
import { cardProvider } from '../../recovery/lost-checkouts.ts'
import { feeOf } from '../../settings/payment-methods.ts'
import { readSetting } from '../../settings/settings.ts'
import { beginCredit, postCardArrival } from './credit-deposit.ts'
import { lockDeposit } from './queries.ts'

const type = 'cc_gcen'

/**
 * Writes the deposit with the provider's ids and the operation that credits it. The database rejects a second deposit
 * with the same ids.
 */
export async function assignCheckout(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  checkout: AssignedCheckout,
  auditContext: AuditContext,
): Promise<void> {
  const { account, amount, credited, providerId, paymentId, ref, shown } = checkout
  const { deposit: methods } = (await readSetting(tx, 'methods', auditContext.now)).value
  const method = methods.find((one) => one.type === type)
  // An earlier credit on the platform determines the fee; otherwise today's fee of a card payment applies.
  const today = method ? feeOf(method, amount).minor : 0n
  const fee = credited !== null && credited > 0n && credited <= amount.minor ? amount.minor - credited : today
  const written = await row<{ id: DepositId }>(tx)`
    insert into deposits (client_id, account_id, type, method, gateway, amount_minor, fee_minor, currency, reference,
        language, card_type, provider, provider_id, payment_id, provider_ref, requested_at, expires_at)
      select ${account.clientId}, ${account.id}, ${type}, ${method?.method.en ?? 'Credit/Debit Card'},
        ${method?.paymentGateway ?? 'gcen'}, ${amount.minor}, ${fee}, ${amount.currency}, ${shown}, c.language,
        0, ${cardProvider}, ${providerId}, ${paymentId}, ${ref}, ${auditContext.now}::timestamptz, ${announcementExpiry(auditContext.now)}::timestamptz
      from clients c where c.id = ${account.clientId} returning id`
  const deposit = written && (await lockDeposit(tx, written.id))
  if (!deposit) throw new Error('the deposit was not inserted')
  const { login } = deposit
  const details = { amount: decimalOf(amount.minor), currency: amount.currency, account: login, reference: shown }
  await recordCreation(tx, depositMachine, auditContext, deposit, 'recover', { details })
  const set = { received_minor: amount.minor }
  await applyTransition(tx, depositMachine, auditContext, deposit, 'adopt', { set, workItem: null })
  await postCardArrival(tx, deposit, amount.minor, auditContext.now)
  await beginCredit(tx, keys, deposit, amount.minor, fee, auditContext.now)
}
