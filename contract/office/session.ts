/** Staff sign-in: password, then a one-time code; the link of an invitation sets up the first factor. */
import * as z from 'zod/mini'
import { decidingRoles, staffRoles } from '#rules/actors.ts'
import { languages } from '#rules/choices.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, code, email, newPasswordProblems, password } from '../fields.ts'
import { moneyStopped } from '../money-stopped.ts'
import { stepUpStatus, stepUpCredentials, stepUpProblems } from '../step-up.ts'
import { absence, root } from './briefs.ts'
import { inboxFilter } from './inbox-filter.ts'

const ticket = z.string('required').check(z.minLength(1, 'required'), z.maxLength(2048, 'ticket-ended'))
const linkId = z.string('required').check(z.minLength(1, 'required'), z.maxLength(300, 'link-unknown'))
/** A new secret for an authenticator app, if the second factor must be set up. */
const enrolment = z.nullable(z.object({ secret: z.string(), uri: z.string() }))

export const officeStaff = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(choice(staffRoles)),
  absence: z._default(z.nullable(absence), null),
})

export const officeLogin = endpoint('officeLogin', `POST ${root}/login`, {
  summary: 'Starts a sign-in with email and password. Returns a ticket that is valid only for the second step.',
  access: ['public'],
  body: body({ email, password }),
  response: z.object({ ticket: z.string(), enrolment }),
  problems: [
    'staff-email-or-password',
    'email-invalid',
    'password-unreadable',
    'password-plain',
    'enrolment-first',
    'too-many',
  ],
})

export const officeSecondFactor = endpoint('officeSecondFactor', `POST ${root}/login/second-factor`, {
  summary: 'Completes a sign-in with an authenticator code. Recovery codes are returned once, after enrolment.',
  access: ['public'],
  body: body({ ticket, code }),
  response: z.object({ token: z.string(), recoveryCodes: z.nullable(z.array(z.string())) }),
  problems: ['login-code-wrong', 'ticket-ended', 'too-many'],
})

export const openInvitation = endpoint('openInvitation', `POST ${root}/invitation`, {
  summary: 'Returns the recipient of an invitation. Does not use up the link.',
  access: ['public'],
  body: body({ id: linkId }),
  response: z.object({
    name: z.string(),
    email: z.string(),
    roles: z.array(choice(staffRoles)),
    passwordLengthMin: z.int(),
  }),
  problems: ['link-unknown', 'link-used', 'link-expired', 'too-many'],
})

export const acceptInvitation = endpoint('acceptInvitation', `POST ${root}/invitation/accept`, {
  summary: 'Accepts an invitation and sets the first password. The second factor is set up in the next step.',
  access: ['public'],
  body: body({ id: linkId, password }),
  response: z.object({ ticket: z.string(), enrolment }),
  problems: ['link-unknown', 'link-used', 'link-expired', ...newPasswordProblems, 'too-many'],
})

export const officeCurrent = endpoint('officeCurrent', `GET ${root}/current`, {
  summary:
    'Returns the signed-in person with permissions, and a new token once half of the token’s lifetime has passed.',
  access: staffRoles,
  response: z.object({
    staff: officeStaff,
    reads: z.array(z.string()),
    does: z.array(z.string()),
    firm: z.object({ name: z.string(), timeZone: z.string(), logoUrl: z.nullable(z.string()) }),
    /** The initial filter of the inbox. */
    inboxFilter,
    /** For passwords of staff. */
    passwordLengthMin: z.int(),
    demo: z.boolean(),
    /** The channels that recovery has stopped. */
    moneyStopped,
    token: z.optional(z.string()),
  }),
})

export const officeLogout = endpoint('officeLogout', `POST ${root}/logout`, {
  summary: 'Ends the token’s session.',
  access: staffRoles,
})

export const officeSetLanguage = endpoint('officeSetLanguage', `POST ${root}/language`, {
  summary: 'Sets the caller’s language in the back office.',
  access: staffRoles,
  body: body({ language: choice(languages) }),
})

export const officeChangePassword = endpoint('officeChangePassword', `POST ${root}/password`, {
  summary: 'Changes the caller’s password and ends all other sessions.',
  access: staffRoles,
  body: body({ currentPassword: password, password }),
  response: z.object({ token: z.string() }),
  replacesSession: true,
  problems: ['password-incorrect', ...newPasswordProblems, 'too-many'],
})

export const officeGetStepUpStatus = endpoint('officeShowProof', `GET ${root}/proof`, {
  summary:
    'Returns the caller’s step-up method, and until when the last step-up allows the payout file to be downloaded.',
  access: decidingRoles,
  response: stepUpStatus,
})

export const officeConfirmStepUp = endpoint('officeProveAgain', `POST ${root}/prove-again`, {
  summary: 'Performs a staff member’s step-up with a code; requests rejected with prove-again can then be repeated.',
  access: decidingRoles,
  body: stepUpCredentials,
  response: stepUpStatus,
  problems: stepUpProblems,
})
