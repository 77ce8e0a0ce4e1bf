/** Failed operations: their attempts, their effect on the client, and the retry. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { ClientBrief } from '#contract/office/briefs.ts'
import { listMissingRights } from '#contract/office/platform-rights.ts'
import * as office from '#contract/office/records.ts'
import type { Language } from '#rules/choices.ts'
import { can } from '#rules/permissions.ts'
import { transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem, problemText, requireFound } from '../../http/problem.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { platformReadings } from '../../jobs/platform-days.ts'
import { checkRetry, retryOperation } from '../../jobs/retry-operation.ts'
import { answerText, unreadableAccountText, unreadableText, type UnreadableDeals } from '../../office/answer-text.ts'
import type { UnreadableParts } from '../../ledger/unreadable-accounts.ts'
import { pageOf } from '../../office/listing.ts'
import { clientsOf } from '../../office/records.ts'
import { isConnected, type Dependencies } from '../../dependencies.ts'
import { meaningOf } from './meaning.ts'
import { failedById, failedColumns, failedListing, type FailedRow } from './queries.ts'
import { retryJob } from './retry-job.ts'

type Listed = ResponseOf<typeof office.listFailedJobs>
type Detail = ResponseOf<typeof office.getFailedJob>

export function failedOperationRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listFailedJobs, (dependencies, context) => listFailed(dependencies, context))
  registerEndpoint(office.getFailedJob, (dependencies, context) => showFailed(dependencies, context))
  registerEndpoint(listMissingRights, async (dependencies) => {
    const read = await platformReadings(dependencies.pool)
    const lacking = read.filter(
      ({ platform, missingRights }) => missingRights.length > 0 && isConnected(dependencies, platform),
    )
    return {
      platforms: lacking.map(({ platform, readAt, missingRights }) => ({
        platform,
        readAt,
        rights: [...missingRights],
      })),
    }
  })
  registerEndpoint(office.retryJob, (dependencies, context) => retryFailed(dependencies, context))
}

async function listFailed(
  dependencies: Dependencies,
  context: RequestContext<typeof office.listFailedJobs>,
): Promise<Listed> {
  const { rows, next } = await pageOf(dependencies, failedListing, failedColumns, context.query)
  const clientOf = await clientsOf(dependencies, rows)
  return { rows: rows.map((one) => failedResponse(context, one, clientOf(one.clientId))), next }
}

function failedResponse(context: RequestContext, one: FailedRow, client: ClientBrief | null): Listed['rows'][number] {
  const code = can('retryJob', requireStaff(context).roles) ? retryProblem(one, context.now) : 'wrong-role'
  return {
    ...one,
    kind: one.leg ?? one.kind,
    lastError: errorText(one, context.language),
    client,
    meaning: meaningOf(one),
    refusal: code && { code, text: problemText(code, context.language) },
  }
}

function errorText({ source, lastError }: FailedRow, language: Language): string | null {
  if (lastError !== null && source === 'trades')
    return unreadableText(JSON.parse(lastError) as UnreadableDeals, language)
  if (lastError !== null && source === 'account')
    return unreadableAccountText(JSON.parse(lastError) as UnreadableParts, language)
  return answerText(lastError, language)
}

function retryProblem(one: FailedRow, now: Date) {
  if (one.source !== 'operation') return null
  return checkRetry({ ...one, state: one.state as never }, now)
}

async function showFailed(
  dependencies: Dependencies,
  context: RequestContext<typeof office.getFailedJob>,
): Promise<Detail> {
  const one = requireFound(await failedById(dependencies.pool, context.params.source, context.params.id))
  const clientOf = await clientsOf(dependencies, [one])
  const lastError = errorText(one, context.language)
  const steps: { at: Date | null; what: string; error: string | null }[] = [
    { at: one.firstAt, what: 'written', error: ['trades', 'account'].includes(one.source) ? lastError : null },
    { at: one.sentAt, what: 'sent', error: one.asked === 0 ? lastError : null },
    { at: one.askedFirstAt, what: 'asked', error: one.asked > 0 ? lastError : null },
    { at: one.parkedAt, what: 'parked', error: null },
    { at: one.source === 'job' ? one.lastAt : null, what: 'failed', error: lastError },
  ]
  return {
    job: failedResponse(context, one, clientOf(one.clientId)),
    tries: steps.flatMap(({ at, what, error }) => (at === null ? [] : [{ at, what, error }])),
  }
}

async function retryFailed(
  dependencies: Dependencies,
  context: RequestContext<typeof office.retryJob>,
): Promise<Record<string, never>> {
  const { source, id } = context.params
  const { reason } = context.body
  await transaction(dependencies.pool, async (tx) => {
    if (source === 'operation') return retryOperation(tx, dependencies.keys, { id, reason }, context.auditContext)
    if (!(await retryJob(tx, { source, id, reason }, context.auditContext))) throw new Problem('job-gone')
  })
  return {}
}
