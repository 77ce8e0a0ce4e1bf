/** The calls of the back office about clients. */
import * as exactSearch from '#contract/office/exact-search.ts'
import * as clients from '#contract/office/clients.ts'
import * as decisions from '#contract/office/client-decisions.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { correctField, setFlag } from './correct-client.ts'
import { approveClient, decideClient } from './decide-client.ts'
import { findExact } from './find-exact.ts'
import { holdPayments, liftHold } from './hold-payments.ts'
import { inviteClient } from './invite-client.ts'
import { clientPage } from './page-queries.ts'
import { searchedClients } from './search-queries.ts'
import { checkSecurityAnswer, sendResetLink, signOutClient, writeNote } from './client-actions.ts'
import { clientBank, clientEvents, clientLogins, clientMail, clientMails, clientMoney } from './tab-queries.ts'

export function clientRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(exactSearch.findExact, (context) => findExact(dependencies, context))
  registerEndpoint(clients.searchClients, (context) => searchedClients(dependencies, context))
  registerEndpoint(clients.getOfficeClient, async (context) => ({
    client: await clientPage(dependencies, context, context.params.id),
  }))
  registerEndpoint(clients.getClientMoney, (context) => clientMoney(dependencies, context, context))
  registerEndpoint(clients.getClientBank, (context) => clientBank(dependencies, context, context))
  registerEndpoint(clients.getClientLogins, (context) => clientLogins(dependencies, context, context))
  registerEndpoint(clients.getClientMails, (context) => clientMails(dependencies, context))
  registerEndpoint(clients.getClientMail, (context) =>
    clientMail(dependencies, context.params.id, context.params.mailId),
  )
  registerEndpoint(clients.getClientEvents, (context) => clientEvents(dependencies, context, context))
  decisionRoutes(registerEndpoint, dependencies)
}

function decisionRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(decisions.approveClient, (context) => approveClient(dependencies, context))
  registerEndpoint(decisions.rejectClient, (context) =>
    decideClient(dependencies, context, { action: 'reject', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.suspendClient, (context) =>
    decideClient(dependencies, context, { action: 'suspend', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.reactivateClient, (context) =>
    decideClient(dependencies, context, { action: 'reactivate', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.closeClient, (context) =>
    decideClient(dependencies, context, { action: 'close', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.signOutClient, (context) =>
    signOutClient(dependencies, context, context.params.id, context.body.reason),
  )
  registerEndpoint(decisions.sendResetLink, async (context) => {
    await sendResetLink(dependencies, context, context.params.id)
    return {}
  })
  registerEndpoint(decisions.checkSecurityAnswer, (context) =>
    checkSecurityAnswer(dependencies, context, context.params.id, context.body.answer),
  )
  registerEndpoint(decisions.correctField, (context) =>
    correctField(dependencies, context, { clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.writeNote, (context) =>
    writeNote(dependencies, context, context.params.id, context.body.text),
  )
  registerEndpoint(decisions.setFlag, async (context) => {
    await setFlag(dependencies, context, context.params.id, context.body)
    return {}
  })
  registerEndpoint(decisions.holdPayments, (context) =>
    holdPayments(dependencies, context, context.params.id, context.body),
  )
  registerEndpoint(decisions.liftHold, async (context) => {
    await liftHold(dependencies, context, context.params.id, context.body)
    return {}
  })
  registerEndpoint(decisions.inviteClient, (context) => inviteClient(dependencies, context))
}
