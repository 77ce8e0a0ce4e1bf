/**
 * Mails are kept while the mail server is unavailable (`retryLater` of drive-claimed.ts) or rejects all recipients,
 * which is detected here. They are sent again once the server accepts one (ADR 96).
 */
import { row, rows, run, sql, type Transaction } from '../db/sql.ts'
import { closeWorkItem } from '../db/work-items.ts'
import { everyEmailRejected } from '../integrations/mail/answer-labels.ts'
import { openOperationItem, outageDelayMsMax, type Operation } from './operation.ts'

/** This number of different addresses rejected in a row is not a coincidence. */
const addressesMin = 3
const lookBackMs = 86_400_000
const firstWaitMs = 60_000
const lockKey = 7_420_004

type DeferredMail = Pick<Operation, 'id' | 'kind' | 'ref' | 'subject' | 'clientId' | 'tries'> & {
  readonly to: string
  readonly isFinal: boolean
}

/**
 * Defers this mail and those rejected before it, and returns true, if the mail server has rejected several different
 * addresses and accepted none in between. A deferred mail that is rejected again after another was accepted is rejected
 * permanently. `triesMax`: after this number of attempts a mail is left to staff.
 */
export async function deferDuringOutage(
  tx: Transaction,
  operation: Pick<Operation, 'id'>,
  triesMax: number,
  now: Date,
): Promise<boolean> {
  // One after the other: two concurrent rejections would not see each other.
  await run(tx)`select pg_advisory_xact_lock(${lockKey})`
  const last = await row<{ taken: Date | null; kept: Date | null }>(tx)`
    select (select max(settled_at) from operations where kind = 'mail' and state = 'done') as taken,
      (select kept_at from operations where id = ${operation.id}) as kept`
  const taken = last?.taken ?? new Date(0)
  if (last?.kept && last.kept < taken) return false
  const refused = await mailsRejectedSince(tx, new Date(Math.max(taken.getTime(), now.getTime() - lookBackMs)))
  if (new Set(refused.map(({ to }) => to)).size < addressesMin) return false
  for (const message of refused) if (message.isFinal) await deferMail(tx, message, triesMax, now)
  return refused.some(({ id }) => id === operation.id)
}

/**
 * Returns the mails that the server itself rejected since then, including deferred ones, without those that we did not
 * send.
 */
function mailsRejectedSince(tx: Transaction, since: Date): Promise<DeferredMail[]> {
  const columns = sql`id, kind, ref, subject, client_id as "clientId", tries, payload ->> 'to' as "to"`
  return rows<DeferredMail>(tx)`select ${columns}, true as "isFinal" from operations
        where kind = 'mail' and state = 'refused' and sent_at > ${since} and result -> 'refused' ->> 'reason' = 'refused'
      union all
      select ${columns}, false from operations
        where kept_at > ${since} and sent_at > ${since} and state in ('waiting', 'sending') order by id`
}

async function deferMail(tx: Transaction, message: DeferredMail, triesMax: number, now: Date): Promise<void> {
  const { id, tries } = message
  const park = tries >= triesMax
  const waitMs = Math.min(outageDelayMsMax, firstWaitMs * 2 ** Math.max(0, tries - 1))
  const held = await run(tx)`
    update operations set state = 'waiting', settled_at = null, result = null, kept_at = ${now},
        parked_at = ${park ? now : null}, next_try_at = ${new Date(now.getTime() + waitMs)},
        last_error = ${`${everyEmailRejected} `}::text || last_error
      where id = ${id} and state = 'refused'`
  if (held !== 1) return
  await (park
    ? openOperationItem(tx, message, 'not-sent', now)
    : closeWorkItem(tx, 'operation', id, { identity: { kind: 'clock' }, now }))
}

/**
 * Makes the mails of an outage due now, since the server has accepted this one; also those that were left to staff. A
 * mail is released once: one that the server cannot take while it accepts others waits for its own time.
 */
export async function releaseKeptMails(
  tx: Transaction,
  { id: accepted }: Pick<Operation, 'id'>,
  now: Date,
): Promise<void> {
  const released = await rows<{ id: string; wasParked: boolean }>(tx)`
    update operations set next_try_at = ${now}, parked_at = null, tries = case when parked_at is null then tries else 0 end
      where state = 'waiting' and (next_try_at > ${now} or parked_at is not null) and kept_at >= coalesce(
        (select max(settled_at) from operations where kind = 'mail' and state = 'done' and id <> ${accepted}), '-infinity')
      returning id, old.parked_at is not null as "wasParked"`
  const closing = { identity: { kind: 'clock' }, now } as const
  for (const { id, wasParked } of released) if (wasParked) await closeWorkItem(tx, 'operation', id, closing)
}
