/** Login, the current user and logout (requirements 4). */
import * as z from 'zod/mini'
import { clientMachine } from '#rules/clients.ts'
import { clientStatuses, languages, titles } from '#rules/choices.ts'
import { profileField, profileFieldNames, type StoredProfile } from '#rules/profile-fields.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, code, email, id, password } from './fields.ts'

/** The fields of a profile as they are stored. */
export const storedProfile = z.object(
  Object.fromEntries(
    profileFieldNames.map((name) => [name, profileField(name).absent === null ? z.nullable(z.string()) : z.string()]),
  ) as {
    [Name in keyof StoredProfile]: null extends StoredProfile[Name]
      ? z.ZodMiniNullable<z.ZodMiniString<string>>
      : z.ZodMiniString<string>
  },
)

/** The user as the portal knows it: the entity of requirements 5.1, without secrets and staff's notes. */
export const user = z.object({
  id: z.string(),
  email: z.string(),
  ...z.omit(storedProfile, { birthDate: true }).shape,
  title: choice(titles),
  birthDay: z.nullable(z.int()),
  birthMonth: z.nullable(z.int()),
  birthYear: z.nullable(z.int()),
  status: choice(clientMachine.states),
  registered: z.boolean(),
  continueRegistration: z.boolean(),
  clientStatus: choice(clientStatuses),
  acceptedDeclaration: z.boolean(),
  gcenApiKYCPass: z.boolean(),
  gcenApiDocsSubmitted: z.boolean(),
  gcenApiClientId: z.nullable(z.string()),
  socialId: z.nullable(z.string()),
  language: choice(languages),
  secondFactor: z.boolean(),
  /** Seconds since 1970 at which the token expires. */
  tokenEndsAt: z.nullable(z.int()),
})
export type User = z.output<typeof user>

/** The claims of a portal token, which the portal decodes into its user (requirements 4.4). */
export const claims = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  surname: z.string(),
  status: choice(clientMachine.states),
  clientStatus: choice(clientStatuses),
  registered: z.boolean(),
  continueRegistration: z.boolean(),
  acceptedDeclaration: z.boolean(),
  gcenApiKYCPass: z.boolean(),
  gcenApiDocsSubmitted: z.boolean(),
  country: z.string(),
  sid: z.string(),
})
export type Claims = z.output<typeof claims>

export const login = endpoint('login', 'POST /api/users/login', {
  summary: 'Logs a client in. Returns a token, or a ticket if a second factor is required.',
  access: ['public'],
  body: body({ email, password }),
  response: z.object({
    token: z.optional(z.string()),
    secondFactor: z.optional(z.literal(true)),
    ticket: z.optional(z.string()),
  }),
  problems: [
    'email-or-password',
    'email-invalid',
    'password-unreadable',
    'password-plain',
    'access-suspended',
    'access-closed',
    'too-many',
  ],
})

export const loginSecondFactor = endpoint('loginSecondFactor', 'POST /api/users/loginSecondFactor', {
  summary: 'Completes the login with the ticket and an authenticator code or a recovery code.',
  access: ['public'],
  body: body({
    ticket: z.string('required').check(z.minLength(1, 'required'), z.maxLength(2048, 'ticket-ended')),
    code,
  }),
  response: z.object({ token: z.string() }),
  problems: ['login-code-wrong', 'ticket-ended', 'access-suspended', 'access-closed', 'too-many'],
})

export const passwordKey = endpoint('passwordKey', 'GET /api/users/passwordKey', {
  summary: 'Returns the public key with which browsers encrypt passwords.',
  access: ['public'],
  response: z.object({
    key: z.object({ kty: z.string(), n: z.string(), e: z.string(), kid: z.string(), alg: z.string(), use: z.string() }),
  }),
})

export const currentUser = endpoint('currentUser', 'GET /api/users/current', {
  summary:
    'Returns the current user, and a new token if a claim has changed or more than half of the token’s lifetime has passed.',
  access: ['registering', 'client'],
  response: z.object({ user, token: z.optional(z.string()) }),
})

export const logout = endpoint('logout', 'POST /api/users/logout', {
  summary: 'Ends the token’s session.',
  access: ['registering', 'client'],
})

export const confirmEmail = endpoint('confirmEmail', 'GET /email/confirm/*', {
  summary:
    'Confirms an email address if the request accepts only application/json; a browser navigation receives the page and confirms nothing. For setpassword/ links the response contains the id for setting a new password; for change/ links the client’s new address takes effect.',
  access: ['public'],
  params: z.object({ '*': z.string().check(z.minLength(1), z.maxLength(300, 'link-unknown')) }),
  response: z.object({
    autologin: z.boolean(),
    token: z.nullable(z.string()),
    msg: z.string(),
    /** The id for newPassword, if a new password is required. */
    resetId: z.optional(z.string()),
  }),
  problems: ['link-unknown', 'link-expired', 'link-used', 'email-taken'],
})

export const setLanguage = endpoint('setLanguage', 'POST /api/users/setLanguage', {
  summary: 'Sets the language of emails, notifications and texts for this client.',
  access: ['registering', 'client'],
  body: body({ language: choice(languages) }),
})

/** Requests may name the client; another than the token's is rejected (requirements 15.8). */
export const userId = z.optional(id)
