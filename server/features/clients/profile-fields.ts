/** The profile field by field: what it is, what it was, what waits, and what staff may correct. */
import type { OfficeClient } from '#contract/office/clients.ts'
import { rows, sql, type Connection } from '../../db/sql.ts'

export interface ProfileRow {
  id: string
  email: string
  title: string
  name: string
  surname: string
  birth_date: string | null
  nationality: string | null
  mobile_phone: string | null
  address_no: string | null
  address: string
  city: string | null
  postcode: string | null
  county: string
  country: string
  employment: Readonly<Record<string, string>> | null
  trading_experience: Readonly<Record<string, string>> | null
}

/** The fields that staff may correct, with the column that keeps each. */
export const correctableFields = {
  title: 'title',
  name: 'name',
  surname: 'surname',
  birthDate: 'birth_date',
  nationality: 'nationality',
  mobilePhone: 'mobile_phone',
  addressNo: 'address_no',
  address: 'address',
  city: 'city',
  postcode: 'postcode',
  county: 'county',
  country: 'country',
} as const satisfies Record<string, keyof ProfileRow>

export type CorrectableField = keyof typeof correctableFields

/** A name of a payload as one of ours, or null. */
export function correctableField(name: string): CorrectableField | null {
  return Object.hasOwn(correctableFields, name) ? (name as CorrectableField) : null
}

type Field = OfficeClient['profile'][number]

/** All fields of the page, in its order. */
export async function profileFields(connection: Connection, client: ProfileRow): Promise<Field[]> {
  const pending = await rows<{ id: string; field: string; to: string; since: Date }>(
    connection,
    sql`select id, field, to_value as to, requested_at as since from profile_changes
        where client_id = ${client.id} and state in ('pending', 'confirming')`,
  )
  const changes = await rows<{ at: Date; before: Readonly<Record<string, unknown>> }>(
    connection,
    sql`select e.at, d.details -> 'before' as before from events e join event_details d on d.event_id = e.id
        where e.client_id = ${client.id} and e.kind in ('client', 'profile', 'profile_change')
          and json_typeof(d.details -> 'before') = 'object'
        order by e.id desc limit 200`,
  )
  const field = (name: string, value: string | null): Field => {
    const change = changes.find(({ before }) => name in before && textOf(before[name]) !== value)
    const waits = pending.find((one) => one.field === name)
    return {
      field: name,
      value,
      previous: change ? { value: textOf(change.before[name]), until: change.at } : null,
      pending: waits ? { id: waits.id, to: waits.to, since: waits.since } : null,
      correctable: correctableField(name) !== null,
    }
  }
  const named = Object.entries(correctableFields).map(([name, column]) => field(name, client[column]))
  const others = Object.entries({ ...client.employment, ...client.trading_experience })
  return [
    field('email', client.email),
    ...named,
    ...distinct(client).map(([name, value]) => field(name, value)),
    ...others.filter(([name]) => name !== 'experience').map(([name, value]) => field(name, value)),
  ]
}

/** Both forms have a field `experience`: each gets a name of its own. */
function distinct({ employment, trading_experience: trading }: ProfileRow): [string, string | null][] {
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
