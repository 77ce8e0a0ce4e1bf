/** Forgotten and new passwords (requirements 4.14, 4.15). */
import { changePassword as change, newPassword, resetPassword } from '#contract/passwords.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requestPasswordReset, changePassword, setPassword } from './set-password.ts'

export function passwordRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(resetPassword, requestPasswordReset)
  registerEndpoint(newPassword, setPassword)
  registerEndpoint(change, changePassword)
}
