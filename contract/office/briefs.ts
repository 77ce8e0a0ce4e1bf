/** Common parts of lists and records of the back office: path, client, compared fact. */
import * as z from 'zod/mini'
import { clientMachine } from '#rules/clients.ts'
import { clientFlags, clientStatuses, languages } from '#rules/choices.ts'
import { choice, id, idOf, isoDate, seconds, clientId } from '../fields.ts'

export const root = '/api/backoffice'

export const staffBrief = z.object({ id: z.string(), name: z.string() })

/** An absence that has not ended, in calendar days of the firm's zone, both included; `isNow` once it has begun. */
export const absence = z.object({ from: isoDate, until: isoDate, isNow: z.boolean() })
export type Absence = z.output<typeof absence>

/** A colleague to choose, with their absence. */
export const colleague = z.object({ ...staffBrief.shape, absence: z._default(z.nullable(absence), null) })
export type Colleague = z.output<typeof colleague>

/** The client of a record. */
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

/** Clients who share data with the one on the page; `clients` is null for readers who see only the number (ADR 243). */
export const otherClients = z.object({ count: z.int(), clients: z.nullable(z.array(clientBrief)) })
export type OtherClients = z.output<typeof otherClients>

/** One check beside a decision, named by its code; both values are shown side by side if they differ. */
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
/** A record of this kind in the path: its id is typed as that kind's. */
export const paramsOf = <Kind extends string>() => z.object({ id: idOf<Kind>() })

export const nextCursor = z.nullable(z.string())

/** Returns the response of a list: one page of rows, and the cursor of the next one. */
export function page<Row extends z.ZodMiniType, More extends z.core.$ZodLooseShape = { next: typeof nextCursor }>(
  row: Row,
  more?: More,
) {
  return z.object({ rows: z.array(row), ...(more as More), next: nextCursor })
}
