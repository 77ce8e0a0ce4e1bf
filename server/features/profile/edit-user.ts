/**
 * Personal details: most apply at once, what identity was proved with waits for compliance (product-decisions section
 * 10). What the form sends back unchanged is no change.
 */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { editUser as endpoint } from '#contract/profile.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import { checkBirthDate, dayIn, isoDay } from '#rules/dates.ts'
import { changesOf, isDecidedField, profileChangeLife, type DecidedField } from '#rules/profile-changes.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { join, raw, row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { needFreshProof } from '../../http/step-up.ts'
import { Problem, refuseFields } from '../../http/problem.ts'
import type { ClientId } from '../../http/sessions.ts'
import { limitChanges } from '../../http/profile-change-limit.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { holdDetails, pendingChanges, type Details } from './queries.ts'

const columns: Readonly<Record<keyof Details, string>> = {
  title: 'title',
  name: 'name',
  surname: 'surname',
  birthDate: 'birth_date',
  mobilePhone: 'mobile_phone',
  addressNo: 'address_no',
  address: 'address',
  city: 'city',
  postcode: 'postcode',
  county: 'county',
  country: 'country',
  nationality: 'nationality',
}

/** Saves the details and answers which fields wait for a decision. */
export async function editUser(parts: Parts, call: Call<typeof endpoint>): Promise<AnswerOf<typeof endpoint>> {
  const { clientId, email } = clientOf(call)
  const { body } = call
  if (body.email !== undefined && body.email !== email) throw new Problem('email-locked', { field: 'email' })
  await limitChanges(parts, call)
  const wanted = detailsOf(body)
  return transaction(parts.pool, async (tx) => {
    const { details: before, identityApproved } = await holdDetails(tx, clientId)
    refuseFields(await faultsOf(parts, call, before, wanted))
    // Asked for once nothing else is in the way.
    if (wanted.mobilePhone !== before.mobilePhone) await needFreshProof({ pool: tx, settings: parts.settings }, call)
    const { atOnce, waiting } = changesOf({ ...before }, { ...wanted }, identityApproved)
    await apply(tx, call, clientId, before, wanted, atOnce as (keyof Details)[])
    for (const field of waiting)
      await ask(tx, parts, call, { clientId, field, from: before[field], to: wanted[field], who: before })
    const pending = await pendingChanges(tx, clientId)
    return { pending: pending.map(({ field }) => field).filter(isDecidedField) }
  })
}

function detailsOf(body: Call<typeof endpoint>['body']): Details {
  const { birthDay: day, birthMonth: month, birthYear: year, title, name, surname, mobilePhone } = body
  const { addressNo, address, city, postcode, county, country, nationality } = body
  const birthDate = isoDay({ year, month, day })
  return {
    title,
    name,
    surname,
    birthDate,
    mobilePhone,
    addressNo,
    address,
    city,
    postcode,
    county,
    country,
    nationality,
  }
}

/** What rules find wrong, by field. An address that stands is not judged anew. */
async function faultsOf(
  parts: Parts,
  call: Call<typeof endpoint>,
  before: Details,
  { country, nationality }: Details,
): Promise<Record<string, ProblemCode | null>> {
  const { birthDay: day, birthMonth: month, birthYear: year } = call.body
  const { timeZone } = await parts.settings.get('firm')
  const { changes } = await parts.settings.get('countries')
  const born = checkBirthDate({ year, month, day }, dayIn(call.now, timeZone))
  const moves = country !== before.country
  const lives = moves ? checkResidence(countryOf(country, changes)) : null
  return {
    [born === 'date-invalid' ? 'birthDay' : 'birthYear']: born,
    country: countryOf(country) ? lives : 'unknown-value',
    nationality: countryOf(nationality) ? null : 'unknown-value',
  }
}

async function apply(
  tx: Transaction,
  call: Call,
  clientId: ClientId,
  before: Details,
  wanted: Details,
  fields: readonly (keyof Details)[],
): Promise<void> {
  if (fields.length === 0) return
  const set = fields.map((field) => sql`${raw(columns[field])} = ${wanted[field]}`)
  await run(tx, sql`update clients set ${join(set, ', ')}, version = version + 1 where id = ${clientId}`)
  const only = (details: Details) => Object.fromEntries(fields.map((field) => [field, details[field]]))
  await record(tx, call.act, {
    kind: 'client',
    verb: 'editUser',
    record: clientId,
    clientId,
    details: { before: only(before), after: only(wanted) },
  })
}

interface Wish {
  readonly clientId: ClientId
  readonly field: DecidedField
  readonly from: string
  readonly to: string
  readonly who: Details
}

/** Asks compliance for a change; an earlier wish for the same field is replaced, the same one is left as it is. */
async function ask(tx: Transaction, parts: Parts, call: Call, { clientId, field, from, to, who }: Wish): Promise<void> {
  const { act, now } = call
  const earlier = (await pendingChanges(tx, clientId)).find((change) => change.field === field)
  if (earlier?.to === to) return
  if (earlier)
    await advance(tx, profileChangeLife, act, {
      id: earlier.id,
      verb: 'replace',
      clientId,
      work: null,
      set: { decided_at: now },
    })
  const asked = await row<{ id: string }>(
    tx,
    sql`insert into profile_changes (client_id, field, from_value, to_value, requested_at)
        values (${clientId}, ${field}, ${from}, ${to}, ${now}) returning id`,
  )
  if (!asked) throw new Error('a profile change was not written')
  await record(tx, act, {
    kind: 'profile_change',
    verb: 'request',
    record: asked.id,
    clientId,
    to: 'pending',
    details: { field, from, to },
  })
  const summary = { client: `${who.name} ${who.surname}`, field }
  const dueAt = await workDueAt(parts, 'profile_change', now)
  await openWork(tx, 'profile_change', asked.id, { state: 'pending', clientId, dueAt, summary }, now)
}
