/** Endpoints of the back office about clients. */
import * as search from '#contract/office/search.ts'
import * as clients from '#contract/office/clients.ts'
import * as tabs from '#contract/office/client-tabs.ts'
import * as decisions from '#contract/office/client-decisions.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { correctField } from './correct-field.ts'
import { setFlag } from './set-flag.ts'
import { approveClient, decideClient } from './decide-client.ts'
import { holdPayments, liftHold } from './hold-payments.ts'
import { inviteClient } from './invite-client.ts'
import { clientPage } from './page-queries.ts'
import { getClientExposure } from './show-exposure.ts'
import { getClientLogins } from './show-logins.ts'
import { searchClients } from './search-queries.ts'
import { lookUpClient, searchRecords } from './search-records.ts'
import { checkSecurityAnswer } from './check-security-answer.ts'
import { sendResetLink } from './send-reset-link.ts'
import { signOutClient } from './sign-out-client.ts'
import { writeNote } from './write-note.ts'
import { getClientBank, getClientEvents, getClientMail, getClientMails, getClientMoney } from './tab-queries.ts'

export function clientRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(search.searchRecords, searchRecords)
  registerEndpoint(search.lookUpClient, lookUpClient)
  registerEndpoint(clients.searchClients, searchClients)
  registerEndpoint(clients.getOfficeClient, async (dependencies, context) => ({
    client: await clientPage(dependencies, context, context.params.id),
  }))
  registerEndpoint(tabs.getClientMoney, getClientMoney)
  registerEndpoint(tabs.getClientExposure, getClientExposure)
  registerEndpoint(tabs.getClientBank, getClientBank)
  registerEndpoint(tabs.getClientLogins, getClientLogins)
  registerEndpoint(tabs.getClientMails, getClientMails)
  registerEndpoint(tabs.getClientMail, getClientMail)
  registerEndpoint(tabs.getClientEvents, getClientEvents)
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
  registerEndpoint(decisions.signOutClient, signOutClient)
  registerEndpoint(decisions.sendResetLink, sendResetLink)
  registerEndpoint(decisions.checkSecurityAnswer, checkSecurityAnswer)
  registerEndpoint(decisions.correctField, correctField)
  registerEndpoint(decisions.writeNote, writeNote)
  registerEndpoint(decisions.setFlag, setFlag)
  registerEndpoint(decisions.holdPayments, holdPayments)
  registerEndpoint(decisions.liftHold, liftHold)
  registerEndpoint(decisions.inviteClient, inviteClient)
}
