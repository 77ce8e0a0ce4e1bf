/** The audit log and the evidence of one client. */
import * as office from '#contract/office/records.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { evidenceBundle } from './evidence-bundle.ts'
import { auditFile, searchAudit, verifyAudit } from './search-audit.ts'

export function auditRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.searchAudit, searchAudit)
  registerEndpoint(office.verifyAudit, verifyAudit)
  registerEndpoint(office.auditCsv, auditFile)
  registerEndpoint(office.evidenceBundle, evidenceBundle)
}
