/**
 * Scheduled tasks of documents: clients are notified 30 days before expiry and on the day after it (requirements 6.3);
 * machine-readable zones are read.
 */
import { portalPaths } from '#contract/portal-paths.ts'
import { expiryNoticeDaysAhead } from '#rules/constants.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { identityKinds, documentMachine } from '#rules/documents.ts'
import type { ClientId, DocumentId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { rows, run, transaction, type Transaction } from '../../db/sql.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../notifications/notify-client.ts'
import { keepApprovals } from './keep-approvals.ts'
import { readZones } from './read-zones.ts'
import { documentById, lockedDocumentStatus } from './queries.ts'

const everyMs = 10 * 60_000
const readEveryMs = 5_000
const atOnceMax = 100

export function documentTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    { name: 'tell-of-expiry', everyMs, run: (now) => notifyOfExpiry(dependencies, now) },
    { name: 'expire-documents', everyMs, run: (now) => expireDocuments(dependencies, now) },
    { name: 'read-zones', everyMs: readEveryMs, run: (now) => readZones(dependencies, now) },
  ]
}

/** Notifies the owners of identity documents that expire within 30 days, each once. */
export async function notifyOfExpiry(dependencies: Dependencies, now: Date): Promise<void> {
  const today = await todayOf(dependencies, now)
  const soon = await rows<{ id: DocumentId }>(dependencies.jobs)`
    select id from documents where state = 'approved' and kind = any (${[...identityKinds]}::text[])
      and expiry_date >= ${isoDay(today)} and expiry_date <= ${isoDay(daysAfter(today, expiryNoticeDaysAhead))}
      and told_of_expiry_at is null order by expiry_date limit ${atOnceMax}`
  await forEachRow({ job: 'tell-of-expiry', rows: soon, log: dependencies.log }, async ({ id }) => {
    await transaction(dependencies.jobs, async (tx) => {
      const told = await run(tx)`
        update documents set told_of_expiry_at = ${now} where id = ${id} and told_of_expiry_at is null`
      if (told === 1) await notifyClientOf(tx, id, 'document-expiring', now)
    })
  })
}

/** Expires documents whose last day is over. */
export async function expireDocuments(dependencies: Dependencies, now: Date): Promise<void> {
  const today = await todayOf(dependencies, now)
  const over = await rows<{ id: DocumentId; client_id: ClientId; kind: string }>(dependencies.jobs)`
    select id, client_id, kind from documents where state = 'approved' and kind = any (${[...identityKinds]}::text[])
      and expiry_date < ${isoDay(today)} order by expiry_date limit ${atOnceMax}`
  await forEachRow(
    { job: 'expire-documents', rows: over, log: dependencies.log },
    async ({ id, client_id: clientId, kind }) => {
      await transaction(dependencies.jobs, async (tx) => {
        const auditContext = { identity: { kind: 'clock' }, now } as const
        const client = await lockedDocumentStatus(tx, clientId)
        await applyTransition(tx, documentMachine, auditContext, { id, clientId }, 'expire', { details: { kind } })
        if (client) await keepApprovals(tx, client, now)
        await notifyClientOf(tx, id, 'document-expired', now)
      })
    },
  )
}

async function todayOf(dependencies: Dependencies, now: Date) {
  const { timeZone } = await dependencies.settings.get('firm')
  return dayIn(now, timeZone)
}

async function notifyClientOf(
  tx: Transaction,
  id: DocumentId,
  kind: 'document-expiring' | 'document-expired',
  now: Date,
): Promise<void> {
  const document = await documentById(tx, id)
  const client = document && (await lockedDocumentStatus(tx, document.client_id))
  if (!document || !client || !['pending', 'approved'].includes(client.state)) return
  const facts = { document: document.kind, date: document.expiry_date }
  await notifyClient(tx, now, {
    kind,
    client,
    facts,
    link: portalPaths.document(document.kind),
    subject: documentMachine.name,
    record: id,
  })
}
