/** Endpoints of documents: the client's own, then those of the back office. */
import { documentsApproval, getDocuments, saveDocuments } from '#contract/documents.ts'
import * as office from '#contract/office/documents.ts'
import { requireClient } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { signUserToken } from '../../auth/user.ts'
import { storedReason, withStoredReason } from '../../office/standard-reasons.ts'
import { requestSourceOfWealth } from './request-source-of-wealth.ts'
import { documentCase, officeDocument } from './case-queries.ts'
import { listCases } from './list-queries.ts'
import { decideDocument } from './decide-document.ts'
import { documentRecord, documentsOf, documentValidator, documentStatusOf } from './queries.ts'
import { saveDocument } from './save-document.ts'
import { sendDocuments } from './send-documents.ts'
import { enterMrz } from './enter-mrz.ts'

export function documentRoutes(registerEndpoint: RegisterEndpoint): void {
  portalRoutes(registerEndpoint)
  officeRoutes(registerEndpoint)
}

function portalRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(getDocuments, async (dependencies, context) => {
    const { clientId, state } = requireClient(context)
    if (context.params.id !== clientId) throw new Problem('not-found')
    if (state === 'registering') throw new Problem('registration-first')
    const client = await documentStatusOf(dependencies.pool, clientId)
    const documents = await documentsOf(dependencies.pool, clientId)
    const judge = await documentValidator(dependencies, context.now)
    return {
      documents: Object.fromEntries(
        documents.map((one) => [one.kind, documentRecord(dependencies, one, context, judge)]),
      ),
      sourceOfWealthAsked: client?.source_of_wealth_asked_at !== null,
      identityApproved: client?.identity_approved_at !== null,
      addressApproved: client?.address_approved_at !== null,
      gcenApiDocsSubmitted: client?.documents_sent_at !== null,
    }
  })
  registerEndpoint(saveDocuments, saveDocument)
  registerEndpoint(documentsApproval, async (dependencies, context) => {
    await sendDocuments(dependencies, context)
    const { clientId, sessionId } = requireClient(context)
    return { token: await signUserToken(dependencies, dependencies.pool, { clientId, sessionId }, context.now) }
  })
}

function officeRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listDocumentCases, listCases)
  registerEndpoint(office.getDocumentCase, async (dependencies, context) => ({
    case: await documentCase(dependencies, context, context.params.id),
  }))
  registerEndpoint(office.approveDocument, (dependencies, context) => {
    const { version, note } = context.body
    return decideDocument(dependencies, context, 'approve', { version, reason: note })
  })
  registerEndpoint(office.rejectDocument, (dependencies, context) =>
    decideDocument(dependencies, context, 'reject', withStoredReason(context.body)),
  )
  registerEndpoint(office.requestDocumentAgain, (dependencies, context) =>
    decideDocument(dependencies, context, 'askAgain', withStoredReason(context.body)),
  )
  registerEndpoint(office.checkDocumentMrz, async (dependencies, context) => {
    const clientId = await enterMrz(dependencies, context, context.params.id, context.body)
    return { document: await officeDocument(dependencies, context, clientId, context.params.id) }
  })
  registerEndpoint(office.requestSourceOfWealth, async (dependencies, context) => {
    await requestSourceOfWealth(dependencies, context, context.params.id, storedReason(context.body.reason))
    return {}
  })
}
