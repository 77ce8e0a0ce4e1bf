/** Requests that the client must confirm again after the firm's database lost later data (requirements 20.16). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { body, choice, currency, signedBalance, id, seconds } from './fields.ts'

export const confirmableKinds = [
  'withdrawal',
  'transfer',
  'account',
  'leverage_request',
  'bank_details',
  'profile_change',
  'professional',
] as const

export const getRequestsToConfirm = endpoint('getRequestsToConfirm', 'GET /api/users/requestsToConfirm', {
  summary: 'Returns the client’s requests that recovery has blocked until the client confirms them again.',
  access: ['approved'],
  response: z.object({
    requests: z.array(
      z.object({
        kind: choice(confirmableKinds),
        id: z.string(),
        reference: z.nullable(z.string()),
        amount: z.nullable(signedBalance),
        currency: z.nullable(currency),
        accountNumber: z.nullable(z.string()),
        requestedAt: seconds,
      }),
    ),
  }),
})

export const confirmRequest = endpoint('confirmRequest', 'POST /api/users/confirmRequest', {
  summary: 'Confirms one of the requests that recovery blocked; its processing continues.',
  access: ['approved'],
  body: body({ kind: choice(confirmableKinds), id }),
  problems: ['not-found'],
})
