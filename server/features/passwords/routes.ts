/** Forgotten and new passwords: specification sections 5, 7, 8. */
import { changePassword as change, newPassword, resetPassword } from '#contract/passwords.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { askForReset } from './request-password-reset.ts'
import { changePassword } from './change-password.ts'
import { setPassword } from './set-password.ts'

export function passwordRoutes(serve: Serve, parts: Parts): void {
  serve(resetPassword, (call) => askForReset(parts, call))
  serve(newPassword, (call) => setPassword(parts, call))
  serve(change, (call) => changePassword(parts, call))
}
