/** The calls of documents: the client's own, then those of the back office. */
import { documentsApproval, getDocuments, saveDocuments } from '#contract/documents.ts'
import {
  approveDocument,
  askDocumentAgain,
  askSourceOfWealth as askSourceOfWealthEndpoint,
  checkDocumentMrz,
  getDocumentCase,
  listDocumentCases,
  rejectDocument,
} from '#contract/office/documents.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { tokenFor } from '../../auth/user.ts'
import { askSourceOfWealth } from './request-source-of-wealth.ts'
import { documentCase, officeDocument } from './case-queries.ts'
import { listCases } from './list-queries.ts'
import { decideDocument } from './decide-document.ts'
import { documentRecord, documentsOf, judgeOf, standingOf } from './queries.ts'
import { saveDocument } from './save-document.ts'
import { sendDocuments } from './send-documents.ts'
import { typeMrz } from './enter-mrz.ts'

export function documentRoutes(serve: Serve, parts: Parts): void {
  portalRoutes(serve, parts)
  officeRoutes(serve, parts)
}

function portalRoutes(serve: Serve, parts: Parts): void {
  serve(getDocuments, async (call) => {
    const { clientId, state } = clientOf(call)
    if (call.params.id !== clientId) throw new Problem('not-found')
    if (state === 'registering') throw new Problem('registration-first')
    const client = await standingOf(parts.pool, clientId)
    const documents = await documentsOf(parts.pool, clientId)
    const judge = await judgeOf(parts, call.now)
    return {
      documents: Object.fromEntries(documents.map((one) => [one.kind, documentRecord(parts, one, call, judge)])),
      sourceOfWealthAsked: client?.source_of_wealth_asked_at !== null,
      identityApproved: client?.identity_approved_at !== null,
      addressApproved: client?.address_approved_at !== null,
      gcenApiDocsSubmitted: client?.documents_sent_at !== null,
    }
  })
  serve(saveDocuments, (call) => saveDocument(parts, call))
  serve(documentsApproval, async (call) => {
    await sendDocuments(parts, call)
    const { clientId, sessionId } = clientOf(call)
    return { token: await tokenFor(parts, parts.pool, { clientId, sessionId }, call.now) }
  })
}

function officeRoutes(serve: Serve, parts: Parts): void {
  serve(listDocumentCases, (call) => listCases(parts, call))
  serve(getDocumentCase, async (call) => ({ case: await documentCase(parts, call, call.params.id) }))
  serve(approveDocument, (call) => {
    const { version, note } = call.body
    return decideDocument(parts, call, { verb: 'approve', documentId: call.params.id, version, reason: note })
  })
  serve(rejectDocument, (call) =>
    decideDocument(parts, call, { verb: 'reject', documentId: call.params.id, ...call.body }),
  )
  serve(askDocumentAgain, (call) =>
    decideDocument(parts, call, { verb: 'askAgain', documentId: call.params.id, ...call.body }),
  )
  serve(checkDocumentMrz, async (call) => {
    const clientId = await typeMrz(parts, call, call.params.id, call.body.lines)
    return { document: await officeDocument(parts, call, clientId, call.params.id) }
  })
  serve(askSourceOfWealthEndpoint, async (call) => {
    await askSourceOfWealth(parts, call, call.params.id, call.body.reason)
    return {}
  })
}
