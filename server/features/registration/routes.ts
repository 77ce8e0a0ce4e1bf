/** Registration (requirements 3). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/registration.ts'
import { confirmEmail as confirm } from '#contract/users-session.ts'
import type { Pages } from '../../http/pages.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { changeRegistrationEmail } from './change-registration-email.ts'
import { checkRegistration } from './check-registration.ts'
import { confirmEmail } from './confirm-email.ts'
import { resendConfirmation } from './resend-confirmation.ts'
import { saveStep } from './save-step.ts'

export function registrationRoutes(registerEndpoint: RegisterEndpoint, server: FastifyInstance, pages: Pages): void {
  registerEndpoint(contract.registerWeb, saveStep)
  registerEndpoint(contract.checkUserRegister, checkRegistration)
  registerEndpoint(contract.resendConfirmation, resendConfirmation)
  registerEndpoint(contract.changeRegistrationEmail, changeRegistrationEmail)
  registerEndpoint(confirm, confirmEmail)

  // The same URL also serves a page: scanners and prefetching browsers receive it and confirm nothing (requirements
  // 26.17).
  server.addHook('onRequest', async (request, reply) => {
    if (isConfirmation(request) && !acceptsOnlyJson(request)) return pages.portal(reply)
  })
}

function isConfirmation({ method, routeOptions }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && routeOptions.url === confirm.path
}

function acceptsOnlyJson({ method, headers }: FastifyRequest): boolean {
  const accept = (headers.accept ?? '').toLowerCase()
  return method === 'GET' && /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept)
}
