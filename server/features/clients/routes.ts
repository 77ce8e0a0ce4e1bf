/** The calls of the back office about clients. */
import * as search from '#contract/office/search.ts'
import * as clients from '#contract/office/clients.ts'
import * as tabs from '#contract/office/client-tabs.ts'
import * as decisions from '#contract/office/client-decisions.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { correctField, setFlag } from './correct-client.ts'
import { approveClient, decideClient } from './decide-client.ts'
import { holdPayments, liftHold } from './hold-payments.ts'
import { inviteClient } from './invite-client.ts'
import { clientPage } from './page-queries.ts'
import { getClientExposure } from './show-exposure.ts'
import { clientLogins } from './show-logins.ts'
import { searchedClients } from './search-queries.ts'
import { lookUpClient, searchRecords } from './search-records.ts'
import { checkSecurityAnswer, sendResetLink, signOutClient, writeNote } from './client-actions.ts'
import { clientBank, clientEvents, clientMail, clientMails, clientMoney } from './tab-queries.ts'

export function clientRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(search.searchRecords, searchRecords)
  registerEndpoint(search.lookUpClient, lookUpClient)
  registerEndpoint(clients.searchClients, (dependencies, context) => searchedClients(dependencies, context))
  registerEndpoint(clients.getOfficeClient, async (dependencies, context) => ({
    client: await clientPage(dependencies, context, context.params.id),
  }))
  registerEndpoint(tabs.getClientMoney, (dependencies, context) => clientMoney(dependencies, context, context))
  registerEndpoint(tabs.getClientExposure, getClientExposure)
  registerEndpoint(tabs.getClientBank, (dependencies, context) => clientBank(dependencies, context, context))
  registerEndpoint(tabs.getClientLogins, (dependencies, context) => clientLogins(dependencies, context, context))
  registerEndpoint(tabs.getClientMails, (dependencies, context) => clientMails(dependencies, context))
  registerEndpoint(tabs.getClientMail, (dependencies, context) =>
    clientMail(dependencies, context.params.id, context.params.mailId),
  )
  registerEndpoint(tabs.getClientEvents, (dependencies, context) => clientEvents(dependencies, context, context))
  decisionRoutes(registerEndpoint)
}

function decisionRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(decisions.approveClient, approveClient)
  registerEndpoint(decisions.rejectClient, (dependencies, context) =>
    decideClient(dependencies, context, { action: 'reject', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.suspendClient, (dependencies, context) =>
    decideClient(dependencies, context, { action: 'suspend', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.reactivateClient, (dependencies, context) =>
    decideClient(dependencies, context, { action: 'reactivate', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.closeClient, (dependencies, context) =>
    decideClient(dependencies, context, { action: 'close', clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.signOutClient, (dependencies, context) =>
    signOutClient(dependencies, context, context.params.id, context.body.reason),
  )
  registerEndpoint(decisions.sendResetLink, async (dependencies, context) => {
    await sendResetLink(dependencies, context, context.params.id)
    return {}
  })
  registerEndpoint(decisions.checkSecurityAnswer, (dependencies, context) =>
    checkSecurityAnswer(dependencies, context, context.params.id, context.body.answer),
  )
  registerEndpoint(decisions.correctField, (dependencies, context) =>
    correctField(dependencies, context, { clientId: context.params.id, ...context.body }),
  )
  registerEndpoint(decisions.writeNote, (dependencies, context) =>
    writeNote(dependencies, context, context.params.id, context.body.text),
  )
  registerEndpoint(decisions.setFlag, async (dependencies, context) => {
    await setFlag(dependencies, context, context.params.id, context.body)
    return {}
  })
  registerEndpoint(decisions.holdPayments, (dependencies, context) =>
    holdPayments(dependencies, context, context.params.id, context.body),
  )
  registerEndpoint(decisions.liftHold, async (dependencies, context) => {
    await liftHold(dependencies, context, context.params.id, context.body)
    return {}
  })
  registerEndpoint(decisions.inviteClient, inviteClient)
}
