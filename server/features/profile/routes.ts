/** The profile and its three forms (requirements 5). */
import * as contract from '#contract/profile.ts'
import * as accessRequests from '#contract/office/access-requests.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { answerAccessRequest, getAccessRequest } from './answer-access-request.ts'
import { downloadMyData } from './download-my-data.ts'
import { editUser } from './edit-user.ts'
import { showProfile } from './show-profile.ts'
import { updateForm } from './update-forms.ts'

export function profileRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.profile, showProfile)
  registerEndpoint(contract.editUser, editUser)
  registerEndpoint(contract.updateEmploymentIncome, (dependencies, context) =>
    updateForm(dependencies, context, 'employment'),
  )
  registerEndpoint(contract.updateTradingExperience, (dependencies, context) =>
    updateForm(dependencies, context, 'trading_experience'),
  )
  registerEndpoint(contract.downloadMyData, downloadMyData)
  registerEndpoint(accessRequests.getAccessRequest, getAccessRequest)
  registerEndpoint(accessRequests.answerAccessRequest, answerAccessRequest)
}
