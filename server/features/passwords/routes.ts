/** Forgotten and new passwords: requirements 4.14, 4.15. */
import { changePassword as change, newPassword, resetPassword } from '#contract/passwords.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requestPasswordReset } from './request-password-reset.ts'
import { changePassword } from './change-password.ts'
import { setPassword } from './set-password.ts'

export function passwordRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(resetPassword, (context) => requestPasswordReset(dependencies, context))
  registerEndpoint(newPassword, (context) => setPassword(dependencies, context))
  registerEndpoint(change, (context) => changePassword(dependencies, context))
}
