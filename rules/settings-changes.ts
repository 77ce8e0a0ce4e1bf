/**
 * Changes of settings that a second administrator must approve (requirements 21.3, 21.4). Which sections these are:
 * `dualApprovalSections` in contract/setting-sections.ts.
 */
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
