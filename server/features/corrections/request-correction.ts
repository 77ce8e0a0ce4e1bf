/** Finance requests a correction of an account's ledger balance; another person decides (requirements 21.6). */
import { randomBytes } from 'node:crypto'
import type { requestCorrection as endpoint } from '#contract/office/accounting.ts'
import { correctionMachine } from '#rules/corrections.ts'
import { decimalOf } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import type { CorrectionId } from '#rules/ids.ts'
import { requireRow } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { correctableAccount } from './queries.ts'

/** Finance requests a correction of an account's ledger balance; another person decides (requirements 21.6). */
export const requestCorrection: Handler<typeof endpoint> = async (dependencies, context) => {
  const { accountId, amount, currency, reason } = context.body
  const account = await correctableAccount(dependencies.pool, accountId)
  if (!account) throw new Problem('account-unknown', { field: 'accountId' })
  if (account.currency !== currency) throw new Problem('other-currency', { field: 'currency' })
  assertNotOwnRequest(requireStaff(context), account.clientEmail)
  const dueAt = await workItemDueAt(dependencies, 'correction', context.now)
  const { referencePrefix } = await dependencies.settings.get('firm')
  const reference = referenceFrom(referencePrefix, randomBytes(5))
  return withIdempotency(dependencies.pool, context, async (tx) => {
    const asked = await requireRow<{ id: CorrectionId }>(tx)`
      insert into corrections (account_id, amount_minor, currency, reference, reason, asked_by, asked_at)
        values (${account.id}, ${amount}, ${currency}, ${reference}, ${reason}, ${requireStaff(context).staffId}, ${context.now}) returning id`
    const facts = { amount: decimalOf(amount), currency, account: account.login, reference }
    const of = { id: asked.id, clientId: account.clientId }
    await recordCreation(tx, correctionMachine, context.auditContext, of, 'ask', {
      reason,
      details: { after: facts },
      workItem: { dueAt, summary: facts },
    })
    return { id: asked.id }
  })
}
