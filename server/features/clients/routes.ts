/** The calls of the back office about clients. */
import * as exactSearch from '#contract/office/exact-search.ts'
import * as clients from '#contract/office/clients.ts'
import * as decisions from '#contract/office/client-decisions.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { correctField, setFlag } from './correct-client.ts'
import { approveClient, decideClient } from './decide-client.ts'
import { findExact } from './find-exact.ts'
import { holdPayments, liftHold } from './hold-payments.ts'
import { inviteClient } from './invite-client.ts'
import { clientPage } from './page-queries.ts'
import { searchedClients } from './search-queries.ts'
import { checkSecurityAnswer, sendResetLink, signOutClient, writeNote } from './client-actions.ts'
import { clientBank, clientEvents, clientLogins, clientMail, clientMails, clientMoney } from './tab-queries.ts'

export function clientRoutes(serve: Serve, parts: Parts): void {
  serve(exactSearch.findExact, (call) => findExact(parts, call))
  serve(clients.searchClients, (call) => searchedClients(parts, call))
  serve(clients.getOfficeClient, async (call) => ({ client: await clientPage(parts, call, call.params.id) }))
  serve(clients.getClientMoney, (call) => clientMoney(parts, call, call))
  serve(clients.getClientBank, (call) => clientBank(parts, call, call))
  serve(clients.getClientLogins, (call) => clientLogins(parts, call, call))
  serve(clients.getClientMails, (call) => clientMails(parts, call))
  serve(clients.getClientMail, (call) => clientMail(parts, call.params.id, call.params.mailId))
  serve(clients.getClientEvents, (call) => clientEvents(parts, call, call))
  decisionRoutes(serve, parts)
}

function decisionRoutes(serve: Serve, parts: Parts): void {
  serve(decisions.approveClient, (call) => approveClient(parts, call))
  serve(decisions.rejectClient, (call) =>
    decideClient(parts, call, { verb: 'reject', clientId: call.params.id, ...call.body }),
  )
  serve(decisions.suspendClient, (call) =>
    decideClient(parts, call, { verb: 'suspend', clientId: call.params.id, ...call.body }),
  )
  serve(decisions.reactivateClient, (call) =>
    decideClient(parts, call, { verb: 'reactivate', clientId: call.params.id, ...call.body }),
  )
  serve(decisions.closeClient, (call) =>
    decideClient(parts, call, { verb: 'close', clientId: call.params.id, ...call.body }),
  )
  serve(decisions.signOutClient, (call) => signOutClient(parts, call, call.params.id, call.body.reason))
  serve(decisions.sendResetLink, async (call) => {
    await sendResetLink(parts, call, call.params.id)
    return {}
  })
  serve(decisions.checkSecurityAnswer, (call) => checkSecurityAnswer(parts, call, call.params.id, call.body.answer))
  serve(decisions.correctField, (call) => correctField(parts, call, { clientId: call.params.id, ...call.body }))
  serve(decisions.writeNote, (call) => writeNote(parts, call, call.params.id, call.body.text))
  serve(decisions.setFlag, async (call) => {
    await setFlag(parts, call, call.params.id, call.body)
    return {}
  })
  serve(decisions.holdPayments, (call) => holdPayments(parts, call, call.params.id, call.body))
  serve(decisions.liftHold, async (call) => {
    await liftHold(parts, call, call.params.id, call.body)
    return {}
  })
  serve(decisions.inviteClient, (call) => inviteClient(parts, call))
}
