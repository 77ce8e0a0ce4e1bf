/** Endpoints of professional applications: the client's wizard, then the back office. */
import {
  checkClientsProfessionalStatus,
  getProfessionalClientsApplication,
  submitClientsProfessionalApplication,
} from '#contract/professional-status.ts'
import {
  approveProfessional,
  requestMoreProfessional,
  getProfessional,
  listProfessional,
  rejectProfessional,
  reverseProfessional,
} from '#contract/office/professional.ts'
import { requireClient } from '../../http/request-context.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { decideApplication } from './decide-application.ts'
import { applicationPage, listApplications } from './office-queries.ts'
import { newestApplication, shownApplication } from './queries.ts'
import { submitApplication } from './submit-application.ts'
import { requestReason, withKeptReason } from '../../office/standard-reasons.ts'

export function professionalRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(checkClientsProfessionalStatus, async (dependencies) => {
    const { applicationsOpen } = await dependencies.settings.get('professional')
    return { disabledProfessionalClientApplication: !applicationsOpen }
  })
  registerEndpoint(submitClientsProfessionalApplication, submitApplication)
  registerEndpoint(getProfessionalClientsApplication, async (dependencies, context) => {
    const application = await newestApplication(dependencies.pool, requireClient(context).clientId)
    return { application: application && shownApplication(application, context.language) }
  })
  officeRoutes(registerEndpoint)
}

function officeRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(listProfessional, listApplications)
  registerEndpoint(getProfessional, async (dependencies, context) => ({
    application: await applicationPage(dependencies, context, context.params.id),
  }))
  registerEndpoint(approveProfessional, (dependencies, context) =>
    decideApplication(dependencies, context, {
      action: 'approve',
      id: context.params.id,
      ...withKeptReason(context.body),
    }),
  )
  registerEndpoint(rejectProfessional, (dependencies, context) => {
    const { version, reason } = context.body
    const told = requestReason(context.body)
    return decideApplication(dependencies, context, { action: 'reject', id: context.params.id, version, reason, told })
  })
  registerEndpoint(requestMoreProfessional, (dependencies, context) =>
    decideApplication(dependencies, context, {
      action: 'askMore',
      id: context.params.id,
      ...withKeptReason(context.body),
    }),
  )
  registerEndpoint(reverseProfessional, (dependencies, context) =>
    decideApplication(dependencies, context, {
      action: 'reverse',
      id: context.params.id,
      ...withKeptReason(context.body),
    }),
  )
}
