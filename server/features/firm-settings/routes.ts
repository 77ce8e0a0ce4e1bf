/** The firm's settings for staff. */
import * as office from '#contract/office/settings.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { decideChange } from './decide-change.ts'
import { saveSetting } from './save-setting.ts'
import { previewSection, showChange, showChanges, showSection, showSections } from './show-settings.ts'

export function firmSettingRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listSettings, showSections)
  registerEndpoint(office.getSetting, showSection)
  registerEndpoint(office.previewSetting, previewSection)
  registerEndpoint(office.saveSetting, saveSetting)
  registerEndpoint(office.listSettingChanges, showChanges)
  registerEndpoint(office.getSettingChange, showChange)
  registerEndpoint(office.approveSettingChange, decideChange('approve'))
  registerEndpoint(office.rejectSettingChange, decideChange('reject'))
  registerEndpoint(office.cancelSettingChange, decideChange('cancel'))
}
