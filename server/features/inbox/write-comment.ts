/** Comments of staff on an item: stored in the details of an event, which erasure empties (requirements 24.7). */
import type { listMentionable as mentionableEndpoint, writeComment as commentEndpoint } from '#contract/office/inbox.ts'
import type { Absence } from '#contract/office/briefs.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { recordEvent } from '../../db/events.ts'
import { rows, run, transaction, type Transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { absenceOn, firmDay } from '../../office/absences.ts'
import { readableKinds } from '../../office/work-item-access.ts'
import { lockItem, type LockedItem } from './queries.ts'

export const writeComment: Handler<typeof commentEndpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const { text } = context.body
  return transaction(dependencies.pool, async (tx) => {
    const item = await lockItem(tx, staff, context.params.id)
    const event = await recordEvent(tx, context.auditContext, {
      kind: item.kind,
      action: 'comment',
      record: item.record,
      clientId: item.clientId,
      details: { comment: text },
    })
    const named = (await mentionedStaff(tx, item, text)).filter(({ id }) => id !== staff.staffId)
    await run(tx)`insert into comment_mentions (event_id, staff_id, item, at)
        select ${event}, one, ${item.id}, ${context.now} from unnest(${named.map(({ id }) => id)}::uuid[]) as one`
    await notifyChange(tx, item.kind, item.record)
    return { mentioned: named }
  })
}

/**
 * Returns the active colleagues whose full name follows an @ and who may read the item: of names that begin alike, as
 * Ann Lee and Ann Lee Hart, the longest one that is written there.
 */
async function mentionedStaff(tx: Transaction, { kind }: LockedItem, text: string) {
  if (!text.includes('@')) return []
  const people = await rows<Person>(tx)`select id, name, roles from staff
    where state = 'active' and position('@' || lower(name) in lower(${text})) > 0 order by lower(name), id`
  const longestFirst = people.map(({ name }) => name.toLowerCase()).toSorted((a, b) => b.length - a.length)
  const [, ...behind] = text.toLowerCase().split('@')
  const named = new Set(behind.map((rest) => longestFirst.find((name) => beginsWithName(rest, name))))
  return readersOf(
    kind,
    people.filter(({ name }) => named.has(name.toLowerCase())),
  )
}

function beginsWithName(text: string, name: string): boolean {
  return text.startsWith(name) && !/^[\p{L}\p{M}\p{N}]/u.test(text.slice(name.length))
}

interface Person {
  readonly id: string
  readonly name: string
  readonly roles: StaffRole[]
}

/** Returns those who may read items of a kind. */
function readersOf<One extends Person>(kind: WorkItemKind, people: readonly One[]) {
  return people.filter(({ roles }) => readableKinds(roles).includes(kind)).map(({ roles: _roles, ...person }) => person)
}

/** Returns whom a comment on an item of a kind can mention; only for people who may read that kind. */
export const listMentionable: Handler<typeof mentionableEndpoint> = async (dependencies, context) => {
  const { staffId, roles } = requireStaff(context)
  const { kind } = context.query
  if (!readableKinds(roles).includes(kind)) throw new Problem('wrong-role')
  const today = await firmDay(dependencies, context.now)
  const people = await rows<Person & { absence: Absence | null }>(dependencies.pool)`
    select id, name, roles, ${absenceOn(today)} from staff s
      where state = 'active' and id <> ${staffId} order by lower(name), id`
  return { people: readersOf(kind, people) }
}
