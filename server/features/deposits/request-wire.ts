/** A client requests a bank transfer deposit and receives the account and the reference for it (requirements 8.7). */
import { randomBytes } from 'node:crypto'
import type { requestWirePayment as endpoint } from '#contract/deposits.ts'
import { announcementExpiry, depositMachine } from '#rules/deposits.ts'
import { decimalOf, money, type Money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import type { DepositId } from '#rules/ids.ts'
import { recordCreation } from '../../db/transition.ts'
import { row, type Transaction, requireRow } from '../../db/sql.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import { amountText } from '../../i18n/format.ts'
import { lockRequester } from '../clients/queries.ts'
import { validateDeposit } from './request-deposit.ts'

/**
 * Throws if the client's requested wires that have not arrived would exceed their total maximum (requirements 8.17).
 * The lock on the client's row serializes concurrent requests.
 */
async function assertWithinLimits(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  amount: Money,
  most: Money,
) {
  const { clientId } = requireClient(context)
  const { currency } = amount
  await row(tx)`select id from clients where id = ${clientId} for no key update`
  const announced = await row<{ sum: bigint }>(tx)`select coalesce(sum(amount_minor), 0)::bigint as sum from deposits
      where client_id = ${clientId} and type = 'wire' and state = 'pending' and currency = ${currency}`
  const sum = money(announced?.sum ?? 0n, currency)
  if (sum.minor + amount.minor <= most.minor) return
  throw new Problem(sum.minor === 0n ? 'announced-over-maximum' : 'announced-too-much', {
    field: 'depositAmountSent',
    values: { sum: amountText(sum, context.language), most: amountText(most, context.language) },
  })
}

export const requestWirePayment: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const allowed = await validateDeposit(dependencies, context, { ...context.body, type: 'wire', cardType: null })
  const { account, amount, fee, method, prefix } = allowed
  const { currency } = amount
  const wireAccount = (await dependencies.settings.get('wireAccounts'))[currency]
  if (wireAccount.IBAN === '' && wireAccount.BankAccountNumber === '')
    throw new Problem('wire-account-missing', { values: { currency } })
  const { announcedMax } = await dependencies.settings.get('limits')
  const most = money(announcedMax[currency], currency)
  const expiresAt = announcementExpiry(context.now)
  return withIdempotency(dependencies.pool, context, async (tx) => {
    await lockRequester(tx, clientId)
    await assertWithinLimits(tx, context, amount, most)
    const reference = referenceFrom(prefix, randomBytes(5))
    const written = await requireRow<{ id: DepositId }>(tx)`
      insert into deposits (client_id, account_id, type, method, gateway, amount_minor, fee_minor, currency,
          reference, wire_account, requested_at, expires_at)
        values (${clientId}, ${account.id}, 'wire', ${method.method.en}, ${method.paymentGateway}, ${amount.minor},
          ${fee.minor}, ${currency}, ${reference}, ${JSON.stringify(wireAccount)}::text::jsonb, ${context.now},
          ${expiresAt})
        returning id`
    const details = { amount: decimalOf(amount.minor), currency, account: account.login, reference, type: 'wire' }
    await recordCreation(tx, depositMachine, context.auditContext, { id: written.id, clientId }, 'request', { details })
    return {
      id: written.id,
      bankDetails: { ...wireAccount, BankReference: reference },
      amount: amount.minor,
      currency,
      expiresAt,
    }
  })
}
