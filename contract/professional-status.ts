/** The professional client application (requirements 13). */
import * as z from 'zod/mini'
import { tradeCounts, yesNo } from '#rules/choices.ts'
import { endpoint } from './endpoint.ts'
import {
  atMost,
  body,
  choice,
  noHiddenCharacters,
  optionalLine,
  seconds,
  severalLines,
  trimmed,
  wholeNumber,
} from './fields.ts'
import { userId } from './users-session.ts'

export const professionalForm = body({
  question01: choice(yesNo),
  question02: z.optional(choice(tradeCounts)),
  question03: choice(yesNo),
  question04: choice(yesNo),
  question05: optionalLine(200),
  question06: optionalLine(200),
  question07: z.optional(choice(yesNo)),
  question08: z._default(z.string('required').check(trimmed, atMost(4000), severalLines, noHiddenCharacters), ''),
  step: z._default(wholeNumber(1, 6), 6),
  subStep: z._default(wholeNumber(0, 6), 1),
})

/** The answers of an application as it was sent: those that its way through the form asked for. */
export const professionalAnswers = z.object({
  question01: z.optional(choice(yesNo)),
  question02: z.optional(choice(tradeCounts)),
  question03: z.optional(choice(yesNo)),
  question04: z.optional(choice(yesNo)),
  question05: z.optional(z.string()),
  question06: z.optional(z.string()),
  question07: z.optional(choice(yesNo)),
  question08: z.optional(z.string()),
})

export const checkClientsProfessionalStatus = endpoint(
  'checkClientsProfessionalStatus',
  'POST /api/users/checkClientsProfessionalStatus',
  {
    summary: 'Returns whether professional client applications are disabled.',
    access: ['approved'],
    body: body({ userId }),
    response: z.object({ disabledProfessionalClientApplication: z.boolean() }),
  },
)

export const submitClientsProfessionalApplication = endpoint(
  'submitClientsProfessionalApplication',
  'POST /api/users/submitClientsProfessionalApplication',
  {
    summary: 'Submits the professional client application, or the further information that compliance requested.',
    access: ['approved'],
    body: body({ userId, form: z.extend(professionalForm, { userId }) }),
    problems: [
      'required',
      'too-short',
      'not-asked',
      'applications-disabled',
      'already-professional',
      'application-exists',
    ],
  },
)

export const getProfessionalClientsApplication = endpoint(
  'getProfessionalClientsApplication',
  'POST /api/users/getProfessionalClientsApplication',
  {
    summary: 'Returns the client’s current professional client application, or null.',
    access: ['approved'],
    body: body({ userId }),
    response: z.object({
      application: z.nullable(
        z.object({
          id: z.string(),
          status: choice(['pending', 'approved', 'rejected']),
          /** True if it was approved and the status has ended since; `status` is then `rejected`. Older servers omit it. */
          ended: z.optional(z.boolean()),
          /** The information that compliance requested, if any; the form may be sent again. */
          moreAsked: z.nullable(z.string()),
          reason: z.nullable(z.string()),
          submittedAt: seconds,
          decidedAt: z.nullable(seconds),
          ...professionalAnswers.shape,
          step: z.int(),
          subStep: z.int(),
        }),
      ),
    }),
  },
)
