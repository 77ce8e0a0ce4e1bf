/** The profile by field: current value, former value, pending change, and whether staff may correct it. */
import type { OfficeClient } from '#contract/office/clients.ts'
import { isProfileField, profileFieldNames, type StoredProfile } from '#rules/profile-fields.ts'
import { rows, type Connection } from '../../db/sql.ts'

export interface ProfileRow extends StoredProfile {
  id: string
  email: string
  employment: Readonly<Record<string, string>> | null
  tradingExperience: Readonly<Record<string, string>> | null
}

type Field = OfficeClient['profile'][number]

/** Returns all fields in the order of the page. */
export async function profileFields(connection: Connection, client: ProfileRow): Promise<Field[]> {
  const pending = await rows<{ id: string; field: string; to: string; since: Date }>(connection)`
    select id, field, to_value as to, requested_at as since from profile_changes
      where client_id = ${client.id} and state in ('pending', 'confirming')`
  const changes = await rows<{ at: Date; before: Readonly<Record<string, unknown>> }>(connection)`
    select e.at, d.details -> 'before' as before from events e join event_details d on d.event_id = e.id
      where e.client_id = ${client.id} and e.kind in ('client', 'profile', 'profile_change')
        and json_typeof(d.details -> 'before') = 'object'
      order by e.id desc limit 200`
  const field = (name: string, value: string | null): Field => {
    const change = changes.find(({ before }) => name in before && textOf(before[name]) !== value)
    const waits = pending.find((one) => one.field === name)
    return {
      field: name,
      value,
      previous: change ? { value: textOf(change.before[name]), until: change.at } : null,
      pending: waits ? { id: waits.id, to: waits.to, since: waits.since } : null,
      correctable: isProfileField(name),
    }
  }
  const others = Object.entries({ ...client.employment, ...client.tradingExperience })
  return [
    field('email', client.email),
    ...profileFieldNames.map((name) => field(name, client[name])),
    ...experienceFields(client).map(([name, value]) => field(name, value)),
    ...others.filter(([name]) => name !== 'experience').map(([name, value]) => field(name, value)),
  ]
}

/** Returns different names for the field `experience` of the two forms. */
function experienceFields({ employment, tradingExperience: trading }: ProfileRow): [string, string | null][] {
  return [
    ...(employment?.['experience'] === undefined
      ? []
      : [['financialExperience', employment['experience']] as [string, string]]),
    ...(trading?.['experience'] === undefined
      ? []
      : [['tradingExperience', trading['experience']] as [string, string]]),
  ]
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
