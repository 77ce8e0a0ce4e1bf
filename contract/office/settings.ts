/** Settings for staff: by section, with values before and after and a reason; some wait for a second administrator. */
import * as z from 'zod/mini'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { settingChangeMachine } from '#rules/settings-changes.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { body, choice, largestInteger, seconds } from '../fields.ts'
import { settingSectionNames } from '../setting-sections.ts'
import { decisionsOn } from './decision.ts'
import { page, paramsOf, root, staffBrief, listQuery } from './briefs.ts'
import { note, reason, recordFields } from './decisions.ts'

const section = choice(settingSectionNames as [(typeof settingSectionNames)[number], ...typeof settingSectionNames])
const sectionParams = z.object({ section })
/** A section's value in its wire form; `settingSections[section]` of setting-sections.ts parses it. */
const value = z.unknown()
const difference = z.array(
  z.object({ path: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
)

const pendingChange = z.object({
  id: z.string(),
  version: z.int(),
  by: staffBrief,
  at: seconds,
  reason: z.string(),
  changes: difference,
})

export const listSettings = endpoint('listSettings', `GET ${root}/settings`, {
  summary: 'Returns all settings sections with their version, last change and pending changes.',
  access: readPermissions.settings,
  response: z.object({
    sections: z.array(
      z.object({
        /** Servers of another version may have other sections. */
        section: z.string(),
        version: z.int(),
        pending: z.nullable(z.string()),
        refusal: z.nullable(z.object({ code: z.string(), text: z.string() })),
      }),
    ),
  }),
})

export const getSetting = endpoint('getSetting', `GET ${root}/settings/:section`, {
  summary: 'Returns one settings section with its current value, earlier versions and pending change.',
  access: readPermissions.settings,
  params: sectionParams,
  response: z.object({
    section,
    value,
    version: z.int(),
    changedAt: z.nullable(seconds),
    changedBy: z.nullable(staffBrief),
    fourEyes: z.boolean(),
    refusal: z.nullable(z.object({ code: z.string(), text: z.string() })),
    pending: z.nullable(pendingChange),
    earlier: z.array(
      z.object({ version: z.int(), at: seconds, by: z.nullable(staffBrief), reason: z.string(), changes: difference }),
    ),
    /** The source of the default, for the country risk. */
    sources: z.array(z.object({ name: z.string(), asOf: z.string(), source: z.string() })),
    /** How many clients see it on their next page. */
    affectedClients: z.nullable(z.int()),
    defaultValue: value,
  }),
  problems: ['not-found'],
})

export type SettingAnswer = ResponseOf<typeof getSetting>

export const previewSetting = endpoint('previewSetting', `POST ${root}/settings/:section/preview`, {
  summary: 'Validates a value and returns its changes and, for branding, the resolved colours.',
  access: permissions.saveSettings,
  params: sectionParams,
  body: body({ value }),
  response: z.object({
    changes: difference,
    colours: z.nullable(z.record(z.string(), z.object({ light: z.string(), dark: z.string() }))),
    affectedClients: z.nullable(z.int()),
  }),
  problems: ['setting-invalid', 'setting-unchanged', 'wrong-role'],
})

export type SettingPreview = ResponseOf<typeof previewSetting>

export const saveSetting = endpoint('saveSetting', `POST ${root}/settings/:section`, {
  summary: 'Saves a settings section, or proposes the change if a second administrator must approve it.',
  access: permissions.saveSettings,
  params: sectionParams,
  body: body({
    value,
    version: z.int('required').check(z.minimum(0, 'invalid'), z.maximum(largestInteger, 'invalid')),
    reason,
  }),
  response: z.object({ saved: z.boolean(), version: z.int(), changeId: z.nullable(z.string()) }),
  problems: [
    'setting-invalid',
    'setting-unchanged',
    'change-waits',
    'second-administrator-missing',
    'stale-page',
    'reason-required',
    'wrong-role',
  ],
})

export const listSettingChanges = endpoint('listSettingChanges', `GET ${root}/setting-changes`, {
  summary: 'Returns settings changes: those pending approval by a second administrator, and decided ones.',
  access: readPermissions.settings,
  query: z.strictObject({
    cursor: listQuery.cursor,
    size: listQuery.size,
    state: z.optional(choice(settingChangeMachine.states)),
  }),
  response: page(
    z.object({
      ...pendingChange.shape,
      state: choice(settingChangeMachine.states),
      decidedBy: z.nullable(staffBrief),
      decidedAt: z.nullable(seconds),
    }),
  ),
})

export const getSettingChange = endpoint('getSettingChange', `GET ${root}/setting-changes/:id`, {
  summary: 'Returns one settings change with the values before and after it.',
  access: readPermissions.settings,
  params: paramsOf<'setting_change'>(),
  response: z.object({
    change: z.object({
      ...recordFields,
      state: choice(settingChangeMachine.states),
      section,
      by: staffBrief,
      why: z.string(),
      changes: difference,
    }),
  }),
})

const decision = decisionsOn('setting-changes', settingChangeMachine)

export const approveSettingChange = decision('approveSettingChange', 'approve', {
  summary: 'Approves and applies the change. The person who requested it may not approve it.',
  body: { note },
  problems: ['own-act', 'stale-page'],
})
export const rejectSettingChange = decision('rejectSettingChange', 'reject', {
  summary: 'Rejects the change with a reason.',
  body: { reason },
  problems: ['own-act'],
})
export const cancelSettingChange = decision('cancelSettingChange', 'cancel', {
  summary: 'Cancels a change that the caller requested.',
  body: { note },
  problems: ['not-your-act'],
})
