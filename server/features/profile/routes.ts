/** The profile and its three forms: requirements 5. */
import {
  downloadMyData as download,
  editUser as edit,
  profile,
  updateEmploymentIncome,
  updateTradingExperience,
} from '#contract/profile.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { downloadMyData } from './download-my-data.ts'
import { editUser } from './edit-user.ts'
import { showProfile } from './show-profile.ts'
import { updateForm } from './update-forms.ts'

export function profileRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(profile, (context) => showProfile(dependencies, context))
  registerEndpoint(edit, (context) => editUser(dependencies, context))
  registerEndpoint(updateEmploymentIncome, (context) => updateForm(dependencies, context, 'employment'))
  registerEndpoint(updateTradingExperience, (context) => updateForm(dependencies, context, 'trading_experience'))
  registerEndpoint(download, (context) => downloadMyData(dependencies, context))
}
