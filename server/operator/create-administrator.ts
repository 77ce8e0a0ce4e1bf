/**
 * The first administrators come by the operator's command alone: it invites, and refuses as soon as two are there, for
 * then a new one waits for a second person's word (mechanics section 3).
 */
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { email as emailField } from '#contract/fields.ts'
import type { Language } from '#rules/choices.ts'
import { staffLife } from '#rules/staff.ts'
import { record } from '../db/events.ts'
import { row, run, sql } from '../db/sql.ts'
import { transaction, type Transaction } from '../db/transaction.ts'
import { sendInvitation } from '../features/staff/invite-staff.ts'
import type { Parts } from '../dependencies.ts'
import { oneTimeIdOf } from '../auth/one-time-links.ts'
import { actOf, Refused } from './context.ts'

const administratorsMax = 2

export interface NewAdministrator {
  readonly name: string
  readonly email: string
  readonly language?: Language
}

/**
 * Invites an administrator by mail and answers the same link, which works once. Somebody invited whose link was lost
 * gets a new one. Throws `Refused` where two others are there already.
 */
export async function createAdministrator(
  parts: Pick<Parts, 'config' | 'pool' | 'keys' | 'settings' | 'now'>,
  person: NewAdministrator,
): Promise<{ id: string; link: string }> {
  const parsed = emailField.safeParse(person.email)
  if (!parsed.success) throw new Refused(`"${person.email}" is no e-mail address.`)
  if (person.name.trim() === '') throw new Refused('Give a name: --name "Ada Lovelace"')
  const [email, name, language] = [parsed.data, person.name.trim(), person.language ?? 'en']
  const act = actOf(parts)
  const { id, linkRow } = await transaction(parts.pool, async (tx) => {
    await run(tx, sql`lock table staff in share row exclusive mode`)
    await refuseMore(tx, email)
    const made = await row<{ id: string; version: number }>(
      tx,
      sql`insert into staff (email, name, roles, language, created_at)
          values (${email}, ${name}, array['administrator'], ${language}, ${act.now})
          on conflict (email) do update set name = excluded.name
            where staff.state = 'invited' and staff.password_hash is null and 'administrator' = any (staff.roles)
          returning id, version`,
    )
    if (!made) throw new Refused('Somebody on the staff has this e-mail address already.')
    const details = { after: { email, name } }
    const reason = 'by the operator'
    await record(tx, act, {
      kind: staffLife.name,
      verb: 'invite',
      record: made.id,
      to: staffLife.first,
      reason,
      details,
    })
    const member = { ...made, name, email, language, roles: ['administrator' as const], state: staffLife.first }
    return { id: made.id, linkRow: await sendInvitation(tx, parts, member, act) }
  })
  return { id, link: parts.config.officeUrl + officeBase + officePaths.welcome(oneTimeIdOf(parts.keys, linkRow)) }
}

async function refuseMore(tx: Transaction, email: string): Promise<void> {
  const others = await row<{ count: number }>(
    tx,
    sql`select count(*)::int as count from staff
        where 'administrator' = any (roles) and state <> 'deactivated' and email <> ${email}`,
  )
  if ((others?.count ?? 0) < administratorsMax) return
  throw new Refused(
    'Two administrators are there already: a new one is invited in the back office, and the second one agrees.',
  )
}
