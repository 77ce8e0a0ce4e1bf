/**
 * Finance proposes a transfer of the firm's own money, or declares a bank transaction to be one; another person
 * confirms.
 */
import { randomBytes } from 'node:crypto'
import type { proposeFirmMoney as endpoint } from '#contract/office/firm-money.ts'
import { checkFirmTransfer, firmMoneyMachine } from '#rules/firm-money.ts'
import { decimalOf, money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import type { BankLineId, FirmMoneyId } from '#rules/ids.ts'
import { row, type Transaction } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { amountText } from '../../i18n/format.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { lockLine, surplusIn } from './queries.ts'

export const proposeFirmTransfer: Handler<typeof endpoint> = async (dependencies, context) => {
  const { amount, currency, reason, lineId = null } = context.body
  const { referencePrefix } = await dependencies.settings.get('firm')
  const dueAt = await workItemDueAt(dependencies, 'firm_money', context.now)
  const reference = referenceFrom(referencePrefix, randomBytes(5))
  return withIdempotency(dependencies.pool, context, async (tx) => {
    await assertTransferAllowed(tx, context, lineId)
    const asked = await row<{ id: FirmMoneyId }>(tx)`
      insert into firm_money_moves (reference, amount_minor, currency, reason, bank_line, asked_by, asked_at)
        values (${reference}, ${amount}, ${currency}, ${reason}, ${lineId}::uuid, ${requireStaff(context).staffId}, ${context.now})
        on conflict (bank_line) where state <> 'rejected' do nothing returning id`
    if (!asked) throw new Problem('line-not-free', { field: 'lineId' })
    const facts = { amount: decimalOf(amount), currency, reference }
    await recordCreation(tx, firmMoneyMachine, context.auditContext, { id: asked.id }, 'ask', {
      reason,
      details: { after: facts },
      workItem: { dueAt, summary: facts },
    })
    return { id: asked.id, reference }
  })
}

/** A bank transaction has already happened, so the surplus is not checked. A future payment must be covered by it. */
async function assertTransferAllowed(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  lineId: BankLineId | null,
) {
  const { amount, currency } = context.body
  if (lineId === null) return assertWithinSurplus(tx, context, money(amount, currency))
  const line = await lockLine(tx, lineId)
  if (line?.state !== 'unmatched') throw new Problem('line-not-free', { field: 'lineId' })
  if (line.amountMinor !== amount || line.currency !== currency) throw new Problem('line-differs', { field: 'amount' })
}

/** Throws `more-than-firms-own` if the transfer would include clients' money. */
export async function assertWithinSurplus(
  tx: Transaction,
  context: Pick<RequestContext, 'language'>,
  amount: ReturnType<typeof money>,
): Promise<void> {
  const surplus = await surplusIn(tx, amount.currency)
  const most = amountText(money(surplus > 0n ? surplus : 0n, amount.currency), context.language)
  throwIfProblem(checkFirmTransfer(amount, surplus), { values: { most }, field: 'amount' })
}
