/** Account requests for staff, with the group and platform of the future account. */
import type * as office from '#contract/office/account-requests.ts'
import type { Check } from '#contract/office/briefs.ts'
import { accountMachine } from '#rules/accounts.ts'
import { leveragesFor } from '#rules/leverage.ts'
import { groupFor } from '#rules/platform-groups.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import { row } from '../../db/sql.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { absentPlatform, ownRequest } from '../../office/decide.ts'
import { latestOperation } from '../../office/lists.ts'
import { queuePage } from '../../office/listing.ts'
import { clientBrief, recordFieldsOf, pageCheck } from '../../office/records.ts'
import { isConnected, type Dependencies } from '../../dependencies.ts'
import { groupFactsOf } from './jobs.ts'
import { accountOpeningChecked } from './opening-checks.ts'
import { accountColumns, type TradingAccount, accountRequestListing } from './queries.ts'
import { accountRequestById, otherAccounts, type AccountOpening, type AccountRequest } from './request-queries.ts'

export const listAccountRequests: Handler<typeof office.listAccountRequests> = (dependencies, context) =>
  queuePage(
    dependencies,
    accountMachine.name,
    accountRequestListing,
    accountColumns,
    context,
    (account: TradingAccount) => ({ ...account, createdAt: account.requestedAt, number: account.login }),
  )

/** Returns why an account cannot be opened now, or null. Considers what has changed since the client's request. */
export async function openingProblem(dependencies: Dependencies, request: AccountRequest): Promise<Problem | null> {
  const { platform, clientState, clientStatus, leverage } = request
  // Suspended, closed and rejected clients are stopped by the check of their status.
  if (clientState === 'registering' || clientState === 'pending') return new Problem('client-not-approved')
  if ((await dependencies.settings.get('windDown')).newAccounts) return new Problem('new-accounts-closed')
  if (!leveragesFor(clientStatus).includes(leverage)) return new Problem('leverage-over-right')
  const absent = absentPlatform(dependencies, platform)
  if (absent) return absent
  return (await groupAtOpening(dependencies, request)) === null ? new Problem('no-platform-group') : null
}

/** Returns the group that an account would be opened in now, or null if no row of the settings matches. */
export async function groupAtOpening(dependencies: Dependencies, request: AccountOpening): Promise<string | null> {
  return groupFor((await dependencies.settings.get('platformGroups')).rows, groupFactsOf(request))
}

export const getAccountRequest: Handler<typeof office.getAccountRequest> = async (dependencies, context) => {
  const request = requireFound(await accountRequestById(dependencies.pool, context.params.id))
  const { id } = request
  const own = ownRequest(context, request.email)
  const connected = isConnected(dependencies, request.platform)
  const standsAgainst = await openingProblem(dependencies, request)
  const checks = await checksOfPage(dependencies, context as RequestContext, accountOpeningChecked, request)
  const client = await clientBrief(dependencies, request.clientId)
  const others = await otherAccounts(dependencies.pool, request.clientId, id)
  const fields = await recordFieldsOf(context, dependencies, {
    ...request,
    createdAt: request.requestedAt,
    machine: accountMachine,
    refusals: { approve: own ?? standsAgainst ?? checks.refusal, reject: own },
  })
  return {
    request: {
      ...request,
      ...fields,
      // Today's check results do not apply to a request that has already been decided.
      checks: accountOpeningChecked.isOpen(request) ? checksOf(request, client.status, connected) : [],
      decisionChecks: checks.shown,
      client,
      number: request.login,
      demoBalance: request.demoBalanceMinor,
      group: request.groupName ?? (request.state === 'rejected' ? null : await groupAtOpening(dependencies, request)),
      fromRegistration: await isFromRegistration(dependencies, id),
      otherAccounts: others.map((one) => ({
        ...one,
        number: one.login,
        balance: { amount: one.balanceMinor, currency: one.currency, at: one.readAt },
      })),
      operation: await latestOperation(dependencies.pool, {
        subject: accountMachine.name,
        record: id,
        language: context.language,
      }),
    },
  }
}

/**
 * Returns whether the account was requested by the client's approval, for registration step 4, and not by the client
 * (requirements 7.15).
 */
async function isFromRegistration(dependencies: Dependencies, id: string): Promise<boolean> {
  const found = await row<{ actor: string }>(dependencies.pool)`
    select actor from events where kind = ${accountMachine.name} and record = ${id} and verb = 'request' order by id limit 1`
  return found !== null && found.actor !== 'client'
}

function checksOf(request: AccountRequest, clientState: string, connected: boolean): Check[] {
  const verdict = (holds: boolean) => (holds ? 'ok' : 'differs')
  const { leverage, clientStatus, platform } = request
  return [
    pageCheck('client-approved', verdict(clientState === 'approved'), clientState),
    pageCheck('leverage-allowed', verdict(leveragesFor(clientStatus).includes(leverage)), leverage),
    pageCheck('platform-connected', verdict(connected), platform),
  ]
}
