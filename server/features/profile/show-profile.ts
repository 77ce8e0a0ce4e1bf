/** Shows a client's profile, and downloads all of the client's own data as a ZIP. */
import { employment, experience, financial, type profile, type downloadMyData as endpoint } from '#contract/profile.ts'
import { requireClient, type Handler } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { tokenLifeSeconds } from '../../http/tokens.ts'
import { readUser } from '../../auth/user.ts'
import * as z from 'zod/mini'
import { pendingChanges, savedForms } from './queries.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import { zipOf } from '../../export/zip.ts'
import { BinaryResponse } from '../../http/binary-response.ts'
import { limit, perHour } from '../../http/rate-limits.ts'
import { clientDataEntries } from './client-data.ts'

const employmentForm = z.object({ ...employment, ...financial })
const experienceForm = z.object(experience)

/** Returns the user with both forms, null if one was never filled in, and the changes pending with compliance. */
export const showProfile: Handler<typeof profile> = async (dependencies, context) => {
  const { clientId, email, tokenIssuedAt } = requireClient(context)
  if (context.body.email !== undefined && context.body.email !== email)
    throw new Problem('not-yours', { field: 'email' })
  const user = await readUser(dependencies, dependencies.pool, clientId)
  const forms = await savedForms(dependencies.pool, clientId)
  const pending = await pendingChanges(dependencies.pool, clientId)
  return {
    user: { ...user, tokenEndsAt: tokenIssuedAt + tokenLifeSeconds },
    employmentIncome: employmentForm.safeParse(forms.employment).data ?? null,
    tradingExperience: experienceForm.safeParse(forms.experience).data ?? null,
    pending: pending.map(({ field, to, since }) => ({ field, to, since })),
  }
}

const timesPerHour = 3

/** Returns the ZIP, at most three times an hour. */
export const downloadMyData: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  await limit(dependencies.pool, perHour('my-data', clientId), timesPerHour, context.now)
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, context.auditContext, { kind: 'client', action: 'downloadMyData', record: clientId, clientId }),
  )
  return new BinaryResponse(
    zipOf(clientDataEntries(dependencies, { id: clientId, language: context.language }), context.now),
    `my-data-${context.now.toISOString().slice(0, 10)}.zip`,
  )
}
