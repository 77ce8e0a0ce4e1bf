/** The firm's settings for staff. */
import * as office from '#contract/office/settings.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { decideChange } from './decide-change.ts'
import { saveSetting } from './save-setting.ts'
import { previewSection, showChange, showChanges, showSection, showSections } from './show-settings.ts'

export function firmSettingRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(office.listSettings, (context) => showSections(dependencies, context))
  registerEndpoint(office.getSetting, (context) => showSection(dependencies, context))
  registerEndpoint(office.previewSetting, (context) => previewSection(dependencies, context))
  registerEndpoint(office.saveSetting, (context) => saveSetting(dependencies, context))
  registerEndpoint(office.listSettingChanges, (context) => showChanges(dependencies, context))
  registerEndpoint(office.getSettingChange, (context) => showChange(dependencies, context))
  registerEndpoint(office.approveSettingChange, (context) =>
    decideChange(dependencies, context, 'approve', context.body.note),
  )
  registerEndpoint(office.rejectSettingChange, (context) =>
    decideChange(dependencies, context, 'reject', context.body.reason),
  )
  registerEndpoint(office.cancelSettingChange, (context) => decideChange(dependencies, context, 'cancel', ''))
}
