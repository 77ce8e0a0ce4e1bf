/** Identity documents run out: the client is told 30 days ahead, and on the day after the last (product-decisions 6). */
import { portalPaths } from '#contract/portal-paths.ts'
import { expiryToldDaysAhead } from '#rules/constants.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { identityKinds } from '#rules/document-kinds.ts'
import { documentLife } from '#rules/documents.ts'
import { advance } from '../../db/transition.ts'
import { rows, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../dependencies.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { keepApprovals } from './keep-approvals.ts'
import { documentById, lockedStanding } from './queries.ts'

const everyMs = 10 * 60_000
const atOnceMax = 100

export function documentChores(parts: Parts): Chore[] {
  return [
    { name: 'tell-of-expiry', everyMs, run: (now) => tellOfExpiry(parts, now) },
    { name: 'expire-documents', everyMs, run: (now) => expireDocuments(parts, now) },
  ]
}

/** Tells the owners of identity documents that run out within 30 days, each once. */
export async function tellOfExpiry(parts: Parts, now: Date): Promise<void> {
  const today = await todayOf(parts, now)
  const soon = await rows<{ id: string }>(
    parts.jobs,
    sql`select id from documents where state = 'approved' and kind = any (${[...identityKinds]}::text[])
          and expiry_date >= ${isoDay(today)} and expiry_date <= ${isoDay(daysAfter(today, expiryToldDaysAhead))}
          and told_of_expiry_at is null order by expiry_date limit ${atOnceMax}`,
  )
  await forEachRow({ job: 'tell-of-expiry', rows: soon, log: parts.log }, async ({ id }) => {
    await transaction(parts.jobs, async (tx) => {
      const told = await run(
        tx,
        sql`update documents set told_of_expiry_at = ${now} where id = ${id} and told_of_expiry_at is null`,
      )
      if (told === 1) await tell(tx, id, 'document-expiring', now)
    })
  })
}

/** Moves documents whose last day is over. */
export async function expireDocuments(parts: Parts, now: Date): Promise<void> {
  const today = await todayOf(parts, now)
  const over = await rows<{ id: string; client_id: string; kind: string }>(
    parts.jobs,
    sql`select id, client_id, kind from documents where state = 'approved' and kind = any (${[...identityKinds]}::text[])
          and expiry_date < ${isoDay(today)} order by expiry_date limit ${atOnceMax}`,
  )
  await forEachRow(
    { job: 'expire-documents', rows: over, log: parts.log },
    async ({ id, client_id: clientId, kind }) => {
      await transaction(parts.jobs, async (tx) => {
        const act = { acting: { kind: 'clock' }, now } as const
        const client = await lockedStanding(tx, clientId)
        await advance(tx, documentLife, act, { id, verb: 'expire', clientId, details: { kind } })
        if (client) await keepApprovals(tx, client, now)
        await tell(tx, id, 'document-expired', now)
      })
    },
  )
}

async function todayOf(parts: Parts, now: Date) {
  const { timeZone } = await parts.settings.get('firm')
  return dayIn(now, timeZone)
}

async function tell(
  tx: Transaction,
  id: string,
  kind: 'document-expiring' | 'document-expired',
  now: Date,
): Promise<void> {
  const document = await documentById(tx, id)
  const client = document && (await lockedStanding(tx, document.client_id))
  if (!document || !client || !['pending', 'approved'].includes(client.state)) return
  const facts = { document: document.kind, date: document.expiry_date }
  await tellClient(
    tx,
    { kind, client, facts, link: portalPaths.document(document.kind), subject: documentLife.name, record: id },
    now,
  )
}
