/** Payments entered manually, and the second person who confirms the large ones (requirements 8.9). */
import type * as office from '#contract/office/bank-lines.ts'
import { dayIn, dayOf, compareDays } from '#rules/dates.ts'
import { bankLineMachine, newLineState, type BankLineState } from '#rules/deposits.ts'
import { decimalOf, money } from '#rules/money.ts'
import type { BankLineId } from '#rules/ids.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { row, transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { arrived, lineWorkItem } from '../../ledger/bank-lines.ts'
import { post } from '../../ledger/post.ts'
import { takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { withKeptReason } from '../../office/standard-reasons.ts'
import { refusalsOf } from './bank-line-responses.ts'
import { firmAccount } from './firm-account.ts'
import { returnChecked } from './line-checks.ts'
import { bankLineById, type BankLine } from './queries.ts'

const kind = bankLineMachine.name

export const enterBankTransaction: Handler<typeof office.enterBankTransaction> = async (dependencies, context) => {
  const { body } = context
  const account = await firmAccount(dependencies, body.bankAccount)
  if (account.currency !== body.currency) throw new Problem('other-currency', { field: 'currency' })
  const { timeZone } = await dependencies.settings.get('firm')
  const booked = dayOf(body.bookedOn)
  if (!booked || compareDays(booked, dayIn(context.now, timeZone)) > 0)
    throw new Problem('date-invalid', { field: 'bookedOn' })
  const threshold = (await dependencies.settings.get('thresholds'))[body.currency]
  const state = newLineState(money(body.amount, body.currency), money(threshold, body.currency))
  return transaction(dependencies.pool, async (tx) => {
    const written = await row<{ id: BankLineId }>(tx)`
      insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, payer_account, remittance,
          booked_on, state, typed_by, created_at)
        values (${account.name}, ${body.bankId}, ${body.amount}, ${body.currency}, ${body.payer},
          ${body.payerAccount.replace(/\s/g, '').toUpperCase()}, ${body.remittance}, ${body.bookedOn}, ${state},
          ${requireStaff(context).staffId}, ${context.now})
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
    const waits = state === 'second_approval' || (await arrived(tx, context.auditContext, line))
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

/** Returns the state of a bank transaction after it was posted: a returned payout is matched immediately. */
async function bankStatusOf(tx: Transaction, id: BankLineId): Promise<{ state: BankLineState; version: number }> {
  const found = await requireRow<{ state: BankLineState; version: number }>(tx)`
    select state, version from bank_lines where id = ${id}`
  return found
}

type Deciding = RequestContext<typeof office.confirmLine | typeof office.rejectLine | typeof office.sendBackLine>

async function forDecision(
  dependencies: Dependencies,
  context: Deciding,
  action: 'confirm' | 'reject' | 'sendBack',
): Promise<BankLine> {
  const line = await bankLineById(dependencies.pool, context.params.id)
  if (!line) throw new Problem('not-found')
  const refusal = refusalsOf(line, requireStaff(context).staffId)[action]
  if (refusal) throw refusal
  return line
}

/** Confirms an entered payment that the second person has seen at the bank. It is then treated like an imported one. */
export const confirmLine: Handler<typeof office.confirmLine> = async (dependencies, context) => {
  const line = await forDecision(dependencies, context, 'confirm')
  return takeDecision(dependencies, context, kind, line.id, async (tx) => {
    await applyTransition(tx, bankLineMachine, context.auditContext, line, 'confirm', {
      version: context.body.version,
      reason: context.body.note,
      set: { confirmed_by: requireStaff(context).staffId },
      workItem: lineWorkItem(line, await workItemDueAt(dependencies, 'bank_line', context.now)),
    })
    await arrived(tx, context.auditContext, line)
    return bankStatusOf(tx, line.id)
  })
}

/** Rejects an entered payment that never arrived. */
export const rejectLine: Handler<typeof office.rejectLine> = async (dependencies, context) => {
  const line = await forDecision(dependencies, context, 'reject')
  const { reason, version } = withKeptReason(context.body)
  return takeDecision(dependencies, context, kind, line.id, (tx) =>
    applyTransition(tx, bankLineMachine, context.auditContext, line, 'reject', {
      version,
      reason,
      set: { reason },
      workItem: null,
    }),
  )
}

/** Returns money to its sender: it leaves the unallocated receipts and the bank account. */
export const sendBackLine: Handler<typeof office.sendBackLine> = async (dependencies, context) => {
  const line = await forDecision(dependencies, context, 'sendBack')
  const { reason, version } = withKeptReason(context.body)
  const terms = await prepareChecks(dependencies, returnChecked, line, context.now)
  const body = { version, note: reason, acknowledged: [] }
  const judge = judging({ ...context, body }, returnChecked, line, terms)
  const { id, amountMinor, currency, bankAccount: name } = line
  return takeDecision(dependencies, context, kind, id, async (tx) => {
    const after = await applyTransition(tx, bankLineMachine, context.auditContext, { id }, 'sendBack', {
      version,
      reason,
      details: await judge(tx),
      set: { reason },
      workItem: null,
    })
    await post(tx, context.now, { ref: `sent-back:${id}`, kind: 'wire-sent-back', subject: kind, record: id }, [
      { account: { kind: 'arrived_unmatched', currency }, minor: amountMinor },
      { account: { kind: 'bank', currency, name }, minor: -amountMinor },
    ])
    return after
  })
}
