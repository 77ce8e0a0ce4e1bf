/** What could not be done: what was tried, what it means for the client, and trying again. */
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { ClientBrief } from '#contract/office/briefs.ts'
import * as office from '#contract/office/records.ts'
import { mayDo } from '#rules/permissions.ts'
import { record } from '../../db/events.ts'
import { sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, sentence } from '../../http/problem.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import { checkRetry, retryOperation, retryQueueJob } from '../../jobs/retry-operation.ts'
import { pageOf } from '../../office/listing.ts'
import { clientBriefs } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { meaningOf } from './meaning.ts'
import { failedById, failedListing, type FailedRow } from './queries.ts'

type Listed = AnswerOf<typeof office.listFailedJobs>
type Detail = AnswerOf<typeof office.getFailedJob>

export function failedJobRoutes(serve: Serve, parts: Parts): void {
  serve(office.listFailedJobs, (call) => list(parts, call))
  serve(office.getFailedJob, (call) => show(parts, call))
  serve(office.retryJob, (call) => retry(parts, call))
}

async function list(parts: Parts, call: Call<typeof office.listFailedJobs>): Promise<Listed> {
  const { rows, next } = await pageOf<FailedRow, QueryOf<typeof office.listFailedJobs>>(
    parts,
    failedListing,
    sql`f.*`,
    call.query,
  )
  const clients = await clientBriefs(
    parts,
    parts.pool,
    rows.flatMap((one) => one.clientId ?? []),
  )
  return { rows: rows.map((one) => shown(call, one, clients)), next }
}

function shown(call: Call, one: FailedRow, clients: ReadonlyMap<string, ClientBrief>): Listed['rows'][number] {
  const { id, source, state, ref, tries, lastError, firstAt, lastAt, subject, record: recordId } = one
  const code = mayDo('retryJob', staffOf(call).roles) ? refusalOf(one, call.now) : 'wrong-role'
  return {
    id,
    source,
    state,
    ref,
    tries,
    lastError,
    firstAt,
    lastAt,
    nextTryAt: one.nextTryAt,
    subject,
    record: recordId,
    kind: one.leg ?? one.kind,
    client: one.clientId === null ? null : (clients.get(one.clientId) ?? null),
    meaning: meaningOf(one),
    refusal: code && { code, text: sentence(code, call.language) },
  }
}

function refusalOf(one: FailedRow, now: Date) {
  if (one.source === 'job') return null
  const { asked, askedFirstAt, parkedAt, inInbox } = one
  return checkRetry(
    { state: one.state as never, asked, asked_first_at: askedFirstAt, parked_at: parkedAt, in_inbox: inInbox },
    now,
  )
}

async function show(parts: Parts, call: Call<typeof office.getFailedJob>): Promise<Detail> {
  const one = await failedById(parts.pool, call.params.source, call.params.id)
  if (!one) throw new Problem('not-found')
  const clients = await clientBriefs(parts, parts.pool, one.clientId === null ? [] : [one.clientId])
  const steps: { at: Date | null; what: string; error: string | null }[] = [
    { at: one.firstAt, what: 'written', error: null },
    { at: one.sentAt, what: 'sent', error: one.asked === 0 ? one.lastError : null },
    { at: one.askedFirstAt, what: 'asked', error: one.asked > 0 ? one.lastError : null },
    { at: one.parkedAt, what: 'parked', error: null },
    { at: one.source === 'job' ? one.lastAt : null, what: 'failed', error: one.lastError },
  ]
  return {
    job: shown(call, one, clients),
    tries: steps.flatMap(({ at, what, error }) => (at === null ? [] : [{ at, what, error }])),
  }
}

async function retry(parts: Parts, call: Call<typeof office.retryJob>): Promise<Record<string, never>> {
  const { source, id } = call.params
  const { reason } = call.body
  await transaction(parts.pool, async (tx) => {
    if (source === 'operation') {
      const { client_id: clientId, id: recordId, kind, ref } = await retryOperation(tx, parts.keys, id, call.now)
      await record(tx, call.act, {
        kind: 'operation',
        verb: 'retry',
        record: recordId,
        reason,
        details: { kind, ref },
        ...(clientId === null ? {} : { clientId }),
      })
      return
    }
    const dead = await failedById(tx, 'job', id)
    if (!dead || !(await retryQueueJob(tx, id))) throw new Problem('job-gone')
    await record(tx, call.act, { kind: 'job', verb: 'retry', reason, details: { id, kind: dead.kind } })
  })
  return {}
}
