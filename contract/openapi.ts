/** Creates the OpenAPI 3.1 document from the schemas that validate requests (requirements 15.9). */
import * as z from 'zod/mini'
import { type Endpoint, hasRecordId } from './endpoint.ts'
import { problems, type ProblemCode } from './problems.ts'

type Json = Readonly<Record<string, unknown>>
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
}

/** Problems of every endpoint, in addition to its own. */
const commonProblems: readonly ProblemCode[] = ['check-fields', 'malformed', 'server', 'unavailable', 'too-many']

/** Returns the OpenAPI document of a list of endpoints. `version` is the product's. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { title, version = '1.0.0' }: { title: string; version?: string },
) {
  const paths: Record<string, Record<string, Json>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}').replace('*', '{id}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: problemSchema },
    },
  }
}

const problemSchema = {
  type: 'object',
  required: ['success', 'code', 'error', 'errors', 'values', 'reference', 'texts'],
  properties: {
    success: { const: false },
    code: { type: 'string', enum: Object.keys(problems) },
    error: { type: 'string', description: 'The problem in one sentence, in the reader’s language.' },
    errors: { type: 'object', additionalProperties: { type: 'string' }, description: 'Messages by field.' },
    values: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    reference: { type: 'string', description: 'The reference by which support finds the request in the logs.' },
    texts: {
      type: 'object',
      additionalProperties: { type: 'object' },
      description: 'error and errors in the other languages, by language.',
    },
    checks: {
      type: 'array',
      items: { type: 'object' },
      description: 'The results of all checks. Only for checks-block and checks-changed.',
    },
  },
} as const

function operation(endpoint: Endpoint): Json {
  const parameters = [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
    ...headersOf(endpoint),
  ]
  const requestBody = bodyOf(endpoint)
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [tagOf(endpoint)],
    ...(endpoint.access.includes('public') ? {} : { security: [{ bearer: [] }] }),
    'x-who': endpoint.access,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(endpoint),
  }
}

function tagOf(endpoint: Endpoint): string {
  const parts = endpoint.path.split('/').filter((part) => part !== '' && part !== 'api')
  return (parts[0] === 'backoffice' ? parts[1] : parts[0]) ?? 'other'
}

function headersOf(endpoint: Endpoint): Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', maxLength: 255 },
  })
  return [
    ...(endpoint.idempotent
      ? [
          header(
            'Idempotency-Key',
            'A repeated key with the same body returns the first response; with a different body, 422.',
          ),
        ]
      : []),
    ...(endpoint.requiresBoundStepUp
      ? [
          header(
            'X-Proof',
            'The proof that proveAgain returned for this request and body. It can be used once; without it the response is 403 prove-again.',
          ),
        ]
      : []),
  ]
}

function parametersOf(schema: z.ZodMiniType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = wireSchema(schema) as ObjectSchema
  return Object.entries(properties).map(([name, one]) => ({
    name: name === '*' ? 'id' : name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: one,
  }))
}

function bodyOf(endpoint: Endpoint): Json | null {
  if (endpoint.method === 'GET') return null
  if (endpoint.consumes === 'multipart') {
    const schema = {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', contentEncoding: 'binary' } },
    }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  const variants = Object.entries(endpoint.bodies).map(([name, schema]) => ({ title: name, ...wireSchema(schema) }))
  const schema = variants.length > 0 ? { oneOf: variants } : wireSchema(endpoint.body)
  if (variants.length === 0 && Object.keys((schema as ObjectSchema).properties ?? {}).length === 0) return null
  return { required: true, content: { 'application/json': { schema } } }
}

function unknownOutcomeProblems(endpoint: Endpoint): ProblemCode[] {
  if (endpoint.method === 'GET') return []
  return endpoint.idempotent ? ['outcome-unknown', 'outcome-unseen'] : ['outcome-unseen']
}

/** Returns the problems of callers without access: visitors, clients in another status, staff with another role. */
function accessProblems({ access: who, path }: Endpoint): ProblemCode[] {
  if (who.includes('public')) return []
  const strangers: ProblemCode[] = ['not-signed-in', 'session-ended']
  if (path.startsWith('/api/backoffice/')) return [...strangers, 'wrong-role']
  if (who.includes('registering')) return strangers
  return [...strangers, 'registration-first', ...(who.includes('client') ? [] : (['approval-first'] as const))]
}

function bodyProblems({ method, idempotent }: Endpoint): ProblemCode[] {
  if (method === 'GET') return []
  return ['body-large', 'body-type', ...(idempotent ? (['key-invalid', 'twin-running', 'key-reused'] as const) : [])]
}

/** Returns the problem of a record's id in the path. */
function pathProblems(endpoint: Endpoint): ProblemCode[] {
  return hasRecordId(endpoint) ? ['not-found'] : []
}

/** Returns the problems of shared fields. */
function sharedFieldProblems({ query, body }: Endpoint): ProblemCode[] {
  const takes = (schema: z.ZodMiniType, name: string) => name in ((wireSchema(schema) as ObjectSchema).properties ?? {})
  return [
    ...(takes(query, 'cursor') ? (['cursor-invalid'] as const) : []),
    ...(takes(body, 'userId') ? (['not-yours'] as const) : []),
  ]
}

function responsesOf(endpoint: Endpoint): Json {
  const codes = [
    ...new Set([
      ...pathProblems(endpoint),
      ...endpoint.problems,
      ...commonProblems,
      ...unknownOutcomeProblems(endpoint),
      ...accessProblems(endpoint),
      ...bodyProblems(endpoint),
      ...sharedFieldProblems(endpoint),
    ]),
  ]
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  const refusals = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, several]) => [
      String(status),
      {
        description: several.map((code) => `${code}: ${problems[code].text.message}`).join('\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ])
  return { [String(endpoint.status)]: successOf(endpoint), ...Object.fromEntries(refusals) }
}

function successOf(endpoint: Endpoint): Json {
  if (endpoint.produces === 'text/event-stream')
    return {
      description: 'A stream of server-sent events.',
      content: { [endpoint.produces]: { schema: { type: 'string' } } },
    }
  if (endpoint.produces !== 'application/json') {
    return {
      description: 'The file.',
      content: { [endpoint.produces]: { schema: { type: 'string', contentEncoding: 'binary' } } },
    }
  }
  const answer = wireSchema(endpoint.response) as ObjectSchema
  const schema = {
    ...answer,
    properties: { success: { const: true }, ...answer.properties },
    required: ['success', ...(answer.required ?? [])],
  }
  return { description: 'The request succeeded.', content: { 'application/json': { schema } } }
}

/** Returns a schema in its wire form: a codec's outer side. */
function wireSchema(schema: z.ZodMiniType): Json {
  const {
    $schema: _,
    '~standard': _standard,
    ...rest
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  return rest
}
