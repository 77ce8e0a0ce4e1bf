/**
 * The first administrators are created only by the operator's command: it invites, and rejects once there are two,
 * because a further one then requires a second person's approval (requirements 21.3).
 */
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { email as emailField } from '#contract/fields.ts'
import type { Language } from '#rules/choices.ts'
import { staffMachine } from '#rules/staff.ts'
import type { StaffId } from '#rules/ids.ts'
import { recordEvent } from '../db/events.ts'
import { row, run, sql, transaction, type Transaction } from '../db/sql.ts'
import { sendInvitation } from '../features/staff/invite-staff.ts'
import type { Dependencies } from '../dependencies.ts'
import { oneTimeIdOf } from '../auth/one-time-links.ts'
import { auditContextOf, CommandError } from './context.ts'

const administratorsMax = 2

interface NewAdministrator {
  readonly name: string
  readonly email: string
  readonly language?: Language
}

/**
 * Invites an administrator by mail and returns the same link, which is valid once. An invited person whose link was
 * lost gets a new one. Throws `CommandError` if there are two others already.
 */
export async function createAdministrator(
  dependencies: Pick<Dependencies, 'config' | 'pool' | 'keys' | 'settings' | 'now'>,
  person: NewAdministrator,
): Promise<{ id: string; link: string }> {
  const parsed = emailField.safeParse(person.email)
  if (!parsed.success) throw new CommandError(`"${person.email}" is not a valid email address.`)
  if (person.name.trim() === '') throw new CommandError('Enter a name: --name "Ada Lovelace"')
  const [email, name, language] = [parsed.data, person.name.trim(), person.language ?? 'en']
  const auditContext = auditContextOf(dependencies)
  const { id, linkRow } = await transaction(dependencies.pool, async (tx) => {
    await run(tx, sql`lock table staff in share row exclusive mode`)
    await assertNoneYet(tx, email)
    const made = await row<{ id: StaffId; version: number }>(
      tx,
      sql`insert into staff (email, name, roles, language, created_at)
          values (${email}, ${name}, array['administrator'], ${language}, ${auditContext.now})
          on conflict (email) do update set name = excluded.name
            where staff.state = 'invited' and staff.password_hash is null and 'administrator' = any (staff.roles)
          returning id, version`,
    )
    if (!made) throw new CommandError('A staff member already has this email address. Enter another one.')
    const details = { after: { email, name } }
    await recordEvent(tx, auditContext, {
      kind: staffMachine.name,
      action: 'invite',
      record: made.id,
      to: staffMachine.first,
      details,
    })
    const member = { ...made, name, email, language, roles: ['administrator' as const], state: staffMachine.first }
    return { id: made.id, linkRow: await sendInvitation(tx, dependencies, member, auditContext) }
  })
  return {
    id,
    link: dependencies.config.officeUrl + officeBase + officePaths.welcome(oneTimeIdOf(dependencies.keys, linkRow)),
  }
}

async function assertNoneYet(tx: Transaction, email: string): Promise<void> {
  const others = await row<{ count: number }>(
    tx,
    sql`select count(*)::int as count from staff
        where 'administrator' = any (roles) and state <> 'deactivated' and email <> ${email}`,
  )
  if ((others?.count ?? 0) < administratorsMax) return
  throw new CommandError('There are already two administrators. Invite another one in the back office.')
}
