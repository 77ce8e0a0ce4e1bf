/** The audit log and the evidence of one client. */
import * as office from '#contract/office/records.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { evidenceBundle } from './evidence-bundle.ts'
import { auditFile, searchAudit, verifyAudit } from './search-audit.ts'

export function auditRoutes(serve: Serve, parts: Parts): void {
  serve(office.searchAudit, (call) => searchAudit(parts, call))
  serve(office.verifyAudit, (call) => verifyAudit(parts, call))
  serve(office.auditCsv, (call) => auditFile(parts, call))
  serve(office.evidenceBundle, (call) => evidenceBundle(parts, call))
}
