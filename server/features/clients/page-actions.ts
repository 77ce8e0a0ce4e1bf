/** Actions of staff on a client beyond the state machine, and why one is unavailable. */
import type { OfficeClient } from '#contract/office/clients.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { arePaymentsStopped } from '#rules/checks/client-checks.ts'
import { securityAnswerTriesMax } from '#rules/constants.ts'
import { checkErasure } from '#rules/retention.ts'
import { can, type Permission } from '#rules/permissions.ts'
import type { ClientId } from '#rules/ids.ts'
import { type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { problemText } from '../../http/problem.ts'
import { currentCount } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { factorResetProblem } from '../factor-resets/queries.ts'
import { emailChangeProblem } from '../profile-changes/queries.ts'
import { erasureOf } from '../retention/queries.ts'
import { answerBucket } from './check-security-answer.ts'
import { grossClientBalance, openRequestsOf } from './queries.ts'
import type { ClientState } from '#rules/clients.ts'

interface Subject {
  readonly id: ClientId
  readonly email: string
  readonly state: ClientState
  readonly erased_at: Date | null
  readonly factor_confirmed_at: Date | null
  readonly security_answer_hash: unknown
  readonly source_of_wealth_asked_at: Date | null
}

const clientActions = [
  'writeNote',
  'setFlag',
  'holdPayments',
  'liftHold',
  'payLastBalance',
  'askSourceOfWealth',
  'checkSecurityAnswer',
  'sendResetLink',
  'signOutClient',
  'correctField',
  'askErasure',
  'askFactorReset',
  'askEmailChange',
] as const satisfies readonly Permission[]

const forbiddenOnOneself: readonly Permission[] = [
  'setFlag',
  'holdPayments',
  'liftHold',
  'payLastBalance',
  'correctField',
  'askSourceOfWealth',
  'askErasure',
  'askFactorReset',
  'askEmailChange',
]

/** Returns the actions of staff on the client, each with the reason if it is unavailable to the person. */
export async function actionsOf(
  dependencies: Dependencies,
  context: RequestContext,
  client: Subject,
): Promise<OfficeClient['deeds']> {
  const staff = requireStaff(context)
  const isOwn = staff.email.toLowerCase() === client.email.toLowerCase()
  const tries = await currentCount(dependencies.pool, answerBucket(client.id), context.now)
  const unerasable = await erasureProblem(dependencies.pool, client, context.now)
  const factor = {
    id: client.id,
    secondFactor: client.factor_confirmed_at !== null,
    hasQuestion: client.security_answer_hash !== null,
  }
  const unchangeable = await emailChangeProblem(dependencies.pool, factor, staff.staffId, context.now)
  const unresettable = await factorResetProblem(dependencies.pool, factor, staff.staffId, context.now)
  const whyNot = (action: (typeof clientActions)[number]): ProblemCode | null => {
    if (!can(action, staff.roles)) return 'wrong-role'
    if (isOwn && forbiddenOnOneself.includes(action)) return 'own-request'
    if (action === 'askErasure') return unerasable
    if (client.erased_at !== null) return 'erased-already'
    if (action === 'payLastBalance' && !arePaymentsStopped(client.state)) return 'last-balance-state'
    if (action === 'checkSecurityAnswer' && tries.count >= securityAnswerTriesMax) return 'answer-tries-over'
    if (action === 'askSourceOfWealth' && client.source_of_wealth_asked_at !== null) return 'wealth-asked'
    if (action === 'askEmailChange') return unchangeable
    return action === 'askFactorReset' ? unresettable : null
  }
  return clientActions.map((action) => {
    const code = whyNot(action)
    return { deed: action, refusal: code && { code, text: problemText(code, context.language) } }
  })
}

async function erasureProblem(connection: Connection, { id, state, erased_at: erasedAt }: Subject, now: Date) {
  const erasure = await erasureOf(connection, id)
  return checkErasure({
    state,
    isErased: erasedAt !== null,
    isAsked: erasure !== null && ['pending', 'approved'].includes(erasure.state),
    owed: await grossClientBalance(connection, { clientId: id }),
    openRequests: await openRequestsOf(connection, id, now),
  })
}
