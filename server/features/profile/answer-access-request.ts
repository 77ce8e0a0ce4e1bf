/**
 * Answers a client's access request (GDPR article 15): the client's own data, and the texts of staff that compliance
 * has read and released (requirements 24.59, ADR 270).
 */
import type * as office from '#contract/office/access-requests.ts'
import { isEachTextMarkedOnce, topicsIn } from '#rules/access-requests.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { recordEvent } from '../../db/events.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { row, rows, type Connection, transaction } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { textEntry, zipOf, type ZipEntry } from '../../export/zip.ts'
import { BinaryResponse, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { clientBrief } from '../../office/records.ts'
import { clientDataEntries } from './client-data.ts'

const action = 'answerAccessRequest'

interface StaffText {
  readonly id: string
  readonly kind: 'comment' | 'snooze' | 'note'
  readonly about: string
  readonly staffId: StaffId | null
  readonly staffName: string | null
  readonly at: Date
  readonly text: string
}

/** Returns all texts of staff about a client that an erasure would empty, oldest first: comments and notes. */
function staffTexts(connection: Connection, clientId: ClientId): Promise<StaffText[]> {
  return rows<StaffText>(connection)`
    select t.id, t.kind, t.about, t."staffId", t.at, t.text, s.name as "staffName" from (
        select 'event-' || e.id as id, e.verb as kind, e.kind as about, e.actor_id as "staffId", e.at,
            coalesce(d.details ->> 'comment', d.details ->> 'note') as text
          from events e join event_details d on d.event_id = e.id
          where e.client_id = ${clientId} and e.verb in ('comment', 'snooze')
        union all
        select 'note-' || n.id, 'note', '', n.staff_id, n.at, n.text from staff_notes n where n.client_id = ${clientId}
      ) t left join staff s on s.id = t."staffId"
      where t.text is not null order by t.at, t.id`
}

async function clientOf(dependencies: Dependencies, id: ClientId) {
  return requireFound(
    await row<{ number: bigint; language: Language }>(dependencies.pool)`
        select number, language from clients where id = ${uuidOrNull(id)}::uuid`,
  )
}

interface LastAnswer {
  readonly at: Date
  readonly marks: { readonly handedOut?: readonly string[]; readonly withheld?: readonly string[] } | null
}

function lastAnswer(connection: Connection, clientId: ClientId): Promise<LastAnswer | null> {
  return row<LastAnswer>(connection)`
    select e.at, d.details as marks from events e left join event_details d on d.event_id = e.id
      where e.client_id = ${clientId} and e.kind = 'client' and e.verb = ${action} order by e.id desc limit 1`
}

export const getAccessRequest: Handler<typeof office.getAccessRequest> = async (dependencies, context) => {
  const { id } = context.params
  const { pool } = dependencies
  await clientOf(dependencies, id)
  const last = await lastAnswer(pool, id)
  const [handedOut, withheld] = [new Set(last?.marks?.handedOut), new Set(last?.marks?.withheld)]
  const markOf = (text: string) =>
    handedOut.has(text) ? ('handedOut' as const) : withheld.has(text) ? ('withheld' as const) : null
  const texts = await staffTexts(pool, id)
  return {
    client: await clientBrief(dependencies, id),
    texts: texts.map(({ staffId, staffName, about, ...one }) => ({
      ...one,
      about: workItemKinds.find((kind) => kind === about) ?? null,
      by: staffId !== null && staffName !== null ? { id: staffId, name: staffName } : null,
      topics: topicsIn(one.text),
      marked: markOf(one.id),
    })),
    answeredAt: last?.at ?? null,
  }
}

export const answerAccessRequest: Handler<typeof office.answerAccessRequest> = async (dependencies, context) => {
  const { id } = context.params
  const { reason, handedOut, withheld } = context.body
  const { number, language } = await clientOf(dependencies, id)
  const texts = await transaction(dependencies.pool, async (tx) => {
    const found = await staffTexts(tx, id)
    const ids = found.map((text) => text.id)
    if (!isEachTextMarkedOnce(ids, { handedOut, withheld })) throw new Problem('access-marks')
    await recordEvent(tx, context.auditContext, {
      kind: 'client',
      action,
      record: id,
      clientId: id,
      reason,
      details: { handedOut, withheld },
    })
    const given = new Set<string>(handedOut)
    return found.filter((text) => given.has(text.id))
  })
  const entries = answerEntries(dependencies, { id, language }, texts)
  return new BinaryResponse(zipOf(entries, context.now), `access-request-${number}.zip`)
}

/** Yields the entries without the authors of texts, who are other people's personal data. */
async function* answerEntries(
  dependencies: Dependencies,
  owner: Parameters<typeof clientDataEntries>[1],
  texts: readonly StaffText[],
): AsyncGenerator<ZipEntry> {
  yield* clientDataEntries(dependencies, owner)
  const entries = texts.map(({ kind, at, text }) => ({ kind, at, text }))
  yield textEntry('comments.json', JSON.stringify(entries, null, 2))
}
