import { employment, experience, financial, type profile } from '#contract/profile.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { tokenLifeSeconds } from '../../http/tokens.ts'
import { userOf } from '../../auth/user.ts'
import * as z from 'zod/mini'
import { ownProfile, pendingChanges } from './queries.ts'

const employmentForm = z.object({ ...employment, ...financial })
const experienceForm = z.object(experience)

/** Returns the user with both forms, null if one was never filled in, and the changes pending with compliance. */
export const showProfile: Handler<typeof profile> = async (dependencies, context) => {
  const { clientId, email, tokenIssuedAt } = requireClient(context)
  if (context.body.email !== undefined && context.body.email !== email)
    throw new Problem('not-yours', { field: 'email' })
  const { pool } = dependencies
  const [{ employment: income, experience: trading, ...found }, pending] = await Promise.all([
    ownProfile(pool, clientId),
    pendingChanges(pool, clientId),
  ])
  return {
    user: { ...(await userOf(dependencies, found)), tokenEndsAt: tokenIssuedAt + tokenLifeSeconds },
    employmentIncome: employmentForm.safeParse(income).data ?? null,
    tradingExperience: experienceForm.safeParse(trading).data ?? null,
    pending: pending.map(({ field, to, since }) => ({ field, to, since })),
  }
}
