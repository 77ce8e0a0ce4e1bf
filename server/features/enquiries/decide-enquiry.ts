/** Staff reply to an enquiry, close it, or conclude a complaint (requirements 24.41, 24.42). */
import type * as office from '#contract/office/enquiries.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { checkEnd, enquiryMachine, type ComplaintOutcome } from '#rules/enquiries.ts'
import type { ClientId } from '#rules/ids.ts'
import type { ClientState } from '#rules/clients.ts'
import { row, type Transaction } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { throwIfProblem } from '../../http/problem.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { notifyClient, sendMail } from '../../mail/send-mail.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import { addMessage, enquiryById, summaryOf, type Enquiry } from './queries.ts'

const kind = enquiryMachine.name

async function enquiryForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.closeEnquiry>, 'params' | 'caller'>,
): Promise<Enquiry> {
  const enquiry = await enquiryById(dependencies.pool, context.params.id)
  return requestToDecide(context, enquiry, ({ clientEmail, email }) => clientEmail ?? email ?? '')
}

/** Returns the part of an enquiry that `decide` needs; an enquiry without a client has no `clientId`. */
function requestOf({ id, clientId }: Enquiry) {
  return clientId === null ? { id } : { id, clientId }
}

export const answerEnquiry: Handler<typeof office.answerEnquiry> = async (dependencies, context) => {
  const enquiry = await enquiryForDecision(dependencies, context)
  const { version, text } = context.body
  const { staffId } = requireStaff(context)
  const set = { changed_at: context.now }
  const decision = { request: requestOf(enquiry), action: 'answer', version, reason: '', set }
  // A complaint stays in the inbox until it is concluded.
  const { clientId, dueAt } = enquiry
  const openItem = { state: 'answered', dueAt, summary: summaryOf(enquiry), clientId }
  const workItem = enquiry.complaint ? openItem : null
  return decide(dependencies, context, enquiryMachine, { ...decision, workItem }, async (tx) => {
    await addMessage(tx, { enquiry, staffId, text }, context.now)
    await sendReply(tx, enquiry, { text, outcome: null }, context.now)
  })
}

export const closeEnquiry: Handler<typeof office.closeEnquiry> = async (dependencies, context) => {
  const enquiry = await enquiryForDecision(dependencies, context)
  throwIfProblem(checkEnd('close', enquiry.complaint))
  const { version } = context.body
  const set = { decided_by: requireStaff(context).staffId }
  const decision = { request: requestOf(enquiry), action: 'close', version, reason: '', set }
  return decide(dependencies, context, enquiryMachine, decision)
}

export const concludeComplaint: Handler<typeof office.concludeComplaint> = async (dependencies, context) => {
  const enquiry = await enquiryForDecision(dependencies, context)
  throwIfProblem(checkEnd('conclude', enquiry.complaint))
  const { version, outcome, text } = context.body
  const { staffId } = requireStaff(context)
  const { now } = context
  const set = { changed_at: now, decided_by: staffId, concluded_at: now, outcome }
  const details = async () => ({ after: { outcome } })
  const decision = { request: requestOf(enquiry), action: 'conclude', version, reason: '', set, judge: details }
  return decide(dependencies, context, enquiryMachine, decision, async (tx) => {
    await addMessage(tx, { enquiry, staffId, text, concludes: true }, now)
    await sendReply(tx, enquiry, { text, outcome }, now)
  })
}

/**
 * Notifies a client, without the text, that a reply is in the portal. Emails the reply itself to other people and to a
 * client who can no longer log in to read it.
 */
async function sendReply(
  tx: Transaction,
  enquiry: Enquiry,
  { text, outcome }: { readonly text: string; readonly outcome: ComplaintOutcome | null },
  now: Date,
): Promise<void> {
  const { id, reference, clientId, clientEmail, clientLanguage, email, language } = enquiry
  const reply = { kind: 'enquiry-reply', facts: { reference, text, outcome }, subject: kind, record: id } as const
  if (clientId !== null && clientEmail !== null && clientLanguage !== null) {
    const client = { id: clientId, email: clientEmail, language: clientLanguage }
    if (!(await maySignIn(tx, clientId)))
      return sendMail(tx, now, { ...reply, to: client.email, language: client.language, clientId })
    const link = portalPaths.enquiry(id)
    return notifyClient(tx, now, {
      kind: 'enquiry-answered',
      client,
      facts: { reference, concluded: outcome !== null },
      link,
      subject: kind,
      record: id,
    })
  }
  if (email === null) throw new Error(`enquiry ${id} has no recipient`)
  return sendMail(tx, now, { ...reply, to: email, language })
}

async function maySignIn(tx: Transaction, clientId: ClientId): Promise<boolean> {
  const state = await row<{ state: ClientState }>(tx)`select state from clients where id = ${clientId}`
  return state !== null && state.state !== 'suspended' && state.state !== 'closed'
}
