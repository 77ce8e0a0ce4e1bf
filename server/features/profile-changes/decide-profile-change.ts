/** Compliance decides on a change of a verified identity: product-decisions section 10. */
import { portalPaths } from '#contract/portal-paths.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import { profileChangeLife, type DecidedField } from '#rules/profile-changes.ts'
import { advance } from '../../db/advance.ts'
import { raw, run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { tellClient } from '../../tell-client.ts'
import { profileChangeById } from './queries.ts'

export interface ChangeDecision {
  readonly verb: 'approve' | 'reject'
  readonly id: string
  readonly version: number
  readonly reason: string
}

const columns: Readonly<Record<DecidedField, string>> = {
  name: 'name',
  surname: 'surname',
  birthDate: 'birth_date',
  nationality: 'nationality',
  country: 'country',
}

/** Applies the change, or refuses it with a reason that the client reads. */
export async function decideProfileChange(
  parts: Parts,
  call: Pick<Call, 'caller' | 'act' | 'now'>,
  decision: ChangeDecision,
) {
  const { verb, id, version, reason } = decision
  const { changes } = await parts.settings.get('countries')
  return namingDecider(parts, profileChangeLife.name, id, () =>
    transaction(parts.pool, async (tx) => {
      const change = await profileChangeById(tx, id)
      if (!change) throw new Problem('not-found')
      refuseOwnRequest(staffOf(call), change.email)
      const approved = verb === 'approve'
      if (approved && change.state === 'pending' && change.field === 'country')
        refuse(checkResidence(countryOf(change.to, changes)))
      const after = await advance(tx, profileChangeLife, call.act, {
        id,
        verb,
        version,
        clientId: change.clientId,
        ...(reason === '' ? {} : { reason }),
        set: { decided_at: call.now, decided_by: staffOf(call).staffId, reason: approved ? null : reason },
        ...(approved
          ? { details: { before: { [change.field]: change.from }, after: { [change.field]: change.to } } }
          : {}),
        work: null,
      })
      if (approved) {
        const cast = raw(change.field === 'birthDate' ? '::date' : '')
        await run(
          tx,
          sql`update clients set ${raw(columns[change.field])} = ${change.to}${cast}, version = version + 1 where id = ${change.clientId}`,
        )
      }
      const client = { id: change.clientId, email: change.email, language: change.language }
      await tellClient(
        tx,
        {
          kind: approved ? 'profile-change-approved' : 'profile-change-rejected',
          client,
          facts: { field: change.field, ...(approved ? {} : { reason }) },
          link: portalPaths.profile,
          subject: profileChangeLife.name,
          record: id,
        },
        call.now,
      )
      return decidedAnswer(tx, call, profileChangeLife.name, id, after)
    }),
  )
}
