/** The overview of the back office. */
import { overview } from '#contract/office/overview.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { showOverview } from './show-overview.ts'

export function overviewRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(overview, showOverview)
}
