/** Who is signed in, what this person may read and do, and a fresh token past half its life (mechanics section 5). */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { officeCurrent } from '#contract/office/session.ts'
import { doers, mayDo, mayRead, readers, type Area, type Doing } from '#rules/permissions.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { signToken, tokenLifeSeconds } from '../../http/tokens.ts'
import type { Parts } from '../../dependencies.ts'
import { recoveryOf, stoppedBy } from '../../recovery/stopped-money.ts'
import { openingFilter } from '../inbox/queries.ts'
import { staffById } from './queries.ts'

export async function showCurrent(
  parts: Parts,
  call: Call<typeof officeCurrent>,
): Promise<AnswerOf<typeof officeCurrent>> {
  const { staffId, sessionId, tokenIssuedAt } = staffOf(call)
  const staff = await staffById(parts.pool, staffId)
  if (!staff) throw new Problem('session-ended')
  const { id, name, email, roles, language } = staff
  const firm = await parts.settings.get('firm')
  const { staffPasswordLengthMin } = await parts.settings.get('security')
  const due = call.now.getTime() / 1000 - tokenIssuedAt >= tokenLifeSeconds / 2
  return {
    staff: { id, name, email, roles, language },
    reads: Object.keys(readers).filter((area) => mayRead(area as Area, roles)),
    does: Object.keys(doers).filter((deed) => mayDo(deed as Doing, roles)),
    firm: { name: firm.name, timeZone: firm.timeZone, brandColour: firm.brandColour, logoUrl: firm.logoUrl },
    inboxFilter: openingFilter(staff.inboxFilter, roles),
    passwordLengthMin: staffPasswordLengthMin,
    demo: parts.config.demo,
    moneyStopped: stoppedBy(await recoveryOf(parts.pool)),
    ...(due ? { token: await signToken(parts.keys, 'office', sessionId, { id: staffId }, call.now) } : {}),
  }
}
