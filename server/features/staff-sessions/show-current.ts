/** Returns who is signed in, their permissions, and a new token after half of its validity (requirements 4.3). */
import type { officeCurrent } from '#contract/office/session.ts'
import { permissions, can, canRead, readPermissions, type Area, type Permission } from '#rules/permissions.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { signToken, tokenLifeSeconds } from '../../http/tokens.ts'
import { firmDay } from '../../office/absences.ts'
import { recoveryOf, stoppedChannels } from '../../recovery/stopped-money.ts'
import { initialFilter } from '../inbox/queries.ts'
import { currentStaff } from './queries.ts'

export const showCurrent: Handler<typeof officeCurrent> = async (dependencies, context) => {
  const { staffId, sessionId, tokenIssuedAt } = requireStaff(context)
  const staff = await currentStaff(dependencies.pool, staffId, await firmDay(dependencies, context.now))
  if (!staff) throw new Problem('session-ended')
  const { id, name, email, roles, absence } = staff
  const firm = await dependencies.settings.get('firm')
  const { staffPasswordLengthMin } = await dependencies.settings.get('security')
  const due = context.now.getTime() / 1000 - tokenIssuedAt >= tokenLifeSeconds / 2
  return {
    staff: { id, name, email, roles, absence },
    reads: Object.keys(readPermissions).filter((area) => canRead(area as Area, roles)),
    does: Object.keys(permissions).filter((action) => can(action as Permission, roles)),
    firm: { name: firm.name, timeZone: firm.timeZone, logoUrl: firm.logoUrl },
    inboxFilter: initialFilter(staff.inboxFilter, roles),
    passwordLengthMin: staffPasswordLengthMin,
    demo: dependencies.config.demo,
    moneyStopped: stoppedChannels(await recoveryOf(dependencies.pool)),
    ...(due ? { token: await signToken(dependencies.keys, 'office', sessionId, { id: staffId }, context.now) } : {}),
  }
}
