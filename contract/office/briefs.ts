/** Parts that lists and records of the back office have in common: the path, the client of a row, one compared fact. */
import * as z from 'zod/mini'
import { clientMachine } from '#rules/clients.ts'
import { clientFlags, clientStatuses, languages } from '#rules/choices.ts'
import { choice, id, idOf, seconds, clientId } from '../fields.ts'

export const root = '/api/backoffice'

export const staffBrief = z.object({ id: z.string(), name: z.string() })

/** Who the record is about. */
export const clientBrief = z.object({
  id: z.string(),
  number: z.string(),
  name: z.string(),
  email: z.string(),
  status: choice(clientMachine.states),
  clientStatus: choice(clientStatuses),
  country: z.string(),
  riskLevel: z.int(),
  since: z.nullable(seconds),
  language: choice(languages),
  flags: z.array(choice(clientFlags)),
})
export type ClientBrief = z.output<typeof clientBrief>

/** Clients who share something with the one a page is about: `clients` is null for those who see only how many (ADR 243). */
export const otherClients = z.object({ count: z.int(), clients: z.nullable(z.array(clientBrief)) })
export type OtherClients = z.output<typeof otherClients>

/** One check beside a decision: the code names it; the two sides are shown next to each other where they differ. */
export const check = z.object({
  code: z.string(),
  verdict: choice(['ok', 'warn', 'differs', 'unknown']),
  ours: z.nullable(z.string()),
  theirs: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export type Check = z.output<typeof check>

/** A record in the path. */
export const recordParams = z.object({ id })
export const clientParams = z.object({ id: clientId })
/** A record of this kind in the path: its id is taken for no other record's. */
export const paramsOf = <Kind extends string>() => z.object({ id: idOf<Kind>() })

export const nextCursor = z.nullable(z.string())

/** Returns the answer of a list: one page of rows, and the cursor of the next one. */
export function page<Row extends z.ZodMiniType, More extends z.core.$ZodLooseShape = { next: typeof nextCursor }>(
  row: Row,
  more?: More,
) {
  return z.object({ rows: z.array(row), ...(more as More), next: nextCursor })
}
