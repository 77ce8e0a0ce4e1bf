/** Forgotten and new passwords (requirements 4.14, 4.15). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { body, email, newPasswordProblems, password } from './fields.ts'

export const resetPassword = endpoint('resetPassword', 'POST /api/users/resetPassword', {
  summary: 'Emails a link to reset the password. The response is the same whether or not the address is known.',
  access: ['public'],
  body: body({ email }),
  response: z.object({ msg: z.string() }),
  problems: ['email-invalid'],
})

export const newPassword = endpoint('newPassword', 'POST /api/users/newPassword', {
  summary:
    'Sets a new password using the id of an emailed link, and ends every session. The second factor remains enabled.',
  access: ['public'],
  body: body({
    id: z.string('required').check(z.minLength(1, 'required'), z.maxLength(300, 'link-unknown')),
    password,
  }),
  problems: [...newPasswordProblems, 'link-unknown', 'link-used', 'link-expired', 'password-plain', 'too-many'],
})

export const changePassword = endpoint('changePassword', 'POST /api/users/changePassword', {
  summary: 'Changes the password. The current session continues with a new token; all others are ended.',
  access: ['client'],
  body: body({ currentPassword: password, password }),
  response: z.object({ token: z.string() }),
  replacesSession: true,
  problems: ['password-incorrect', ...newPasswordProblems, 'password-plain', 'too-many'],
})
