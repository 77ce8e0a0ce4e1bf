/**
 * Changes of settings that a second administrator must approve (requirements 21.3, 21.4). Which sections these are:
 * `dualApprovalSections` in contract/setting-sections.ts.
 */
import { groupRowName } from './platform-groups.ts'
import { defineStateMachine } from './state-machine.ts'

export const settingChangeMachine = defineStateMachine({
  name: 'setting_change',
  table: 'setting_changes',
  states: ['pending', 'approved', 'rejected', 'cancelled'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    approve: { from: ['pending'], to: 'approved', by: ['administrator'] },
    reject: { from: ['pending'], to: 'rejected', by: ['administrator'] },
    /** By the person who proposed it. */
    cancel: { from: ['pending'], to: 'cancelled', by: ['administrator'] },
  },
})
export type SettingChangeState = (typeof settingChangeMachine.states)[number]

export interface Difference {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Returns every leaf of a section's wire form that was added, removed or changed. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [from, to] = [collectLeaves(before, '', new Map()), collectLeaves(after, '', new Map())]
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((path) => from.get(path) !== to.get(path))
    .map((path) => ({ path, before: from.get(path) ?? null, after: to.get(path) ?? null }))
}

/** Returns the leaves of a value in its wire form: "lines.en.0" to its text. */
function collectLeaves(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (value === null || typeof value !== 'object')
    return into.set(path, value === null || value === undefined ? '' : String(value as string | number | boolean))
  const row = groupRowName(value)
  if (row !== null) return into.set(`rows.${row}`, (value as { group: string }).group)
  for (const [name, part] of Object.entries(value)) collectLeaves(part, path === '' ? name : `${path}.${name}`, into)
  return into
}
