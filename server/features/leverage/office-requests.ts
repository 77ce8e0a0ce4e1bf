/** Leverage requests for staff: old and new leverage, with margin and positions of the platform's last reading. */
import type { Check } from '#contract/office/briefs.ts'
import type * as office from '#contract/office/leverage-requests.ts'
import { leverageRequestMachine } from '#rules/leverage-requests.ts'
import { leveragesForAccount } from '#rules/leverage.ts'
import type { Money } from '#rules/money.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { cachedSnapshot, type AccountSnapshot } from '../../ledger/account-snapshot.ts'
import { absentPlatform, ownRequest } from '../../office/decide.ts'
import { latestOperation } from '../../office/lists.ts'
import { queuePage } from '../../office/listing.ts'
import { clientBrief, recordFieldsOf, pageCheck } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { commentText } from '../../i18n/format.ts'
import { leverageChecked } from './leverage-checks.ts'
import { leverageColumns, leverageListing, leverageRequestById, type LeverageRequest } from './queries.ts'

const kind = leverageRequestMachine.name

export const listLeverageRequests: Handler<typeof office.listLeverageRequests> = (dependencies, context) =>
  queuePage(dependencies, kind, leverageListing, leverageColumns, context, (request: LeverageRequest) => ({
    ...request,
    createdAt: request.requestedAt,
    accountNumber: request.login,
  }))

/** Returns the leverages allowed for client and account now. */
function allowedFor(request: LeverageRequest): number[] {
  return [...leveragesForAccount(request.clientStatus, request.accountStatus)]
}

/** Returns why a leverage cannot be set now, or null. Considers what has changed since the client's request. */
export async function leverageProblem(dependencies: Dependencies, request: LeverageRequest): Promise<Problem | null> {
  const absent = absentPlatform(dependencies, request.platform)
  if (absent) return absent
  if ((await dependencies.settings.get('windDown')).leverage) return new Problem('leverage-closed')
  return allowedFor(request).includes(request.to) ? null : new Problem('leverage-over-right')
}

export const getLeverageRequest: Handler<typeof office.getLeverageRequest> = async (dependencies, context) => {
  const request = requireFound(await leverageRequestById(dependencies.pool, context.params.id))
  const { id, currency } = request
  const own = ownRequest(context, request.clientEmail)
  const allowed = allowedFor(request)
  const standsAgainst = await leverageProblem(dependencies, request)
  const decisionChecks = await checksOfPage(dependencies, context as RequestContext, leverageChecked, request)
  const figures = await cachedSnapshot(dependencies.pool, request.accountId, currency)
  const fact = (amount: (figures: AccountSnapshot) => Money | null) => ({
    amount: (figures && amount(figures))?.minor ?? null,
    currency,
    at: figures?.readAt ?? null,
  })
  const fields = await recordFieldsOf(context, dependencies, {
    ...request,
    createdAt: request.requestedAt,
    reason: commentText(request.reason ?? '', context.language) || null,
    machine: leverageRequestMachine,
    refusals: { approve: own ?? standsAgainst ?? decisionChecks.refusal, reject: own },
  })
  return {
    request: {
      ...request,
      ...fields,
      checks: leverageChecked.isOpen(request) ? checksOf(request, allowed, figures) : [],
      decisionChecks: decisionChecks.shown,
      client: await clientBrief(dependencies, request.clientId),
      accountNumber: request.login,
      accountClientStatus: request.accountStatus,
      allowed,
      balance: fact((one) => one.balance),
      equity: fact((one) => one.equity),
      margin: fact((one) => one.margin),
      freeMargin: fact((one) => one.freeMargin),
      openPositions: figures?.openPositions ?? null,
      operation: await latestOperation(dependencies.pool, { subject: kind, record: id, language: context.language }),
    },
  }
}

/** Current checks: a request that has been decided has none. */
function checksOf({ to }: LeverageRequest, allowed: readonly number[], figures: AccountSnapshot | null): Check[] {
  const positions = figures && figures.openPositions
  return [
    pageCheck('leverage-allowed', allowed.includes(to) ? 'ok' : 'differs', allowed.join(', '), to),
    pageCheck('no-open-positions', positions === null ? 'unknown' : positions === 0 ? 'ok' : 'warn', positions),
  ]
}
