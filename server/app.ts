/** Composition root: fastify, its guards, and the routes of every feature. */
import { randomFillSync } from 'node:crypto'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { OutcomeUnknown } from './db/sql.ts'
import { isReadOnly, isTransientError } from './db/connection-errors.ts'
import { registerFeatures } from './features.ts'
import { visitorSettings } from './features/public-settings/show-settings.ts'
import { compressText } from './http/compression.ts'
import { healthRoutes } from './http/health.ts'
import { readJsonStrictly } from './http/json-body.ts'
import { separateOrigins } from './http/origins.ts'
import { servePages } from './http/pages.ts'
import { Problem, problemBody } from './http/problem.ts'
import { languageOf, endpointRegistrar } from './http/register-endpoint.ts'
import { requestIdHeader, requestIdOf } from './http/request-id.ts'
import { securityHeadersOf } from './http/secure-headers.ts'
import { rejectExpectations, rejectMalformed } from './http/malformed-requests.ts'
import type { Dependencies } from './dependencies.ts'

const bodyBytesMax = 256 * 1024
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const referenceLength = 8
/** Filled for many references at once, because each fill is a system call. */
const randomPool = Buffer.alloc(512 * referenceLength)
let randomUsed = randomPool.length

/** Returns a request's reference: eight characters that a person can read out. */
export function newReference(): string {
  if (randomUsed === randomPool.length) {
    randomFillSync(randomPool)
    randomUsed = 0
  }
  let reference = ''
  for (const byte of randomPool.subarray(randomUsed, randomUsed + referenceLength))
    reference += crockford.charAt(byte % 32)
  randomUsed += referenceLength
  return reference
}

/** Fastify's types take a number of hops only as a function. */
function trustProxyOption(proxies: Dependencies['config']['trustProxy']) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies
}

/** Builds the HTTP server from the dependencies; the caller listens and closes. */
export async function createApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const always = securityHeadersOf(dependencies.config)
  const headersOf = ({ headers, id }: FastifyRequest) => ({ ...always, [requestIdHeader]: requestIdOf(headers, id) })
  const server: FastifyInstance = Fastify({
    loggerInstance: dependencies.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newReference,
    requestIdHeader: false,
    trustProxy: trustProxyOption(dependencies.config.trustProxy),
    bodyLimit: bodyBytesMax,
    requestTimeout: 60_000,
    connectionTimeout: 70_000,
    keepAliveTimeout: 72_000,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 16_384 },
    // Requests that arrive while the server stops are answered: a proxy would not repeat a POST that it has sent (ADR
    // 193).
    return503OnClosing: false,
    childLoggerFactory: (log, bindings, childOptions, raw) =>
      log.child(
        { reference: bindings['reqId'], requestId: requestIdOf(raw.headers, String(bindings['reqId'])) },
        childOptions,
      ),
    // Our own hook rejects a request without Host, in the form of every other problem (origins.ts).
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => {
      void handleError(error, request, reply.headers(headersOf(request)))
    },
    clientErrorHandler: rejectMalformed(always, newReference),
  })
  rejectExpectations(server.server, always, newReference)
  readJsonStrictly(server)
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request))
  })
  server.addHook('onSend', compressText)
  separateOrigins(server, dependencies)
  server.setErrorHandler((error: FastifyError, request, reply) => handleError(error, request, reply))
  server.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: request.ip,
      },
      'answered',
    )
  })
  const registerEndpoint = endpointRegistrar(server, dependencies)
  const pages = await servePages(server, dependencies, (language) => visitorSettings(dependencies, language))
  await registerFeatures(server, registerEndpoint, dependencies, pages)
  healthRoutes(server, dependencies)
  return server
}

/** Every failure is `{ success: false, code, error, errors, reference }`, without internal details. */
async function handleError(error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const problem = error instanceof Problem ? error : problemOfError(error)
  if (problem) {
    if (problem.facts.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(problem.facts.retryAfterSeconds))
    if (problem.status === 429 || problem.status === 403) {
      request.log.warn({ code: problem.code, route: request.routeOptions.url }, 'request rejected')
    }
    return reply.status(problem.status).send(problemBody(problem, languageOf(request), request.id))
  }
  request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
  const unexpected = new Problem('server')
  return reply.status(500).send(problemBody(unexpected, languageOf(request), request.id))
}

function problemOfError(error: FastifyError): Problem | null {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('body-type')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('body-large')
  if (error instanceof OutcomeUnknown) return new Problem('outcome-unseen', { retryAfterSeconds: 5 })
  if (isReadOnly(error)) return new Problem('database-read-only', { retryAfterSeconds: 5 })
  if (isTransientError(error)) return new Problem('unavailable', { retryAfterSeconds: 5 })
  if (error.statusCode === 400) return new Problem('malformed')
  return null
}
