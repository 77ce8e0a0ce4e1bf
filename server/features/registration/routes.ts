/** Registration (requirements 3). */
import type { FastifyRequest } from 'fastify'
import * as contract from '#contract/registration.ts'
import { confirmEmail as confirm } from '#contract/users-session.ts'
import type { Pages } from '../../http/pages.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { changeRegistrationEmail } from './change-registration-email.ts'
import { checkRegistration } from './check-registration.ts'
import { confirmEmail } from './confirm-email.ts'
import { resendConfirmation } from './resend-confirmation.ts'
import { saveStep } from './save-step.ts'

export function registrationRoutes(registerEndpoint: RegisterEndpoint, pages: Pages): void {
  registerEndpoint(contract.registerWeb, saveStep)
  registerEndpoint(contract.checkUserRegister, checkRegistration)
  registerEndpoint(contract.resendConfirmation, resendConfirmation)
  registerEndpoint(contract.changeRegistrationEmail, changeRegistrationEmail)
  // The same URL also serves a page: scanners and prefetching browsers receive it and confirm nothing (requirements
  // 26.17).
  registerEndpoint(confirm, confirmEmail, {
    onRequest: async (request, reply) => (acceptsOnlyJson(request) ? undefined : pages.portal(reply)),
  })
}

function acceptsOnlyJson({ method, headers }: FastifyRequest): boolean {
  const accept = (headers.accept ?? '').toLowerCase()
  return method === 'GET' && /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept)
}
