/** Finance requests a correction of an account's ledger balance; another person decides (requirements 21.6). */
import { randomBytes } from 'node:crypto'
import type { requestCorrection as endpoint } from '#contract/office/accounting.ts'
import { correctionMachine } from '#rules/corrections.ts'
import { decimalOf, isLessThan, money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import type { CorrectionId, DepositId } from '#rules/ids.ts'
import { checkTerms } from '../../checks/checked-request.ts'
import { requireRow, type Transaction } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { amountText } from '../../i18n/format.ts'
import { lockCreditedDeposit } from '../deposits/queries.ts'
import { assertRefundNotBlocked } from './correction-checks.ts'
import { correctableAccount, returnableAmount } from './queries.ts'

/** Finance requests a correction of an account's ledger balance; another person decides (requirements 21.6). */
export const requestCorrection: Handler<typeof endpoint> = async (dependencies, context) => {
  const { accountId, amount, currency, reason, depositId } = context.body
  const account = await correctableAccount(dependencies.pool, accountId)
  if (!account) throw new Problem('account-unknown', { field: 'accountId' })
  if (account.currency !== currency) throw new Problem('other-currency', { field: 'currency' })
  assertNotOwnRequest(requireStaff(context), account.clientEmail)
  const dueAt = await workItemDueAt(dependencies, 'correction', context.now)
  const { referencePrefix } = await dependencies.settings.get('firm')
  const reference = referenceFrom(referencePrefix, randomBytes(5))
  const terms = await checkTerms(dependencies, context.now)
  return withIdempotency(dependencies.pool, context, async (tx) => {
    const deposit = depositId === undefined ? null : await depositToReturn(tx, context, depositId)
    const asked = await requireRow<{ id: CorrectionId }>(tx)`
      insert into corrections (account_id, amount_minor, currency, reference, reason, deposit_id, asked_by, asked_at)
        values (${account.id}, ${amount}, ${currency}, ${reference}, ${reason}, ${depositId ?? null},
          ${requireStaff(context).staffId}, ${context.now}) returning id`
    await assertRefundNotBlocked(tx, context, terms, asked.id)
    const returned = deposit && { deposit: deposit.reference }
    const facts = { amount: decimalOf(amount), currency, account: account.login, reference, ...returned }
    const of = { id: asked.id, clientId: account.clientId }
    await recordCreation(tx, correctionMachine, context.auditContext, of, 'ask', {
      reason,
      details: { after: facts },
      workItem: { dueAt, summary: facts },
    })
    return { id: asked.id }
  })
}

type Requesting = RequestContext<typeof endpoint>

/**
 * Returns the deposit that a correction returns. Throws unless the deposit was credited to the account and the amount
 * is a debit of no more than is left of it after all other corrections, including pending ones.
 */
async function depositToReturn(tx: Transaction, { body, language }: Requesting, id: DepositId) {
  const { accountId, amount, currency } = body
  const deposit = await lockCreditedDeposit(tx, accountId, id)
  if (!deposit) throw new Problem('deposit-not-of-account', { field: 'depositId' })
  if (deposit.currency !== currency) throw new Problem('other-currency', { field: 'depositId' })
  if (amount > 0n) throw new Problem('return-is-debit', { field: 'amount' })
  const left = money(await returnableAmount(tx, id), currency)
  if (isLessThan(left, money(-amount, currency)))
    throw new Problem('more-than-deposit-left', { field: 'amount', values: { left: amountText(left, language) } })
  return deposit
}
