/** The audit log and the evidence of one client. */
import * as office from '#contract/office/records.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { evidenceBundle } from './evidence-bundle.ts'
import { auditFile, searchAudit, verifyAudit } from './search-audit.ts'

export function auditRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(office.searchAudit, (context) => searchAudit(dependencies, context))
  registerEndpoint(office.verifyAudit, (context) => verifyAudit(dependencies, context))
  registerEndpoint(office.auditCsv, (context) => auditFile(dependencies, context))
  registerEndpoint(office.evidenceBundle, (context) => evidenceBundle(dependencies, context))
}
