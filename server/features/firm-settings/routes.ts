/** What the firm decides about itself: settings for staff. */
import * as office from '#contract/office/settings.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { decideChange } from './decide-change.ts'
import { saveSetting } from './save-setting.ts'
import { previewSection, showChange, showChanges, showSection, showSections } from './show-settings.ts'

export function firmSettingRoutes(serve: Serve, parts: Parts): void {
  serve(office.listSettings, (call) => showSections(parts, call))
  serve(office.getSetting, (call) => showSection(parts, call))
  serve(office.previewSetting, (call) => previewSection(parts, call))
  serve(office.saveSetting, (call) => saveSetting(parts, call))
  serve(office.listSettingChanges, (call) => showChanges(parts, call))
  serve(office.getSettingChange, (call) => showChange(parts, call))
  serve(office.approveSettingChange, (call) => decideChange(parts, call, 'approve', call.body.note))
  serve(office.rejectSettingChange, (call) => decideChange(parts, call, 'reject', call.body.reason))
  serve(office.cancelSettingChange, (call) => decideChange(parts, call, 'cancel', ''))
}
