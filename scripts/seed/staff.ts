/**
 * The demo's staff: an administrator created by the operator's command, the others invited; each sets up a second
 * factor.
 */
import { inviteStaff } from '#contract/office/staff.ts'
import { acceptInvitation, officeLogin, officeSecondFactor } from '#contract/office/session.ts'
import { dualApprovalDemoMinor } from '#rules/constants.ts'
import { decimalOf } from '#rules/money.ts'
import { createAdministrator } from '#server/operator/create-administrator.ts'
import { colleagues, demoPassword, type Colleague, type ColleagueKey } from './personas.ts'
import { codeAt, type SeedContext } from './context.ts'

export interface Team {
  /** Returns a token of a colleague, who signs in again when the last session has ended. */
  token(who: ColleagueKey): Promise<string>
}

const daysAgo = 70
const codeLifeMs = 31_000

export async function hireStaff(context: SeedContext): Promise<Team> {
  await context.at(daysAgo, '07:00')
  const secrets = new Map<ColleagueKey, string>()
  const sessions = new Map<ColleagueKey, { token: string; until: number; usedAt: number }>()
  const { admin, secondAdmin, ...others } = colleagues
  for (const [key, { name, email }] of Object.entries({ admin, secondAdmin })) {
    await createAdministrator(context.server.dependencies, { name, email })
    secrets.set(key as ColleagueKey, await accept(context, colleagues[key as ColleagueKey]))
  }
  const team: Team = { token: (who) => tokenOf(context, who, secrets, sessions) }
  for (const [key, colleague] of Object.entries(others) as [ColleagueKey, Colleague][]) {
    const as = await team.token('admin')
    const { name, email, role } = colleague
    await context.call(inviteStaff, {
      as,
      body: { name, email, roles: [role], language: 'en', reason: 'The firm opens.' },
    })
    secrets.set(key, await accept(context, colleague))
  }
  return team
}

/** Follows the invitation's link: password, then second factor. Returns the authenticator's secret. */
async function accept(context: SeedContext, colleague: Colleague): Promise<string> {
  const id = /\/office\/welcome\/(\S+)/.exec(await context.mailTo(colleague.email))?.[1]
  if (!id) throw new Error(`No invitation in the mail to ${colleague.email}.`)
  const { ticket, enrolment } = await context.call(acceptInvitation, { body: { id, password: demoPassword } })
  if (!enrolment) throw new Error(`${colleague.email} was offered no second factor.`)
  await context.call(officeSecondFactor, { body: { ticket, code: codeAt(enrolment.secret, context.now()) } })
  // The code of this half minute is used already.
  await context.pause(codeLifeMs)
  return enrolment.secret
}

async function tokenOf(
  context: SeedContext,
  who: ColleagueKey,
  secrets: ReadonlyMap<ColleagueKey, string>,
  sessions: Map<ColleagueKey, { token: string; until: number; usedAt: number }>,
): Promise<string> {
  const known = sessions.get(who)
  const now = context.now().getTime()
  if (known && known.until > now && now >= known.usedAt) {
    known.until = Math.min(known.until, now + idleMs)
    return known.token
  }
  const secret = secrets.get(who)
  if (!secret) throw new Error(`${who} has not been hired.`)
  // A code is valid once: a second sign-in within its 30 seconds waits for the next one.
  if (known && now - known.usedAt < codeLifeMs) await context.pause(codeLifeMs)
  const { ticket } = await context.call(officeLogin, { body: { email: colleagues[who].email, password: demoPassword } })
  const { token } = await context.call(officeSecondFactor, { body: { ticket, code: codeAt(secret, context.now()) } })
  sessions.set(who, { token, until: context.now().getTime() + idleMs, usedAt: context.now().getTime() })
  return token
}

/** Less than the idle time of staff sessions. */
const idleMs = 10 * 60_000

/** The demo's threshold for dual approval: low enough to be seen. Two administrators set it, as the rules require. */
export const demoThreshold = decimalOf(dualApprovalDemoMinor)
