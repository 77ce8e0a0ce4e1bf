/**
 * The demo's staff: two administrators created by the operator's command, the others invited by one and approved by
 * the other; each sets up a second factor.
 */
import { approveStaffChange, getStaffMember, inviteStaff } from '#contract/office/staff.ts'
import { acceptInvitation, officeSecondFactor } from '#contract/office/session.ts'
import { dualApprovalDemoMinor } from '#rules/constants.ts'
import { decimalOf } from '#rules/money.ts'
import { createAdministrator } from '#server/operator/create-administrator.ts'
import { colleagues, demoPassword, type Colleague, type ColleagueKey } from './personas.ts'
import { codeAt, type SeedContext } from './context.ts'
import { logInStaff } from './log-in.ts'

export interface Team {
  /** Returns a token of a colleague, who signs in again when the last session has ended. */
  token(who: ColleagueKey): Promise<string>
}

interface Session {
  readonly token: string
  readonly until: number
}

const daysAgo = 70
/** Less than the idle time of staff sessions. */
const idleMs = 10 * 60_000

export async function hireStaff(context: SeedContext): Promise<Team> {
  await context.at(daysAgo, '07:00')
  const sessions = new Map<ColleagueKey, Session>()
  const { admin, secondAdmin, ...others } = colleagues
  await Promise.all(
    [admin, secondAdmin].map(async (colleague) => {
      const { name, email } = colleague
      await createAdministrator(context.server.dependencies, { name, email })
      await followInvitation(context, colleague)
    }),
  )
  const team: Team = { token: (who) => colleagueToken(context, who, sessions) }
  const [as, second] = [await team.token('admin'), await team.token('secondAdmin')]
  await Promise.all(
    Object.values(others).map(async (colleague) => {
      const { name, email, role } = colleague
      const body = { name, email, roles: [role], language: 'en' as const, reason: 'The firm opens.' }
      const { id } = await context.call(inviteStaff, { as, body })
      const { pending } = (await context.call(getStaffMember, { as: second, params: { id } })).staff
      if (!pending) throw new Error(`The invitation of ${email} is not pending.`)
      const approval = { params: { id: pending.id }, body: { version: pending.version, note: '' } }
      await context.call(approveStaffChange, { as: second, ...approval })
      await followInvitation(context, colleague)
    }),
  )
  return team
}

/** Follows the invitation's link: password, then second factor. */
async function followInvitation(context: SeedContext, colleague: Colleague): Promise<void> {
  const id = /\/office\/welcome\/(\S+)/.exec(await context.mailTo(colleague.email))?.[1]
  if (!id) throw new Error(`The email to ${colleague.email} contains no invitation.`)
  const { ticket, enrolment } = await context.call(acceptInvitation, { body: { id, password: demoPassword } })
  if (!enrolment) throw new Error(`${colleague.email} was not offered a second factor.`)
  await context.call(officeSecondFactor, { body: { ticket, code: codeAt(enrolment.secret, context.now()) } })
}

async function colleagueToken(
  context: SeedContext,
  who: ColleagueKey,
  sessions: Map<ColleagueKey, Session>,
): Promise<string> {
  const known = sessions.get(who)
  const now = context.now().getTime()
  if (known && known.until > now) return known.token
  const token = await logInStaff(context, colleagues[who])
  sessions.set(who, { token, until: now + idleMs })
  return token
}

/** The demo's threshold for dual approval: low enough to be seen. Two administrators set it, as the rules require. */
export const demoThreshold = decimalOf(dualApprovalDemoMinor)
