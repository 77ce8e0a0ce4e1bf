/**
 * Registers an endpoint: authenticates and authorizes the caller, validates the request, runs the handler and
 * serializes the response (docs/architecture.md, rule 7).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import Negotiator from 'negotiator'
import * as z from 'zod/mini'
import { type AccessLevel, type Endpoint, hasRecordId } from '#contract/endpoint.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import { languages, type Language } from '#rules/choices.ts'
import { assertMoneyNotStopped } from '../recovery/stopped-money.ts'
import type { Dependencies } from '../dependencies.ts'
import { serializeResponse } from './fast-encoder.ts'
import { BinaryResponse, sendBinary, assertOwnUserId, type Handler, type RequestContext } from './handler.ts'
import { limitExports } from './rate-limits.ts'
import { boundStepUpOf, requireBoundStepUp, requireStepUp } from './step-up.ts'
import { idempotencyKey, storeProblem, throwStoredResponse, ReplayedResponse } from './idempotency.ts'
import { Problem, throwFieldProblems } from './problem.ts'
import { identityOf, resolveCaller, anonymous, type Caller } from './sessions.ts'
import type { Audience } from './tokens.ts'

export type RegisterEndpoint = <E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  hooks?: Pick<RouteShorthandOptions, 'onRequest'>,
) => void

/** Returns a `registerEndpoint` for this server. */
export function endpointRegistrar(app: FastifyInstance, dependencies: Dependencies): RegisterEndpoint {
  return (endpoint, handler, hooks) => {
    app.route({
      ...hooks,
      method: endpoint.method,
      url: endpoint.path,
      ...(endpoint.bodyBytesMax === null ? {} : { bodyLimit: endpoint.bodyBytesMax }),
      handler: async (request, reply) => {
        const context = await buildContext(dependencies, endpoint, request)
        try {
          if (context.idempotency) await throwStoredResponse(dependencies.pool, context.idempotency)
          await assertMoneyNotStopped(dependencies.pool, endpoint.stopsWith, context.auditContext.identity)
          // A repeat of a finished call gets its first response, whatever the age of the proof.
          if (endpoint.requiresStepUp) await requireStepUp(dependencies, context)
          if (endpoint.requiresBoundStepUp) await requireBoundStepUp(dependencies, context)
          if (endpoint.produces !== 'application/json') await limitExports(dependencies, context)
          const answer = await handler(dependencies, context as never)
          if (answer instanceof BinaryResponse) return await sendBinary(reply, endpoint, answer)
          return await reply.status(endpoint.status).send(serializeResponse(endpoint, answer))
        } catch (error) {
          return await problemOrReplay(dependencies, context, error, reply)
        }
      },
    })
  }
}

async function problemOrReplay(
  dependencies: Dependencies,
  context: RequestContext,
  error: unknown,
  reply: FastifyReply,
) {
  if (error instanceof ReplayedResponse) {
    return reply.status(error.status).header('idempotency-replayed', 'true').send(error.answer)
  }
  if (error instanceof Problem) await storeProblem(dependencies.pool, context, error)
  throw error
}

/** Builds the context of a handler: token, access, body, idempotency key. */
async function buildContext<E extends Endpoint>(
  dependencies: Dependencies,
  endpoint: E,
  request: FastifyRequest,
): Promise<RequestContext<E>> {
  const now = dependencies.now()
  if (endpoint.consumes === 'json' && /^multipart\//i.test(request.headers['content-type'] ?? ''))
    throw new Problem('body-type')
  const background = request.headers['x-background'] === '1'
  const caller = await callerFor(dependencies, endpoint, request, now, background)
  authorize(endpoint.access, caller)
  const params = parseParams(endpoint, request.params ?? {})
  const query = parse<E['query']>(endpoint.query, requireSingleValues(request.query))
  const body = parse<E['body']>(endpoint.body, endpoint.method === 'GET' ? {} : (request.body ?? {}))
  if (caller.kind === 'client') assertOwnUserId(caller, body)
  return {
    endpoint,
    params,
    query,
    body,
    caller,
    auditContext: { identity: identityOf(caller), now, address: request.ip, reference: request.id },
    now,
    language: languageOf(request),
    address: request.ip,
    device: (request.headers['user-agent'] ?? '').slice(0, 300),
    background,
    idempotency: endpoint.idempotent ? idempotencyKey(endpoint, request, caller) : null,
    proof: endpoint.requiresBoundStepUp ? boundStepUpOf(endpoint, request) : null,
  }
}

async function callerFor(
  dependencies: Dependencies,
  endpoint: Endpoint,
  request: FastifyRequest,
  now: Date,
  background: boolean,
): Promise<Caller> {
  const token = bearerOf(request)
  const isPublic = endpoint.access.includes('public')
  if (token === null) {
    if (isPublic) return anonymous
    throw new Problem('not-signed-in')
  }
  const caller = await resolveCaller(
    dependencies.pool,
    dependencies.keys,
    token,
    audiencesFor(endpoint),
    now,
    background,
  )
  // A public call with an invalid token gets a visitor's response: the settings must not fail because a session ended.
  if (!caller && !isPublic) throw new Problem('session-ended')
  return caller ?? anonymous
}

/** Returns the token of an Authorization header, or null. */
export function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.headers.authorization ?? '')
  if (!match && request.headers.authorization !== undefined) throw new Problem('session-ended')
  return match?.[1] ?? null
}

function audiencesFor(endpoint: Endpoint): Audience[] {
  if (endpoint.path.startsWith('/api/backoffice/')) return ['office']
  return endpoint.access.includes('registering') || endpoint.access.includes('public')
    ? ['portal', 'registering']
    : ['portal']
}

/** Throws if the caller has none of the endpoint's access levels. */
export function authorize(access: readonly AccessLevel[], caller: Caller): void {
  if (access.includes('public')) return
  if (caller.kind === 'staff') {
    if (!caller.roles.some((role) => access.includes(role))) throw new Problem('wrong-role')
    return
  }
  if (caller.kind === 'registering') {
    if (!access.includes('registering')) throw new Problem('registration-first')
    return
  }
  if (caller.kind !== 'client') throw new Problem('not-signed-in')
  if (access.includes(caller.state === 'registering' ? 'registering' : 'client')) return
  if (caller.state === 'registering') throw new Problem('registration-first')
  if (access.includes('approved') && caller.state === 'approved') return
  throw new Problem('approval-first')
}

/** Unknown field names are reported only in part, so that a response is never as long as its request. */
const unknownFieldsReported = 20
const fieldNameMax = 64

/** Parses with the endpoint's schema; each issue becomes a text under the leaf name of its field. */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeDecode(schema, value as never)
  if (result.success) return result.data
  // Maps, because a sender may name a field "constructor" (ASVS 15.3.6).
  const fields = new Map<string, ProblemCode>()
  const fieldValues = new Map<string, Record<string, number>>()
  const refused = (name: string, code: ProblemCode) => {
    if (!fields.has(name)) fields.set(name, code)
  }
  for (const issue of result.error.issues) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, unknownFieldsReported)) refused(key.slice(0, fieldNameMax), 'unknown-field')
    else {
      const name = fieldNameOf(issue.path)
      refused(name, Object.hasOwn(problems, issue.message) ? (issue.message as ProblemCode) : 'invalid')
      if (issue.code === 'custom' && issue.params && !fieldValues.has(name)) fieldValues.set(name, issue.params)
    }
  }
  throwFieldProblems(Object.fromEntries(fields), Object.fromEntries(fieldValues))
  throw new Error('a schema rejected a value without giving a reason')
}

/** Parses the path's parameters. An id in a form that no record has names none. */
function parseParams<E extends Endpoint>(endpoint: E, value: object): z.output<E['params']> {
  const isIdWrong = () =>
    z.safeDecode(endpoint.params, value as never).error?.issues.some(({ path }) => path[0] === 'id')
  if (hasRecordId(endpoint) && isIdWrong()) throw new Problem('not-found')
  return parse<E['params']>(endpoint.params, value)
}

function fieldNameOf(path: readonly PropertyKey[]): string {
  const leaf = path.findLast((part) => typeof part === 'string')
  return leaf ?? 'server'
}

/** Throws if a query parameter is given twice; its values are not merged (ASVS 15.3.7). */
function requireSingleValues(query: unknown): Record<string, unknown> {
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value !== 'string') throw new Problem('invalid', { fields: { [name]: 'invalid' } })
  }
  return { ...(query as object) }
}

/**
 * Returns the language of the response: the one of our languages that Accept-Language weights highest (RFC 9110,
 * 12.5.4), otherwise English.
 */
export function languageOf(request: FastifyRequest): Language {
  const wanted = new Negotiator(request).language([...languages])
  return languages.find((one) => one === wanted) ?? 'en'
}
