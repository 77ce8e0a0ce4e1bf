/** A payment entered manually (requirements 8.9). */
import type * as office from '#contract/office/bank-lines.ts'
import { dayIn, dayOf, compareDays } from '#rules/dates.ts'
import { bankLineMachine, initialLineState } from '#rules/deposits.ts'
import { decimalOf, money } from '#rules/money.ts'
import type { BankLineId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { row, transaction } from '../../db/sql.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { postArrival, lineWorkItem, sumEnteredBy } from '../../ledger/bank-lines.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { firmAccount } from './firm-account.ts'
import { bankStatusOf } from './queries.ts'

const kind = bankLineMachine.name

export const enterBankTransaction: Handler<typeof office.enterBankTransaction> = async (dependencies, context) => {
  const { body } = context
  const account = await firmAccount(dependencies, body.bankAccount)
  if (account.currency !== body.currency) throw new Problem('other-currency', { field: 'currency' })
  const { timeZone } = await dependencies.settings.get('firm')
  const booked = dayOf(body.bookedOn)
  if (!booked || compareDays(booked, dayIn(context.now, timeZone)) > 0)
    throw new Problem('date-invalid', { field: 'bookedOn' })
  const thresholds = await dependencies.settings.get('thresholds')
  // The bank may never send another statement of a replaced account, which would show that a receipt was invented.
  const threshold = account.replacedAt === null ? thresholds[body.currency] : 0n
  const { staffId } = requireStaff(context)
  return transaction(dependencies.pool, async (tx) => {
    const before = await sumEnteredBy(tx, staffId, body.currency, context.now)
    const state = initialLineState(money(body.amount, body.currency), before, money(threshold, body.currency))
    const written = await row<{ id: BankLineId }>(tx)`
      insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, payer_account, remittance,
          booked_on, state, typed_by, created_at)
        values (${account.name}, ${body.bankId}, ${body.amount}, ${body.currency}, ${body.payer},
          ${body.payerAccount.replace(/\s/g, '').toUpperCase()}, ${body.remittance}, ${body.bookedOn}, ${state},
          ${staffId}, ${context.now})
        on conflict (bank_account, bank_id) where state <> 'rejected' do nothing returning id`
    if (!written) throw new Problem('line-known', { field: 'bankId' })
    const { id } = written
    const details = {
      amount: decimalOf(body.amount),
      currency: body.currency,
      bankId: body.bankId,
      payer: body.payer,
    }
    await recordEvent(tx, context.auditContext, { kind, action: 'type', record: id, to: state, details })
    const line = { ...body, id, amountMinor: body.amount, bankAccount: account.name }
    const waits = state === 'second_approval' || (await postArrival(tx, context.auditContext, line))
    if (waits)
      await openWorkItem(
        tx,
        kind,
        id,
        context.now,
        lineWorkItem(line, await workItemDueAt(dependencies, 'bank_line', context.now), state),
      )
    return { id, ...(await bankStatusOf(tx, id)) }
  })
}
