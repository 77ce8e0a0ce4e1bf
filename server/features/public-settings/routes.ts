/** The settings that the portal needs (requirements 14.1). */
import { settings as settingsEndpoint } from '#contract/settings.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { showSettings } from './show-settings.ts'

export function settingsRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(settingsEndpoint, showSettings)
}
