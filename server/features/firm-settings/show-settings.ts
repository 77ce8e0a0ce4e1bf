/** The sections in force, their earlier versions and pending changes, and a preview of a change before it is saved. */
import type {
  getSetting,
  getSettingChange,
  listSettingChanges,
  listSettings,
  previewSetting,
} from '#contract/office/settings.ts'
import { dualApprovalSections, settingSectionNames, type SettingSection } from '#contract/setting-sections.ts'
import { brandTokens } from '#rules/brand.ts'
import { countryRiskSources } from '#rules/country-data.ts'
import { canSave } from '#rules/permissions.ts'
import { settingChangeMachine } from '#rules/settings-changes.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, problemText, requireFound, problemsOf } from '../../http/problem.ts'
import { cursorAfter, paged, placeOf } from '../../office/page-cursor.ts'
import { recordFieldsOf } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { settingDefault } from '../../settings/defaults.ts'
import { readSetting } from '../../settings/settings.ts'
import { readSection } from './check-section.ts'
import { orderedDifferences } from './differences.ts'
import {
  countPortalClients,
  newestVersions,
  settingChangeById,
  settingChanges,
  versionsOf,
  pendingSettingChange,
  type SettingChangeRow,
  type VersionRow,
} from './queries.ts'
import { toWireForm } from './save-setting.ts'
import { proposalActions, checkProposalDecider } from '#rules/actors.ts'

const earlierMax = 20
const pageSize = 50
/** Sections whose changes clients see on their next page. */
const clientVisibleSections: readonly SettingSection[] = [
  'firm',
  'help',
  'notice',
  'windDown',
  'professional',
  'limits',
  'methods',
  'wireAccounts',
  'legalTexts',
  'rates',
  'countries',
]

export const showSections: Handler<typeof listSettings> = async (dependencies, context) => {
  const newest = new Map((await newestVersions(dependencies.pool)).map((one) => [one.section, one]))
  const waiting = new Map(
    (await settingChanges(dependencies.pool, { state: 'pending' }, { after: null, size: 100 })).map((one) => [
      one.section,
      one.id,
    ]),
  )
  return {
    sections: settingSectionNames.map((section) => {
      return {
        section,
        version: newest.get(section)?.version ?? 0,
        pending: waiting.get(section) ?? null,
        refusal: savingProblem(context, section),
      }
    }),
  }
}

function versionAuthor(version: Pick<VersionRow, 'byId' | 'byName'>) {
  return version.byId !== null && version.byName !== null ? { id: version.byId, name: version.byName } : null
}

function savingProblem(context: RequestContext, section: SettingSection) {
  return canSave(section, requireStaff(context).roles)
    ? null
    : { code: 'wrong-role', text: problemText('wrong-role', context.language) }
}

export const showSection: Handler<typeof getSetting> = async (dependencies, context) => {
  const { section } = context.params
  const current = await readSetting(dependencies.pool, section, context.now)
  const versions = await versionsOf(dependencies.pool, section, earlierMax + 1)
  const waiting = await pendingSettingChange(dependencies.pool, section)
  const defaultValue = toWireForm(section, settingDefault(section, context.now))
  const before = (place: number) => versions[place + 1]?.value ?? defaultValue
  const [newest] = versions
  return {
    section,
    value: toWireForm(section, current.value),
    version: current.version,
    changedAt: newest?.at ?? null,
    changedBy: newest ? versionAuthor(newest) : null,
    fourEyes: dualApprovalSections.includes(section),
    refusal: savingProblem(context, section),
    pending: waiting && pendingOf(waiting, toWireForm(section, current.value)),
    earlier: versions.slice(0, earlierMax).map((one, place) => ({
      version: one.version,
      at: one.at,
      by: versionAuthor(one),
      reason: one.reason,
      changes: orderedDifferences(before(place), one.value),
    })),
    sources:
      section === 'countries' ? countryRiskSources.map(({ list, asOf, source }) => ({ name: list, asOf, source })) : [],
    affectedClients: await affectedClientCount(dependencies, section),
    defaultValue,
  }
}

async function affectedClientCount(dependencies: Dependencies, section: SettingSection): Promise<number | null> {
  return clientVisibleSections.includes(section) ? countPortalClients(dependencies.pool) : null
}

function pendingOf(change: SettingChangeRow, current: unknown) {
  const { id, version, section, askedBy, askedByName, askedAt, reason } = change
  return {
    id,
    version,
    section,
    by: { id: askedBy, name: askedByName },
    at: askedAt,
    reason,
    changes: orderedDifferences(current, change.value),
  }
}

export const previewSection: Handler<typeof previewSetting> = async (dependencies, context) => {
  const { section } = context.params
  if (!canSave(section, requireStaff(context).roles)) throw new Problem('wrong-role')
  const value = readSection(section, context.body.value, context.language)
  const current = await readSetting(dependencies.pool, section, context.now)
  const changes = orderedDifferences(toWireForm(section, current.value), toWireForm(section, value))
  return {
    changes,
    colours: 'brandColour' in value ? coloursOf(value.brandColour) : null,
    affectedClients: await affectedClientCount(dependencies, section),
  }
}

function coloursOf(brand: string) {
  const { light, dark } = brandTokens(brand)
  return Object.fromEntries(
    Object.entries(light).map(([token, colour]) => [token, { light: colour, dark: dark[token as keyof typeof dark] }]),
  )
}

/**
 * Returns the values before and after: for a decided change compared with the values in force when it was proposed, for
 * a pending one with the current values.
 */
async function changesOf(dependencies: Dependencies, change: SettingChangeRow, now: Date) {
  const { section } = change
  if (change.state !== 'pending')
    return orderedDifferences(change.baseValue ?? toWireForm(section, settingDefault(section, now)), change.value)
  const current = await readSetting(dependencies.pool, section, now)
  return orderedDifferences(toWireForm(section, current.value), change.value)
}

export const showChanges: Handler<typeof listSettingChanges> = async (dependencies, context) => {
  const { state, cursor, size = pageSize } = context.query
  const found = await settingChanges(dependencies.pool, { state }, { after: placeOf(cursor), size: size + 1 })
  const { rows, next } = paged(found, size, ({ askedAt, id }) => cursorAfter({ at: askedAt, id }))
  return {
    rows: await Promise.all(
      rows.map(async (change) => ({
        ...pendingOf(change, change.value),
        changes: await changesOf(dependencies, change, context.now),
        state: change.state,
        decidedBy:
          change.decidedBy !== null && change.decidedByName !== null
            ? { id: change.decidedBy, name: change.decidedByName }
            : null,
        decidedAt: change.decidedAt,
      })),
    ),
    next,
  }
}

export const showChange: Handler<typeof getSettingChange> = async (dependencies, context) => {
  const change = requireFound(await settingChangeById(dependencies.pool, context.params.id))
  const { staffId } = requireStaff(context)
  const current = await readSetting(dependencies.pool, change.section, context.now)
  const stale = change.state === 'pending' && current.version !== change.baseVersion
  const refusals = problemsOf(
    proposalActions,
    (action) =>
      checkProposalDecider(action, change.askedBy === staffId) ?? (action === 'approve' && stale ? 'stale-page' : null),
  )
  const { state, section, reason: why } = change
  return {
    change: {
      ...(await recordFieldsOf(context, dependencies, {
        ...change,
        createdAt: change.askedAt,
        reason: null,
        machine: settingChangeMachine,
        refusals,
      })),
      state,
      section,
      why,
      by: { id: change.askedBy, name: change.askedByName },
      changes: await changesOf(dependencies, change, context.now),
    },
  }
}
