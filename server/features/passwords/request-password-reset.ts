/**
 * A forgotten password. Requests are recorded alike for every address and handled by a job, so that neither the
 * response nor its time reveals whether the address is known (requirements 4.2).
 */
import { msg } from '#contract/message.ts'
import { randomUUID } from 'node:crypto'
import type { resetPassword } from '#contract/passwords.ts'
import { transaction } from '../../db/sql.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { networkOf } from '../../http/network.ts'
import { incrementCount, perHour } from '../../http/rate-limits.ts'
import { enqueue } from '../../jobs/operations.ts'
import type { Dependencies } from '../../dependencies.ts'
import { translate } from '../../i18n/translate.ts'

/** Several people may share one network address. */
const usersByEmail = 10

const words = msg`Please check your email.`

/** Records the request, unless there were too many. The response is the same either way. */
export const requestPasswordReset: Handler<typeof resetPassword> = async (dependencies, context) => {
  const { email } = context.body
  if (await isWithinLimits(dependencies, email, context)) {
    await transaction(dependencies.pool, (tx) =>
      enqueue(tx, context.now, {
        kind: 'password-reset',
        ref: `reset-${randomUUID()}`,
        target: 'password-reset',
        payload: { email, address: context.address },
      }),
    )
  }
  return { msg: translate(words, context.language) }
}

/**
 * Returns whether the request is within the limits. Requests above the limit of a network address do not count against
 * any account that they name.
 */
async function isWithinLimits(
  dependencies: Dependencies,
  email: string,
  { address, now }: Pick<RequestContext, 'address' | 'now'>,
): Promise<boolean> {
  const { resetsPerHour } = await dependencies.settings.get('rateLimits')
  const from = perHour('resets-address', networkOf(address))
  if ((await incrementCount(dependencies.pool, from, now)).count > resetsPerHour * usersByEmail) return false
  const ofAccount = perHour('resets', email)
  return (await incrementCount(dependencies.pool, ofAccount, now)).count <= resetsPerHour
}
