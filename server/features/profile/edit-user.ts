/**
 * Personal details: most apply at once, what identity was proved with waits for compliance (requirements
 * 5.5). What the form sends back unchanged is no change.
 */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { editUser as endpoint } from '#contract/profile.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import { checkBirthDate, dayIn, isoDay } from '#rules/dates.ts'
import { changesOf, isDecidedField, profileChangeMachine, type DecidedField } from '#rules/profile-changes.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { join, raw, row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { requireClient, type RequestContext } from '../../http/request-context.ts'
import { requireStepUp } from '../../http/step-up.ts'
import { Problem, throwFieldProblems } from '../../http/problem.ts'
import type { ClientId } from '../../http/sessions.ts'
import { limitProfileChanges } from '../../http/profile-change-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { lockDetails, pendingChanges, type Details } from './queries.ts'

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
export async function editUser(
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const { clientId, email } = requireClient(context)
  const { body } = context
  if (body.email !== undefined && body.email !== email) throw new Problem('email-locked', { field: 'email' })
  await limitProfileChanges(dependencies, context)
  const wanted = detailsOf(body)
  return transaction(dependencies.pool, async (tx) => {
    const { details: before, identityApproved } = await lockDetails(tx, clientId)
    throwFieldProblems(await faultsOf(dependencies, context, before, wanted))
    // Asked for once nothing else is in the way.
    if (wanted.mobilePhone !== before.mobilePhone)
      await requireStepUp({ pool: tx, settings: dependencies.settings }, context)
    const { atOnce, waiting } = changesOf({ ...before }, { ...wanted }, identityApproved)
    await apply(tx, context, clientId, before, wanted, atOnce as (keyof Details)[])
    for (const field of waiting)
      await ask(tx, dependencies, context, { clientId, field, from: before[field], to: wanted[field], who: before })
    const pending = await pendingChanges(tx, clientId)
    return { pending: pending.map(({ field }) => field).filter(isDecidedField) }
  })
}

function detailsOf(body: RequestContext<typeof endpoint>['body']): Details {
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

/** What rules find wrong, by field. An address that stands is not judged again. */
async function faultsOf(
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
  before: Details,
  { country, nationality }: Details,
): Promise<Record<string, ProblemCode | null>> {
  const { birthDay: day, birthMonth: month, birthYear: year } = context.body
  const { timeZone } = await dependencies.settings.get('firm')
  const { changes } = await dependencies.settings.get('countries')
  const born = checkBirthDate({ year, month, day }, dayIn(context.now, timeZone))
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
  context: RequestContext,
  clientId: ClientId,
  before: Details,
  wanted: Details,
  fields: readonly (keyof Details)[],
): Promise<void> {
  if (fields.length === 0) return
  const set = fields.map((field) => sql`${raw(columns[field])} = ${wanted[field]}`)
  await run(tx, sql`update clients set ${join(set, ', ')}, version = version + 1 where id = ${clientId}`)
  const only = (details: Details) => Object.fromEntries(fields.map((field) => [field, details[field]]))
  await recordEvent(tx, context.auditContext, {
    kind: 'client',
    action: 'editUser',
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
async function ask(
  tx: Transaction,
  dependencies: Dependencies,
  context: RequestContext,
  { clientId, field, from, to, who }: Wish,
): Promise<void> {
  const { auditContext, now } = context
  const earlier = (await pendingChanges(tx, clientId)).find((change) => change.field === field)
  if (earlier?.to === to) return
  if (earlier)
    await applyTransition(tx, profileChangeMachine, auditContext, {
      id: earlier.id,
      action: 'replace',
      clientId,
      workItem: null,
      set: { decided_at: now },
    })
  const asked = await row<{ id: string }>(
    tx,
    sql`insert into profile_changes (client_id, field, from_value, to_value, requested_at)
        values (${clientId}, ${field}, ${from}, ${to}, ${now}) returning id`,
  )
  if (!asked) throw new Error('a profile change was not written')
  await recordEvent(tx, auditContext, {
    kind: 'profile_change',
    action: 'request',
    record: asked.id,
    clientId,
    to: 'pending',
    details: { field, from, to },
  })
  const summary = { client: `${who.name} ${who.surname}`, field }
  const dueAt = await workItemDueAt(dependencies, 'profile_change', now)
  await openWorkItem(tx, 'profile_change', asked.id, { state: 'pending', clientId, dueAt, summary }, now)
}
