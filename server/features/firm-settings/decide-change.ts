/**
 * A second administrator approves a change or rejects it; the person who proposed it cancels it (requirements 21.3).
 */
import type { approveSettingChange, cancelSettingChange, rejectSettingChange } from '#contract/office/settings.ts'
import { checkProposalDecider, type ProposalAction } from '#rules/actors.ts'
import { settingChangeMachine } from '#rules/settings-changes.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem, requireFound, throwIfProblem } from '../../http/problem.ts'
import { decisionReason } from '../../office/decide.ts'
import { takeDecision } from '../../office/records.ts'
import { readSetting, writeSetting } from '../../settings/settings.ts'
import { checkPlatformGroups } from './check-platform-groups.ts'
import { readSection } from './check-section.ts'
import { detailsOf, orderedDifferences } from './differences.ts'
import { settingChangeById } from './queries.ts'
import { lockSection, throwStalePage, toWireForm } from './save-setting.ts'

type Decision = typeof approveSettingChange | typeof rejectSettingChange | typeof cancelSettingChange

export const decideChange =
  (action: ProposalAction): Handler<Decision> =>
  async (dependencies, context) => {
    const { staffId } = requireStaff(context)
    const change = requireFound(await settingChangeById(dependencies.pool, context.params.id))
    throwIfProblem(checkProposalDecider(action, change.askedBy === staffId))
    const { section } = change
    if (action === 'approve' && change.state === 'pending') {
      const { value: before } = await readSetting(dependencies.pool, section, context.now)
      const value = readSection(section, change.value, context.language)
      await checkPlatformGroups(dependencies, section, { value, current: before }, context.language)
    }
    const answer = await takeDecision(dependencies, context, settingChangeMachine.name, change.id, async (tx) => {
      await lockSection(tx, section)
      const current = await readSetting(tx, section, context.now)
      const changes = orderedDifferences(toWireForm(section, current.value), change.value)
      const after = await applyTransition(tx, settingChangeMachine, context.auditContext, change, action, {
        version: context.body.version,
        reason: decisionReason(context.body),
        set: { decided_by: staffId, decided_at: context.now },
        details: detailsOf(section, changes),
        workItem: null,
      })
      if (action === 'approve') {
        // The section has changed since: the reviewed values are not the ones that would take effect.
        if (current.version !== change.baseVersion) throw new Problem('stale-page')
        const value = readSection(section, change.value, context.language)
        await writeSetting(tx, section, {
          value,
          version: current.version + 1,
          by: change.askedBy,
          reason: change.reason,
          now: context.now,
        })
        await recordEvent(tx, context.auditContext, {
          kind: 'settings',
          action: 'save',
          reason: change.reason,
          details: detailsOf(section, changes),
        })
      }
      return after
    }).catch(throwStalePage)
    dependencies.settings.forget(section)
    return answer
  }
