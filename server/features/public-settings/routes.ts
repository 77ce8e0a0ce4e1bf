/** What the portal needs to know of the firm's settings: product-decisions sections 10 and 11. */
import { settings as settingsEndpoint } from '#contract/settings.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { showSettings } from './show-settings.ts'

export function settingsRoutes(serve: Serve, parts: Parts): void {
  serve(settingsEndpoint, (call) => showSettings(parts, call))
}
