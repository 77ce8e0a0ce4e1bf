/** Decisions and actions of staff about a client: approve, suspend, correct, invite. */
import * as z from 'zod/mini'
import { clientMachine } from '#rules/clients.ts'
import { clientFlags, languages, titles } from '#rules/choices.ts'
import { permissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { atMost, body, choice, countryCode, email, id, isoDate, line, paragraph, trimmed } from '../fields.ts'
import { acknowledged, checkProblems } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientParams, root } from './briefs.ts'
import { clientReason, note, reason, twoTexts, version } from './decisions.ts'

const decision = decisionsOn('clients', clientMachine)

export const approveClient = decision('approveClient', 'approve', {
  summary: 'Approves the client, requests the account chosen during registration, and emails the client.',
  body: { note, acknowledged },
  problems: ['identity-not-approved', 'address-not-approved', ...checkProblems],
})
export const rejectClient = decision('rejectClient', 'reject', {
  summary:
    'Rejects the client. The reason is visible to staff only; the client receives the other text, by default a neutral one.',
  body: twoTexts,
})
export const suspendClient = decision('suspendClient', 'suspend', {
  summary: 'Suspends the client and ends every session. If the text for the client is null, no email is sent.',
  body: { reason, clientReason: z.optional(z.nullable(clientReason)) },
})
export const reactivateClient = decision('reactivateClient', 'reactivate', {
  summary: 'Reactivates a suspended client.',
  body: { reason },
})
export const closeClient = decision('closeClient', 'close', {
  summary:
    'Closes the client if no money is left in the ledger and on the platforms, which are read first, no request is pending and no discrepancy is open.',
  body: twoTexts,
  problems: ['requests-open', 'discrepancy-open', 'money-left', 'balances-unread'],
})

export const signOutClient = endpoint('signOutClient', `POST ${root}/clients/:id/sign-out`, {
  params: clientParams,
  summary: 'Ends every session of a client.',
  access: permissions.signOutClient,
  body: body({ reason }),
  response: z.object({ ended: z.int() }),
  problems: ['erased-already', 'reason-required'],
})
export const sendResetLink = endpoint('sendResetLink', `POST ${root}/clients/:id/reset-link`, {
  params: clientParams,
  summary: 'Emails the client a link to reset the password. The second factor remains enabled.',
  access: permissions.sendResetLink,
  problems: ['erased-already', 'too-many'],
})
export const checkSecurityAnswer = endpoint('checkSecurityAnswer', `POST ${root}/clients/:id/security-answer`, {
  params: clientParams,
  summary: 'Checks the security answer against its stored hash. Attempts are limited.',
  access: permissions.checkSecurityAnswer,
  body: body({ answer: line(200) }),
  response: z.object({ right: z.boolean(), triesLeft: z.int() }),
  problems: ['erased-already', 'answer-tries-over'],
})
export const correctField = endpoint('correctField', `POST ${root}/clients/:id/correct`, {
  params: clientParams,
  summary: 'Corrects one profile field, with a reason. The old and new values are recorded in the audit log.',
  access: permissions.correctField,
  body: body({
    field: line(40),
    value: z.string('required').check(trimmed, atMost(200)),
    reason,
    version,
  }),
  response: z.object({ version: z.int() }),
  problems: [
    'erased-already',
    'reason-required',
    'field-not-correctable',
    'stale-page',
    'value-unchanged',
    'invalid',
    'not-a-line',
    'hidden-characters',
    'postcode-length',
    'too-long',
    'unknown-value',
    'phone-invalid',
    'date-invalid',
    'under-age',
    'own-request',
  ],
})
export const writeNote = endpoint('writeNote', `POST ${root}/clients/:id/notes`, {
  params: clientParams,
  summary: 'Adds a note that is visible to staff only.',
  access: permissions.writeNote,
  body: body({ text: paragraph(4000) }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: ['erased-already'],
})
export const setFlag = endpoint('setFlag', `POST ${root}/clients/:id/flags`, {
  params: clientParams,
  summary: 'Sets or clears a PEP, sanctions or enhanced monitoring flag, with a note.',
  access: permissions.setFlag,
  body: body({ flag: choice(clientFlags), set: z.boolean('required'), note: reason }),
  problems: ['erased-already', 'reason-required', 'own-request', 'stale-page'],
})
export const holdPayments = endpoint('holdPayments', `POST ${root}/clients/:id/payment-holds`, {
  params: clientParams,
  summary: 'Puts a client’s payments on hold, with a reason that is visible to staff only and an optional last day.',
  access: permissions.holdPayments,
  body: body({ reason, lastDay: z.optional(isoDate) }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: ['erased-already', 'reason-required', 'own-request', 'date-invalid', 'hold-in-force'],
})
export const liftHold = endpoint('liftHold', `POST ${root}/clients/:id/payment-holds/lift`, {
  params: clientParams,
  summary: 'Lifts a hold on payments, with a reason that is visible to staff only.',
  access: permissions.liftHold,
  body: body({ hold: id, reason }),
  problems: ['erased-already', 'reason-required', 'own-request', 'hold-over'],
})
export const inviteClient = endpoint('inviteClient', `POST ${root}/clients`, {
  summary:
    'Invites a client by email. The link confirms the address and sets a password, after which the registration continues.',
  access: permissions.inviteClient,
  body: body({
    title: choice(titles),
    name: line(100),
    surname: line(100),
    email,
    country: countryCode,
    language: choice(languages),
  }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: ['email-invalid', 'country-unavailable', 'client-known', 'too-many'],
})
