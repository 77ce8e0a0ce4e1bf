/**
 * Endpoints as values: the server registers a handler for each (`registerEndpoint`), the apps call it by the same name
 * (`call`), and the OpenAPI document derives from it. `access` is the first of three locks (docs/architecture.md, rule 7).
 */
import * as z from 'zod/mini'
import type { StaffRole } from '#rules/actors.ts'
import type { MoneyChannel } from '#rules/recovery.ts'
import type { ProblemCode } from './problems.ts'

/**
 * Who may call. `registering`: the token of registerWeb 1.1, or of a client whose registration goes on.
 * `client`: any signed-in client whose registration is complete. `approved`: an approved client. A staff role stands for
 * itself; the administrator is let in wherever another deciding role is.
 */
export type AccessLevel = 'public' | 'registering' | 'client' | 'approved' | StaffRole

type Schema = z.ZodMiniType

const nothing = z.strictObject({})
export type Nothing = typeof nothing

export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> {
  /** The operation's name, unique; also its file's export. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with fastify's `:name` parameters. */
  readonly path: string
  readonly summary: string
  readonly access: readonly AccessLevel[]
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The named fields beside `success`; what is not in the schema does not leave the house. */
  readonly response: Answer
  /** 201 where something was created. */
  readonly status: 200 | 201
  /** The refusals that a person can meet here, beside those of every call. */
  readonly problems: readonly ProblemCode[]
  /** Takes an Idempotency-Key: requirements 15.6. */
  readonly idempotent: boolean
  /**
   * True: refused with prove-again where the password or a code was last proved longer ago than the firm's setting. A
   * call that needs it only at times names the problem alone, and its handler asks.
   */
  readonly requiresStepUp: boolean
  /** Refused with money-stopped (503) while one of these channels of money is stopped. */
  readonly stopsWith: readonly MoneyChannel[]
  /**
   * True: takes a proof of its own, for this call with this body alone, in the header X-Proof; refused with prove-again
   * without it (ADR 120). Such a call takes an Idempotency-Key.
   */
  readonly requiresBoundStepUp: boolean
  /** JSON but for uploads, whose one field is `file`. */
  readonly consumes: 'json' | 'multipart'
  /** Where a body may be larger than others: in bytes. */
  readonly bodyBytesMax: number | null
  /** The media type of the answer; anything but JSON is bytes that the schema does not describe. */
  readonly produces: MediaType
  /** Bodies of which each call takes one, for the document; the body's own schema checks them. */
  readonly bodies: Readonly<Record<string, Schema>>
}

export type MediaType =
  | 'application/json'
  | 'text/csv'
  | 'application/pdf'
  | 'application/zip'
  | 'text/event-stream'
  | 'image/png'
  | 'image/webp'

interface Definition<P extends Schema, Q extends Schema, B extends Schema, A extends Schema> {
  name: string
  route: `${Endpoint['method']} /${string}`
  summary: string
  access: readonly AccessLevel[]
  params?: P
  query?: Q
  body?: B
  response?: A
  status?: 200 | 201
  problems?: readonly ProblemCode[]
  idempotent?: boolean
  requiresStepUp?: boolean
  stopsWith?: readonly MoneyChannel[]
  requiresBoundStepUp?: boolean
  consumes?: Endpoint['consumes']
  bodyBytesMax?: number
  produces?: MediaType
  bodies?: Endpoint['bodies']
}

/** Declares an endpoint; parts that are left out take nothing and answer nothing beside `success`. */
export function endpoint<
  P extends Schema = Nothing,
  Q extends Schema = Nothing,
  B extends Schema = Nothing,
  A extends Schema = Nothing,
>({ route, ...definition }: Definition<P, Q, B, A>): Endpoint<P, Q, B, A> {
  const [method, path] = route.split(' ') as [Endpoint['method'], string]
  return {
    method,
    path,
    status: 200,
    idempotent: false,
    requiresStepUp: false,
    stopsWith: [],
    requiresBoundStepUp: false,
    consumes: 'json',
    bodyBytesMax: null,
    produces: 'application/json',
    bodies: {},
    ...definition,
    problems: [
      ...(definition.problems ?? []),
      ...(definition.requiresStepUp || definition.requiresBoundStepUp ? (['prove-again'] as const) : []),
      ...(definition.stopsWith?.length ? [stoppedCode(path)] : []),
    ],
    params: definition.params ?? (nothing as unknown as P),
    query: definition.query ?? (nothing as unknown as Q),
    body: definition.body ?? (nothing as unknown as B),
    response: definition.response ?? (nothing as unknown as A),
  }
}

/** Returns the problem code for stopped money: clients and staff read different texts. */
function stoppedCode(path: string): ProblemCode {
  return path.startsWith('/api/backoffice/') ? 'money-stopped-office' : 'money-stopped'
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>
export type QueryOf<E extends Endpoint> = z.output<E['query']>
export type BodyOf<E extends Endpoint> = z.output<E['body']>
/** What a caller sends: amounts may still be decimals in text. */
export type BodyInputOf<E extends Endpoint> = z.input<E['body']>
/** The response of a handler, as a screen gets it: amounts are minor units. */
export type ResponseOf<E extends Endpoint> = z.output<E['response']>
