/** A second administrator puts a change in force, or refuses it; who asked takes it back (mechanics section 3). */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { approveSettingChange, cancelSettingChange, rejectSettingChange } from '#contract/office/settings.ts'
import { settingChangeLife } from '#rules/settings-changes.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { readSetting, writeSetting } from '../../settings/settings.ts'
import { readSection } from './check-section.ts'
import { detailsOf, differencesOf } from './differences.ts'
import { settingChangeById, type SettingChangeRow } from './queries.ts'
import { oneAtATime, staleTwin, wireOf } from './save-setting.ts'

type Deciding = Call<typeof approveSettingChange | typeof rejectSettingChange | typeof cancelSettingChange>
type Verb = 'approve' | 'reject' | 'cancel'

/** Why this person may not do this verb, whatever state the change is in; null where he or she may. */
export function refusalOf(verb: Verb, change: Pick<SettingChangeRow, 'askedBy'>, staffId: string) {
  const asked = change.askedBy === staffId
  if (verb === 'cancel') return asked ? null : 'not-your-act'
  return asked ? 'own-act' : null
}

export async function decideChange(
  parts: Parts,
  call: Deciding,
  verb: Verb,
  reason: string,
): Promise<AnswerOf<typeof approveSettingChange>> {
  const { staffId } = staffOf(call)
  const change = await settingChangeById(parts.pool, call.params.id)
  if (!change) throw new Problem('not-found')
  refuse(refusalOf(verb, change, staffId))
  const { section } = change
  const answer = await namingDecider(parts, settingChangeLife.name, change.id, () =>
    transaction(parts.pool, async (tx) => {
      await oneAtATime(tx, section)
      const standing = await readSetting(tx, section, call.now)
      const changes = differencesOf(wireOf(section, standing.value), change.value)
      const after = await advance(tx, settingChangeLife, call.act, {
        id: change.id,
        verb,
        version: call.body.version,
        ...(reason ? { reason } : {}),
        set: { decided_by: staffId, decided_at: call.now },
        details: detailsOf(section, changes),
        work: null,
      })
      if (verb === 'approve') {
        // The section was changed since: what was looked at then is not what would come into force.
        if (standing.version !== change.baseVersion) throw new Problem('stale-page')
        const value = readSection(section, change.value, call.language)
        await writeSetting(tx, section, {
          value,
          version: standing.version + 1,
          by: change.askedBy,
          reason: change.reason,
          now: call.now,
        })
        await record(tx, call.act, {
          kind: 'settings',
          verb: 'save',
          reason: change.reason,
          details: detailsOf(section, changes),
        })
      }
      return decidedAnswer(tx, call, settingChangeLife.name, change.id, after)
    }).catch(staleTwin),
  )
  parts.settings.forget(section)
  return answer
}
