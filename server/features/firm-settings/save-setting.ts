/** Saves a section with its reason, or proposes it where a second administrator must approve (mechanics section 7). */
import * as z from 'zod/mini'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { saveSetting as endpoint } from '#contract/office/settings.ts'
import { fourEyesSections, settingSections, type Setting, type SettingSection } from '#contract/setting-sections.ts'
import { maySave } from '#rules/permissions.ts'
import { settingChangeLife } from '#rules/settings-changes.ts'
import { checkTwoAdministrators } from '#rules/staff.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { readSetting, writeSetting } from '../../settings/settings.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { countAdministrators } from '../staff/queries.ts'
import { readSection } from './check-section.ts'
import { detailsOf, differencesOf, type Difference } from './differences.ts'
import { waitingChange } from './queries.ts'

type Asked = Call<typeof endpoint>
type Answer = AnswerOf<typeof endpoint>

/** The wire form of a section's value: what is kept, compared and shown. */
export function wireOf(section: SettingSection, value: unknown): unknown {
  return z.encode(settingSections[section] as z.ZodMiniType, value as never)
}

export async function saveSetting(parts: Parts, call: Asked): Promise<Answer> {
  const { section } = call.params
  if (!maySave(section, staffOf(call).roles)) throw new Problem('wrong-role')
  const value = readSection(section, call.body.value, call.language)
  const answer = await transaction(parts.pool, async (tx) => {
    await oneAtATime(tx, section)
    const standing = await readSetting(tx, section, call.now)
    if (standing.version !== call.body.version) throw new Problem('stale-page')
    const next = withTextVersions(section, standing.value, value)
    const changes = differencesOf(wireOf(section, standing.value), wireOf(section, next))
    if (changes.length === 0) throw new Problem('setting-unchanged')
    if (fourEyesSections.includes(section)) return propose(tx, parts, call, next, standing.version, changes)
    await writeSetting(tx, section, {
      value: next,
      version: standing.version + 1,
      by: staffOf(call).staffId,
      reason: call.body.reason,
      now: call.now,
    })
    await record(tx, call.act, {
      kind: 'settings',
      verb: 'save',
      reason: call.body.reason,
      details: detailsOf(section, changes),
    })
    return { saved: true, version: standing.version + 1, changeId: null }
  }).catch(staleTwin)
  parts.settings.forget(section)
  return answer
}

/** Two savers at once, or a saver and an approver: one after the other. */
export async function oneAtATime(tx: Transaction, section: SettingSection): Promise<void> {
  await row(tx, sql`select pg_advisory_xact_lock(hashtext(${`settings ${section}`}))::text as held`)
}

const uniqueViolation = '23505'

/** The next version's row was written by somebody past the lock: the operator's command line. */
export function staleTwin(error: Error & { code?: string }): never {
  if (error.code === uniqueViolation) throw new Problem('stale-page')
  throw error
}

/** A legal text that changed is another version, whatever the page said: clients accept versions. */
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

async function propose(
  tx: Transaction,
  parts: Parts,
  call: Asked,
  value: Setting<SettingSection>,
  base: number,
  changes: readonly Difference[],
): Promise<Answer> {
  const { section } = call.params
  if (await waitingChange(tx, section)) throw new Problem('change-waits')
  refuse(checkTwoAdministrators(await countAdministrators(tx)))
  const { staffId } = staffOf(call)
  const written = await row<{ id: string }>(
    tx,
    sql`insert into setting_changes (section, base_version, value, reason, asked_by, asked_at)
        values (${section}, ${base}, ${JSON.stringify(wireOf(section, value))}::text::jsonb, ${call.body.reason}, ${staffId}, ${call.now})
        returning id`,
  )
  if (!written) throw new Error('a change was not written')
  const kind = 'setting_change'
  await record(tx, call.act, {
    kind,
    verb: 'ask',
    record: written.id,
    to: settingChangeLife.first,
    reason: call.body.reason,
    details: detailsOf(section, changes),
  })
  const due = await workDueAt(parts, kind, call.now)
  await openWork(
    tx,
    kind,
    written.id,
    { state: settingChangeLife.first, dueAt: due, summary: { section, changes: changes.length } },
    call.now,
  )
  return { saved: false, version: base, changeId: written.id }
}
