/** Forgotten and new passwords (requirements 4.14, 4.15). */
import { changePassword as change, newPassword, resetPassword } from '#contract/passwords.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requestPasswordReset } from './request-password-reset.ts'
import { changePassword } from './change-password.ts'
import { setPassword } from './set-password.ts'

export function passwordRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(resetPassword, requestPasswordReset)
  registerEndpoint(newPassword, setPassword)
  registerEndpoint(change, changePassword)
}
