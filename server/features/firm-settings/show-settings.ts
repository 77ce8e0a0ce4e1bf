/** The sections in force, their earlier versions, and what waits; and what a value would change before it is saved. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type {
  getSetting,
  getSettingChange,
  listSettingChanges,
  listSettings,
  previewSetting,
} from '#contract/office/settings.ts'
import { fourEyesSections, settingSectionNames, type SettingSection } from '#contract/setting-sections.ts'
import { brandTokens } from '#rules/brand.ts'
import { countryRiskSources } from '#rules/country-data.ts'
import { maySave } from '#rules/permissions.ts'
import { settingChangeLife } from '#rules/settings-changes.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, sentence } from '../../http/problem.ts'
import { cursorAfter, momentOf, paged, placeOf } from '../../office/page-cursor.ts'
import { recordFieldsOf } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { settingDefault } from '../../settings/defaults.ts'
import { readSetting } from '../../settings/settings.ts'
import { readSection } from './check-section.ts'
import { refusalOf } from './decide-change.ts'
import { differencesOf } from './differences.ts'
import {
  clientsWithPortal,
  newestVersions,
  settingChangeById,
  settingChanges,
  versionsOf,
  waitingChange,
  type SettingChangeRow,
  type VersionRow,
} from './queries.ts'
import { wireOf } from './save-setting.ts'

const earlierMax = 20
const pageSize = 50
/** Sections whose change clients see at their next page. */
const seenByClients: readonly SettingSection[] = [
  'firm',
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

export async function showSections(
  parts: Parts,
  call: Call<typeof listSettings>,
): Promise<AnswerOf<typeof listSettings>> {
  const newest = new Map((await newestVersions(parts.pool)).map((one) => [one.section, one]))
  const waiting = new Map(
    (await settingChanges(parts.pool, { state: 'pending' }, { after: null, size: 100 })).map((one) => [
      one.section,
      one.id,
    ]),
  )
  return {
    sections: settingSectionNames.map((section) => {
      const kept = newest.get(section)
      return {
        section,
        version: kept?.version ?? 0,
        changedAt: kept?.at ?? null,
        changedBy: kept ? by(kept) : null,
        fourEyes: fourEyesSections.includes(section),
        pending: waiting.get(section) ?? null,
        refusal: refusal(call, section),
      }
    }),
  }
}

function by(version: Pick<VersionRow, 'byId' | 'byName'>) {
  return version.byId !== null && version.byName !== null ? { id: version.byId, name: version.byName } : null
}

function refusal(call: Call, section: SettingSection) {
  return maySave(section, staffOf(call).roles)
    ? null
    : { code: 'wrong-role', text: sentence('wrong-role', call.language) }
}

export async function showSection(parts: Parts, call: Call<typeof getSetting>): Promise<AnswerOf<typeof getSetting>> {
  const { section } = call.params
  const standing = await readSetting(parts.pool, section, call.now)
  const versions = await versionsOf(parts.pool, section, earlierMax + 1)
  const waiting = await waitingChange(parts.pool, section)
  const defaultValue = wireOf(section, settingDefault(section, call.now))
  const before = (place: number) => versions[place + 1]?.value ?? defaultValue
  const [newest] = versions
  return {
    section,
    value: wireOf(section, standing.value),
    version: standing.version,
    changedAt: newest?.at ?? null,
    changedBy: newest ? by(newest) : null,
    fourEyes: fourEyesSections.includes(section),
    refusal: refusal(call, section),
    pending: waiting && pendingOf(waiting, wireOf(section, standing.value)),
    earlier: versions.slice(0, earlierMax).map((one, place) => ({
      version: one.version,
      at: one.at,
      by: by(one),
      reason: one.reason,
      changes: differencesOf(before(place), one.value),
    })),
    sources:
      section === 'countries' ? countryRiskSources.map(({ list, asOf, source }) => ({ name: list, asOf, source })) : [],
    affectedClients: await affected(parts, section),
    defaultValue,
  }
}

async function affected(parts: Parts, section: SettingSection): Promise<number | null> {
  return seenByClients.includes(section) ? clientsWithPortal(parts.pool) : null
}

function pendingOf(change: SettingChangeRow, standing: unknown) {
  const { id, version, section, askedBy, askedByName, askedAt, reason } = change
  return {
    id,
    version,
    section,
    by: { id: askedBy, name: askedByName },
    at: askedAt,
    reason,
    changes: differencesOf(standing, change.value),
  }
}

export async function previewSection(
  parts: Parts,
  call: Call<typeof previewSetting>,
): Promise<AnswerOf<typeof previewSetting>> {
  const { section } = call.params
  if (!maySave(section, staffOf(call).roles)) throw new Problem('wrong-role')
  const value = readSection(section, call.body.value, call.language)
  const standing = await readSetting(parts.pool, section, call.now)
  const changes = differencesOf(wireOf(section, standing.value), wireOf(section, value))
  return {
    changes,
    colours: 'brandColour' in value ? coloursOf(value.brandColour) : null,
    affectedClients: await affected(parts, section),
  }
}

function coloursOf(brand: string) {
  const { light, dark } = brandTokens(brand)
  return Object.fromEntries(
    Object.entries(light).map(([token, colour]) => [token, { light: colour, dark: dark[token as keyof typeof dark] }]),
  )
}

/** Before and after: against what stood when it was asked for, once it is decided; against what stands, while it waits. */
async function changesOf(parts: Parts, change: SettingChangeRow, now: Date) {
  const { section } = change
  if (change.state !== 'pending')
    return differencesOf(change.baseValue ?? wireOf(section, settingDefault(section, now)), change.value)
  const standing = await readSetting(parts.pool, section, now)
  return differencesOf(wireOf(section, standing.value), change.value)
}

export async function showChanges(
  parts: Parts,
  call: Call<typeof listSettingChanges>,
): Promise<AnswerOf<typeof listSettingChanges>> {
  const { state, cursor, size = pageSize } = call.query
  const place = placeOf(cursor)
  const after = place && { at: momentOf(place.value), id: place.id }
  const found = await settingChanges(parts.pool, { state }, { after, size: size + 1 })
  const { rows, next } = paged(found, size, (one) => cursorAfter(one.askedAt.toISOString(), one.id))
  return {
    rows: await Promise.all(
      rows.map(async (change) => ({
        ...pendingOf(change, change.value),
        changes: await changesOf(parts, change, call.now),
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

export async function showChange(
  parts: Parts,
  call: Call<typeof getSettingChange>,
): Promise<AnswerOf<typeof getSettingChange>> {
  const change = await settingChangeById(parts.pool, call.params.id)
  if (!change) throw new Problem('not-found')
  const { staffId } = staffOf(call)
  const standing = await readSetting(parts.pool, change.section, call.now)
  const stale = change.state === 'pending' && standing.version !== change.baseVersion
  const refusals = Object.fromEntries(
    (['approve', 'reject', 'cancel'] as const).map((verb) => {
      const code = refusalOf(verb, change, staffId) ?? (verb === 'approve' && stale ? 'stale-page' : null)
      return [verb, code && new Problem(code)]
    }),
  )
  const { id, version, state, section, reason: why } = change
  return {
    change: {
      ...(await recordFieldsOf(call, parts.pool, {
        kind: settingChangeLife.name,
        id,
        version,
        createdAt: change.askedAt,
        decidedAt: change.decidedAt,
        decidedBy: change.decidedBy,
        reason: null,
        life: settingChangeLife,
        state,
        refusals,
      })),
      checks: [],
      state,
      section,
      why,
      stale,
      by: { id: change.askedBy, name: change.askedByName },
      changes: await changesOf(parts, change, call.now),
    },
  }
}
