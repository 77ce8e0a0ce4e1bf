/** A second person confirms an entered payment, or staff return one to its sender (requirements 8.9). */
import type * as office from '#contract/office/bank-lines.ts'
import { bankLineMachine } from '#rules/deposits.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import { applyTransition } from '../../db/transition.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { requireFound } from '../../http/problem.ts'
import { postArrival, lineWorkItem } from '../../ledger/bank-lines.ts'
import { post } from '../../ledger/post.ts'
import { takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { withStoredReason } from '../../office/standard-reasons.ts'
import { refusalsOf } from './bank-line-responses.ts'
import { returnChecked } from './line-checks.ts'
import { bankLineById, bankStatusOf, type BankLine } from './queries.ts'

const kind = bankLineMachine.name

type DecisionContext = RequestContext<typeof office.confirmLine | typeof office.rejectLine | typeof office.sendBackLine>

async function lineForDecision(
  dependencies: Dependencies,
  context: DecisionContext,
  action: 'confirm' | 'reject' | 'sendBack',
): Promise<BankLine> {
  const line = requireFound(await bankLineById(dependencies.pool, context.params.id))
  const refusal = refusalsOf(line, requireStaff(context).staffId)[action]
  if (refusal) throw refusal
  return line
}

/** Confirms an entered payment that the second person has seen at the bank. It is then treated like an imported one. */
export const confirmLine: Handler<typeof office.confirmLine> = async (dependencies, context) => {
  const line = await lineForDecision(dependencies, context, 'confirm')
  return takeDecision(dependencies, context, kind, line.id, async (tx) => {
    await applyTransition(tx, bankLineMachine, context.auditContext, line, 'confirm', {
      version: context.body.version,
      reason: context.body.note,
      set: { confirmed_by: requireStaff(context).staffId },
      workItem: lineWorkItem(line, await workItemDueAt(dependencies, 'bank_line', context.now)),
    })
    await postArrival(tx, context.auditContext, line)
    return bankStatusOf(tx, line.id)
  })
}

/** Rejects an entered payment that never arrived. */
export const rejectLine: Handler<typeof office.rejectLine> = async (dependencies, context) => {
  const line = await lineForDecision(dependencies, context, 'reject')
  const { reason, version } = withStoredReason(context.body)
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
  const line = await lineForDecision(dependencies, context, 'sendBack')
  const { reason, version } = withStoredReason(context.body)
  const terms = await prepareChecks(dependencies, returnChecked, line, context.now)
  const body = { version, note: reason, acknowledged: [] }
  const judge = decisionChecker({ ...context, body }, returnChecked, line, terms)
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
