/** Professional applications: answers beside evidence, and the 2-of-3 test. */
import * as z from 'zod/mini'
import { clientStatuses } from '#rules/choices.ts'
import { accountTypes, platforms } from '#rules/constants.ts'
import { readPermissions } from '#rules/permissions.ts'
import { professionalMachine } from '#rules/professional-status.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { choice, currency, id, seconds } from '../fields.ts'
import { professionalAnswers } from '../professional-status.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, stateOrAll, listOf } from './briefs.ts'
import { clientReason, recordFields, rowFields, twoTexts } from './decisions.ts'

const professionalState = choice(professionalMachine.states)

export const listProfessional = endpoint('listProfessional', `GET ${root}/professional`, {
  summary: 'Returns professional client applications, filtered by state.',
  access: readPermissions.professional,
  query: listOf(['createdAt'], { state: stateOrAll(professionalMachine.states) }),
  response: page(z.object({ ...rowFields, state: professionalState, passed: z.int() })),
})

const test = z.object({
  code: choice(['trades', 'portfolio', 'experience']),
  claimed: z.boolean(),
  evidence: z.nullable(z.string()),
  verdict: choice(['ok', 'warn', 'differs', 'unknown']),
})

export const getProfessional = endpoint('getProfessional', `GET ${root}/professional/:id`, {
  summary: 'Returns one application with its answers, the evidence and the 2-of-3 test of COBS 3.5.3R.',
  access: readPermissions.professional,
  params: paramsOf<'professional'>(),
  response: z.object({
    application: z.object({
      ...recordFields,
      state: professionalState,
      client: clientBrief,
      answers: professionalAnswers,
      tests: z.array(test),
      passed: z.int(),
      enough: z.boolean(),
      /** When the client last changed one of the two forms; null if unchanged since the registration. */
      saidAgainAt: z.nullable(seconds),
      employment: z.nullable(z.record(z.string(), z.string())),
      experience: z.nullable(z.record(z.string(), z.string())),
      /** Live accounts that an approval can make professional. */
      accounts: z.array(
        z.object({
          id: z.string(),
          number: z.nullable(z.string()),
          platform: choice(platforms),
          type: choice(accountTypes),
          currency,
          leverage: z.int(),
          clientStatus: choice(clientStatuses),
          chosen: z.boolean(),
          /** The settings have no platform group for it in the category that a decision would give it. */
          groupMissing: z.boolean(),
        }),
      ),
      earlier: z.array(
        z.object({
          id: z.string(),
          state: professionalState,
          submittedAt: seconds,
          decidedAt: z.nullable(seconds),
          reason: z.nullable(z.string()),
        }),
      ),
    }),
  }),
})

export type ProfessionalApplication = ResponseOf<typeof getProfessional>['application']

const decision = decisionsOn('professional', professionalMachine)

export const approveProfessional = decision('approveProfessional', 'approve', {
  summary: 'Categorises the client and the chosen accounts as professional.',
  body: { reason: clientReason, accounts: z.array(id).check(z.maxLength(100, 'invalid')) },
  problems: ['accounts-not-client', 'applicant-closed'],
})
export const rejectProfessional = decision('rejectProfessional', 'reject', {
  summary: 'Rejects the application with a reason for the client.',
  body: twoTexts,
})
export const requestMoreProfessional = decision('askMoreProfessional', 'askMore', {
  segment: 'ask-more',
  summary: 'Requests more information; the client can submit the form again.',
  body: { reason: clientReason },
})
export const reverseProfessional = decision('reverseProfessional', 'reverse', {
  summary: 'Recategorises the client and the accounts as retail, with a reason.',
  body: { reason: clientReason },
})
