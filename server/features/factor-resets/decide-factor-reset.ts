/** Another person turns the client's second factor off, or leaves it on; who asked takes the wish back. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { approveFactorReset, cancelFactorReset, rejectFactorReset } from '#contract/office/factor-resets.ts'
import { checkFactorResetDecider, factorResetLife, type FactorResetVerb } from '#rules/factor-resets.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { timeOf } from '../../auth/times.ts'
import { dropRecoveryCodes } from '../../auth/totp.ts'
import { lockSubject, type LockedSubject } from './lock-subject.ts'
import { factorResetOf } from './queries.ts'

type Deciding = Call<typeof approveFactorReset | typeof rejectFactorReset | typeof cancelFactorReset>
const { name: kind } = factorResetLife

export async function decideFactorReset(
  parts: Parts,
  call: Deciding,
  verb: FactorResetVerb,
  reason: string,
): Promise<AnswerOf<typeof approveFactorReset>> {
  const { id } = call.params
  const staff = staffOf(call)
  return namingDecider(parts, kind, id, () =>
    transaction(parts.pool, async (tx) => {
      const client = await lockSubject(tx, id)
      const reset = client && (await factorResetOf(tx, client.id))
      if (!client || !reset) throw new Problem('not-found')
      refuseOwnRequest(staff, client.email)
      refuse(checkFactorResetDecider(verb, reset.askedBy === staff.staffId))
      const after = await advance(tx, factorResetLife, call.act, {
        id: client.id,
        verb,
        version: call.body.version,
        clientId: client.id,
        ...(reason === '' ? {} : { reason }),
        set: { ...(verb === 'cancel' ? {} : { decided_by: staff.staffId }), decided_at: call.now },
        work: null,
      })
      if (verb === 'approve') await turnOff(tx, call, client)
      return decidedAnswer(tx, call, kind, client.id, after)
    }),
  )
}

/** The next sign-in takes the password alone; whoever is signed in is not any more. */
async function turnOff(tx: Transaction, call: Deciding, client: LockedSubject): Promise<void> {
  const { id, email: to, language } = client
  if (!client.secondFactor) throw new Problem('factor-off')
  await run(
    tx,
    sql`update clients set factor_secret = null, factor_confirmed_at = null, version = version + 1 where id = ${id}`,
  )
  await dropRecoveryCodes(tx, { table: 'clients', id })
  await endSessionsOf(tx, { clientId: id }, call.now)
  await record(tx, call.act, { kind: 'client', verb: 'resetFactor', record: id, clientId: id })
  const facts = { at: timeOf(call.now) }
  await sendMail(tx, { kind: 'second-factor-reset', to, language, facts, clientId: id }, call.now)
}
