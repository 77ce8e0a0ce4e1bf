/** The profile and its three forms: specification sections 2, 3, 5, 7. */
import {
  downloadMyData as download,
  editUser as edit,
  profile,
  updateEmploymentIncome,
  updateTradingExperience,
} from '#contract/profile.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { downloadMyData } from './download-my-data.ts'
import { editUser } from './edit-user.ts'
import { showProfile } from './show-profile.ts'
import { updateEmployment, updateExperience } from './update-forms.ts'

export function profileRoutes(serve: Serve, parts: Parts): void {
  serve(profile, (call) => showProfile(parts, call))
  serve(edit, (call) => editUser(parts, call))
  serve(updateEmploymentIncome, (call) => updateEmployment(parts, call))
  serve(updateTradingExperience, (call) => updateExperience(parts, call))
  serve(download, (call) => downloadMyData(parts, call))
}
