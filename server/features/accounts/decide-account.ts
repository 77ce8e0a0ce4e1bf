/** Staff decide on an account request: approving it opens the account on its platform (requirements 7.4). */
import type * as office from '#contract/office/account-requests.ts'
import { accountMachine } from '#rules/accounts.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { decide, rejectRequest, requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import { enqueueOpening, notifyOpened } from './jobs.ts'
import { groupAtOpening, openingProblem } from './office-requests.ts'
import { accountOpeningChecked } from './opening-checks.ts'
import { accountRequestById, type AccountRequest } from './request-queries.ts'

export const approveAccount: Handler<typeof office.approveAccount> = async (dependencies, context) => {
  const request = await accountForDecision(dependencies, context)
  const standsAgainst = request.state === 'pending' && (await openingProblem(dependencies, request))
  if (standsAgainst) throw standsAgainst
  const group = await groupAtOpening(dependencies, request)
  const terms = await prepareChecks(dependencies, accountOpeningChecked, request, context.now)
  const { version, note } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  const judge = decisionChecker(context, accountOpeningChecked, request, terms)
  return decide(
    dependencies,
    context,
    accountMachine,
    { request, action: 'approve', version, reason: note, set, judge },
    async (tx) => {
      if (group === null) throw new Problem('no-platform-group')
      await enqueueOpening(tx, dependencies, { ...request, group }, context.now)
    },
  )
}

export const rejectAccount: Handler<typeof office.rejectAccount> = async (dependencies, context) => {
  const request = await accountForDecision(dependencies, context)
  return rejectRequest(dependencies, context, accountMachine, request, (tx, reason) =>
    notifyOpened(tx, request, 'account-rejected', { reason }, context.now),
  )
}

async function accountForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.approveAccount>, 'params' | 'caller'>,
) {
  const request = await accountRequestById(dependencies.pool, context.params.id)
  return requestToDecide<AccountRequest>(context, request, ({ email }) => email)
}
