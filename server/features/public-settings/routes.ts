/** The settings that the portal needs: requirements 14.1. */
import { settings as settingsEndpoint } from '#contract/settings.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { showSettings } from './show-settings.ts'

export function settingsRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(settingsEndpoint, (context) => showSettings(dependencies, context))
}
