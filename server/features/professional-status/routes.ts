/** Endpoints of professional applications: the client's wizard, then the back office. */
import * as contract from '#contract/professional-status.ts'
import * as office from '#contract/office/professional.ts'
import { requireClient } from '../../http/handler.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { decideApplication } from './decide-application.ts'
import { applicationPage, listApplications } from './office-queries.ts'
import { newestApplication, applicationResponse } from './queries.ts'
import { submitApplication } from './submit-application.ts'
import { requestReason, withStoredReason } from '../../office/standard-reasons.ts'

export function professionalRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.checkClientsProfessionalStatus, async (dependencies) => {
    const { applicationsOpen } = await dependencies.settings.get('professional')
    return { disabledProfessionalClientApplication: !applicationsOpen }
  })
  registerEndpoint(contract.submitClientsProfessionalApplication, submitApplication)
  registerEndpoint(contract.getProfessionalClientsApplication, async (dependencies, context) => {
    const application = await newestApplication(dependencies.pool, requireClient(context).clientId)
    return { application: application && applicationResponse(application, context.language) }
  })
  officeRoutes(registerEndpoint)
}

function officeRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listProfessional, listApplications)
  registerEndpoint(office.getProfessional, async (dependencies, context) => ({
    application: await applicationPage(dependencies, context, context.params.id),
  }))
  registerEndpoint(office.approveProfessional, (dependencies, context) =>
    decideApplication(dependencies, context, 'approve', withStoredReason(context.body)),
  )
  registerEndpoint(office.rejectProfessional, (dependencies, context) => {
    const { version, reason } = context.body
    const clientReason = requestReason(context.body)
    return decideApplication(dependencies, context, 'reject', { version, reason, clientReason })
  })
  registerEndpoint(office.requestMoreProfessional, (dependencies, context) =>
    decideApplication(dependencies, context, 'askMore', withStoredReason(context.body)),
  )
  registerEndpoint(office.reverseProfessional, (dependencies, context) =>
    decideApplication(dependencies, context, 'reverse', withStoredReason(context.body)),
  )
}
