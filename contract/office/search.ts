/**
 * The search of the command palette. A separate file: the first page that staff load imports nothing else about
 * clients.
 */
import * as z from 'zod/mini'
import { clientMachine } from '#rules/clients.ts'
import { clientStatuses } from '#rules/choices.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { atMost, choice, currency, seconds, signedBalance } from '../fields.ts'
import { clientParams, root } from './briefs.ts'

/** Kinds of hits. An `account` or a `bank` account opens the page of its client. */
export const hitKinds = [
  'client',
  'account',
  'bank',
  'deposit',
  'withdrawal',
  'transfer',
  'correction',
  'enquiry',
  'payout_batch',
] as const
export type HitKind = (typeof hitKinds)[number]

/** Maximum hits of each kind. */
export const hitsMax = 5

/** Up to this many of a kind are counted: counting more would read as many rows at every keystroke. */
export const countedMax = 20

const searchHit = z.object({
  kind: choice(hitKinds),
  /** Of the record; for an account or a bank account that of its client, whose page shows it. */
  id: z.string(),
  /** The whole search text is this record's number, reference, IBAN or email address. */
  exact: z.boolean(),
  /** Null for a payout batch, and for a visitor's enquiry. */
  client: z.nullable(
    z.object({
      id: z.string(),
      number: z.string(),
      name: z.string(),
      country: z.string(),
      status: choice(clientMachine.states),
      clientStatus: choice(clientStatuses),
    }),
  ),
  /** Account number, reference or bank account number; for a client the client number. */
  number: z.string(),
  /** Platform, type and “Demo” of an account, the name of a bank. */
  detail: z.nullable(z.string()),
  state: z.nullable(z.string()),
  amount: z.nullable(signedBalance),
  currency: z.nullable(currency),
  at: z.nullable(seconds),
})
export type SearchHit = z.output<typeof searchHit>
export type FoundClient = NonNullable<SearchHit['client']>

const moreHits = z.object({
  kind: choice(hitKinds),
  /**
   * All that the list finds, hits included; above `countedMax` at least as many. Null: only the list can count them.
   */
  total: z.nullable(z.int()),
})
export type MoreHits = z.output<typeof moreHits>

export const searchRecords = endpoint('searchRecords', `GET ${root}/search`, {
  summary: 'Searches clients, accounts, references and bank accounts by name or number, exact numbers first.',
  access: readPermissions.clients,
  query: z.strictObject({ q: z.string('required').check(z.minLength(1, 'required'), atMost(100)) }),
  response: z.object({
    hits: z.array(searchHit),
    /** Kinds of which their list finds more than the hits; none from a server of the version before. */
    more: z._default(z.array(moreHits), []),
  }),
})

export const lookUpClient = endpoint('lookUpClient', `POST ${root}/clients/:id/look-up`, {
  summary: 'Logs that the caller opened the client from the search.',
  access: readPermissions.clients,
  params: clientParams,
})
