/** The calls of professional applications: the client's wizard, then the back office. */
import {
  checkClientsProfessionalStatus,
  getProfessionalClientsApplication,
  submitClientsProfessionalApplication,
} from '#contract/professional-status.ts'
import {
  approveProfessional,
  askMoreProfessional,
  getProfessional,
  listProfessional,
  rejectProfessional,
  reverseProfessional,
} from '#contract/office/professional.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import { clientOf } from '../../http/request-context.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { decideApplication } from './decide-application.ts'
import { applicationPage, listApplications } from './office-queries.ts'
import { newestApplication, shownApplication } from './queries.ts'
import { submitApplication } from './submit-application.ts'

export function professionalRoutes(serve: Serve, parts: Parts): void {
  serve(checkClientsProfessionalStatus, async () => {
    const { applicationsOpen } = await parts.settings.get('professional')
    return { disabledProfessionalClientApplication: !applicationsOpen }
  })
  serve(submitClientsProfessionalApplication, async (call) => {
    await submitApplication(parts, call)
    return {}
  })
  serve(getProfessionalClientsApplication, async (call) => {
    const application = await newestApplication(parts.pool, clientOf(call).clientId)
    return { application: application && shownApplication(application, call.language) }
  })
  officeRoutes(serve, parts)
}

function officeRoutes(serve: Serve, parts: Parts): void {
  serve(listProfessional, (call) => listApplications(parts, call))
  serve(getProfessional, async (call) => ({ application: await applicationPage(parts, call, call.params.id) }))
  serve(approveProfessional, (call) =>
    decideApplication(parts, call, { verb: 'approve', id: call.params.id, ...call.body }),
  )
  serve(rejectProfessional, (call) => {
    const { version, reason } = call.body
    const told = requestReason(call.body)
    return decideApplication(parts, call, { verb: 'reject', id: call.params.id, version, reason, told })
  })
  serve(askMoreProfessional, (call) =>
    decideApplication(parts, call, { verb: 'askMore', id: call.params.id, ...call.body }),
  )
  serve(reverseProfessional, (call) =>
    decideApplication(parts, call, { verb: 'reverse', id: call.params.id, ...call.body }),
  )
}
