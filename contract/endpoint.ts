/**
 * Endpoints as values: the server registers a handler for each (`registerEndpoint`), the apps call it (`call`), and the
 * OpenAPI document derives from it. `access` is the first of three access checks (docs/architecture.md, rule 7).
 */
import * as z from 'zod/mini'
import type { StaffRole } from '#rules/actors.ts'
import type { MoneyChannel } from '#rules/recovery.ts'
import type { ProblemCode } from './problems.ts'

/**
 * Who may call. `registering`: the token of registerWeb 1.1, or of a client whose registration is not complete.
 * `client`: any logged-in client with a complete registration. `approved`: an approved client. A staff role permits
 * only that role; administrators are permitted wherever another deciding role is.
 */
export type AccessLevel = 'public' | 'registering' | 'client' | 'approved' | StaffRole

type Schema = z.ZodMiniType

const emptyObject = z.strictObject({})
export type EmptyObject = typeof emptyObject

export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Answer extends Schema = Schema,
> {
  /** The operation's unique name, also that of its export. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with fastify's `:name` parameters. */
  readonly path: string
  readonly summary: string
  readonly access: readonly AccessLevel[]
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The fields besides `success`; fields that are not in the schema are never sent. */
  readonly response: Answer
  /** 201 if something was created. */
  readonly status: 200 | 201
  /**
   * The problems of this endpoint, in addition to those of every endpoint, and `not-found` for an `:id` in the path.
   */
  readonly problems: readonly ProblemCode[]
  /** Requires an Idempotency-Key (requirements 15.6). */
  readonly idempotent: boolean
  /**
   * True: rejected with prove-again if the last confirmation by password or code is older than the firm's setting. An
   * endpoint that needs it only in some cases lists the problem instead, and its handler checks.
   */
  readonly requiresStepUp: boolean
  /** Rejected with money-stopped (503) while one of these channels is stopped. */
  readonly stopsWith: readonly MoneyChannel[]
  /**
   * True: requires a confirmation for exactly this request and body, in the header X-Proof; rejected with prove-again
   * without it (ADR 120). Such an endpoint requires an Idempotency-Key.
   */
  readonly requiresBoundStepUp: boolean
  /** True: the response's token continues the session, whose former tokens are no longer accepted. */
  readonly replacesSession: boolean
  /** JSON except for uploads, whose only field is `file`. */
  readonly consumes: 'json' | 'multipart'
  /** The maximum size of a body in bytes, if larger than the default. */
  readonly bodyBytesMax: number | null
  /** The media type of the response; for types other than JSON the schema does not describe the bytes. */
  readonly produces: MediaType
  /** Alternative bodies, for the document; the body's own schema validates them. */
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

/** What an endpoint declares besides its name and route; what it leaves out has a default. */
type Definition<P extends Schema, Q extends Schema, B extends Schema, A extends Schema> = Pick<
  Endpoint,
  'summary' | 'access'
> &
  Partial<Omit<Endpoint<P, Q, B, A>, 'name' | 'method' | 'path'>>

/**
 * Declares an endpoint by its name and its route, "GET /api/…"; by default it takes no input and returns only
 * `success`.
 */
export function endpoint<
  P extends Schema = EmptyObject,
  Q extends Schema = EmptyObject,
  B extends Schema = EmptyObject,
  A extends Schema = EmptyObject,
>(name: string, route: `${Endpoint['method']} /${string}`, definition: Definition<P, Q, B, A>): Endpoint<P, Q, B, A> {
  const [method, path] = route.split(' ') as [Endpoint['method'], string]
  return {
    name,
    method,
    path,
    status: 200,
    idempotent: false,
    requiresStepUp: false,
    stopsWith: [],
    requiresBoundStepUp: false,
    replacesSession: false,
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
    params: definition.params ?? (emptyObject as unknown as P),
    query: definition.query ?? (emptyObject as unknown as Q),
    body: definition.body ?? (emptyObject as unknown as B),
    response: definition.response ?? (emptyObject as unknown as A),
  }
}

/** Returns whether the path names a record by its id. */
export function hasRecordId({ path }: Endpoint): boolean {
  return /\/:id\b/.test(path)
}

/** Returns the problem code for stopped payments: clients and staff have different texts. */
function stoppedCode(path: string): ProblemCode {
  return path.startsWith('/api/backoffice/') ? 'money-stopped-office' : 'money-stopped'
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>
export type QueryOf<E extends Endpoint> = z.output<E['query']>
export type BodyOf<E extends Endpoint> = z.output<E['body']>
/** The request body of a caller, whose amounts may be decimal texts. */
export type BodyInputOf<E extends Endpoint> = z.input<E['body']>
/** The response as a screen receives it: amounts are minor units. */
export type ResponseOf<E extends Endpoint> = z.output<E['response']>
