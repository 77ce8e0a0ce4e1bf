/** Saves a section with its reason, or proposes it if a second administrator must approve (requirements 21.3, 21.4). */
import * as z from 'zod/mini'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { saveSetting as endpoint } from '#contract/office/settings.ts'
import { dualApprovalSections, settingSections, type Setting, type SettingSection } from '#contract/setting-sections.ts'
import { canSave } from '#rules/permissions.ts'
import { settingChangeMachine, type Difference } from '#rules/settings-changes.ts'
import { checkTwoAdministrators } from '#rules/staff.ts'
import type { SettingChangeId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { row, transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { readSetting, writeSetting } from '../../settings/settings.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { countAdministrators } from '../staff/queries.ts'
import { checkPlatformClock } from './check-platform-clock.ts'
import { checkPlatformGroups } from './check-platform-groups.ts'
import { readSection } from './check-section.ts'
import { detailsOf, orderedDifferences } from './differences.ts'
import { pendingSettingChange } from './queries.ts'

type EndpointContext = RequestContext<typeof endpoint>
type Answer = ResponseOf<typeof endpoint>

/** Returns the wire form of a section's value, which is stored, compared and shown. */
export function toWireForm(section: SettingSection, value: unknown): unknown {
  return z.encode(settingSections[section] as z.ZodMiniType, value as never)
}

export async function saveSetting(dependencies: Dependencies, context: EndpointContext): Promise<Answer> {
  const { section } = context.params
  if (!canSave(section, requireStaff(context).roles)) throw new Problem('wrong-role')
  const value = readSection(section, context.body.value, context.language)
  const { value: before } = await readSetting(dependencies.pool, section, context.now)
  await checkPlatformGroups(dependencies, section, { value, current: before }, context.language)
  await checkPlatformClock(dependencies.pool, section, value, context.language)
  const answer = await transaction(dependencies.pool, async (tx) => {
    await lockSection(tx, section)
    const current = await readSetting(tx, section, context.now)
    if (current.version !== context.body.version) throw new Problem('stale-page')
    const next = withTextVersions(section, current.value, value)
    const changes = orderedDifferences(toWireForm(section, current.value), toWireForm(section, next))
    if (changes.length === 0) throw new Problem('setting-unchanged')
    if (dualApprovalSections.includes(section))
      return proposeChange(tx, dependencies, context, next, current.version, changes)
    await writeSetting(tx, section, {
      value: next,
      version: current.version + 1,
      by: requireStaff(context).staffId,
      reason: context.body.reason,
      now: context.now,
    })
    await recordEvent(tx, context.auditContext, {
      kind: 'settings',
      action: 'save',
      reason: context.body.reason,
      details: detailsOf(section, changes),
    })
    return { saved: true, version: current.version + 1, changeId: null }
  }).catch(throwStalePage)
  dependencies.settings.forget(section)
  return answer
}

/** Serializes concurrent saves and approvals of a section. */
export async function lockSection(tx: Transaction, section: SettingSection): Promise<void> {
  await row(tx)`select pg_advisory_xact_lock(hashtext(${`settings ${section}`}))::text as held`
}

const uniqueViolation = '23505'

/** Throws `stale-page` if the operator's command line, which does not use the lock, wrote the next version. */
export function throwStalePage(error: Error & { code?: string }): never {
  if (error.code === uniqueViolation) throw new Problem('stale-page')
  throw error
}

/**
 * Returns the value with a new version for each changed legal text, whatever version the page sent, because clients
 * accept versions.
 */
function withTextVersions<S extends SettingSection>(section: S, before: Setting<S>, after: Setting<S>): Setting<S> {
  if (section !== 'legalTexts') return after
  const [old, next] = [before as Setting<'legalTexts'>, after as Setting<'legalTexts'>]
  const texts = Object.entries(next).map(([key, text]) => {
    const was = old[key as keyof typeof old]
    const changed = JSON.stringify([was.title, was.text]) !== JSON.stringify([text.title, text.text])
    return [key, { ...text, version: changed ? Math.max(text.version, was.version + 1) : was.version }]
  })
  return Object.fromEntries(texts) as Setting<S>
}

async function proposeChange(
  tx: Transaction,
  dependencies: Dependencies,
  context: EndpointContext,
  value: Setting<SettingSection>,
  base: number,
  changes: readonly Difference[],
): Promise<Answer> {
  const { section } = context.params
  if (await pendingSettingChange(tx, section)) throw new Problem('change-waits')
  throwIfProblem(checkTwoAdministrators(await countAdministrators(tx)))
  const { staffId } = requireStaff(context)
  const written = await requireRow<{ id: SettingChangeId }>(tx)`
    insert into setting_changes (section, base_version, value, reason, asked_by, asked_at)
      values (${section}, ${base}, ${JSON.stringify(toWireForm(section, value))}::text::jsonb, ${context.body.reason}, ${staffId}, ${context.now})
      returning id`
  const dueAt = await workItemDueAt(dependencies, 'setting_change', context.now)
  await recordCreation(tx, settingChangeMachine, context.auditContext, { id: written.id }, 'ask', {
    reason: context.body.reason,
    details: detailsOf(section, changes),
    workItem: { dueAt, summary: { section, changes: changes.length } },
  })
  return { saved: false, version: base, changeId: written.id }
}
