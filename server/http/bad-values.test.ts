/**
 * Sends every field of every call with invalid values (ASVS 2.2.1, 15.3.5): missing, of another type, empty, too long,
 * unknown. The response must name only that field, and nothing may change. The cases are derived from the contract and
 * from the published API document, so a new field is tested once it is declared.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { problems } from '#contract/problems.ts'
import { tableFingerprints, forEachConcurrently, makeCallers, type Callers } from '#tests/callers.ts'
import type { Failure } from '#tests/call.ts'
import { call } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import {
  bodyKinds,
  fieldsOf,
  jsonKinds,
  allowedJsonKinds,
  validValue,
  withValue,
  type Field,
} from '#tests/valid-input.ts'

const server = serverForFile()
let callers: Callers
beforeAll(async () => {
  callers = await makeCallers(server)
})

const endpoints = [...portalEndpoints, ...officeEndpoints]
const named = (some: readonly Endpoint[]) => some.map((endpoint) => [endpoint.name, endpoint] as const)
const paramsOf = (endpoint: Endpoint) => validValue(endpoint.params) as Record<string, string>

interface InvalidRequest {
  readonly what: string
  /** The field that the response must name. */
  readonly field: string
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly params?: Record<string, string>
}

/** Sends the invalid values and returns what was sent and received for each unexpected response. */
async function unexpectedResponses(endpoint: Endpoint, cases: readonly InvalidRequest[]): Promise<string[]> {
  const amiss: string[] = []
  await forEachConcurrently(cases, async ({ what, field, ...sent }) => {
    const reply = await call(server, endpoint, { params: paramsOf(endpoint), ...callers.bearerOf(endpoint), ...sent })
    const failure = reply.json as Partial<Failure> | null
    const sentences = Object.entries(failure?.errors ?? {})
    const good =
      failure?.code !== undefined &&
      (reply.status === 400 || genericProblemCodes.includes(failure.code)) &&
      failure.code in problems &&
      sentences.length === 1 &&
      sentences.every(([name, sentence]) => name === field && /^\p{Lu}[^{}]*[.?!]$/u.test(sentence))
    if (!good) amiss.push(`${what}: ${reply.status} ${reply.bytes.toString().slice(0, 300)}`)
  })
  return amiss
}

/** An oversized link, ticket or statement gets the same response as any other unknown or oversized one. */
const genericProblemCodes = ['link-unknown', 'ticket-ended', 'body-large']
const textTooLong = 'x'.repeat(100_000)
const fileTooLong = 'x'.repeat(5_000_001)
/** The fields that contain a whole file; all other texts have a far lower maximum. */
const fileFields = ['csv', 'content']
const unknownWord = 'surprise\u202Eexe.'

/** Returns the values that the published document disallows for a field, and those that no field may accept. */
function wrongValues({ path, schema }: Field): [string, unknown][] {
  const tooLong = fileFields.includes(String(path.at(-1))) ? fileTooLong : textTooLong
  const taken = allowedJsonKinds(schema)
  const kinds = Object.entries(jsonKinds).filter(([kind]) => !taken.has(kind as keyof typeof jsonKinds))
  const isText = taken.size === 1 && taken.has('string')
  return [
    ...(z.safeDecode(schema, undefined as never).success ? [] : [['missing', undefined] as [string, unknown]]),
    ...kinds,
    ...(isText ? [['too long', tooLong] as [string, unknown]] : []),
    ...(isText && !z.safeDecode(schema, '' as never).success ? [['empty', ''] as [string, unknown]] : []),
    ...(isChoice(schema) ? [['no such word', unknownWord] as [string, unknown]] : []),
  ]
}

function isChoice(schema: z.ZodMiniType): boolean {
  return (
    allowedJsonKinds(schema).has('string') && 'enum' in z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  )
}

function wrongBodies(endpoint: Endpoint): InvalidRequest[] {
  return bodyKinds(endpoint).flatMap(({ title, sound, fields }) => [
    { what: `${title} a field more`, field: 'surprise', body: { ...(sound as object), surprise: 1 } },
    ...fields.flatMap((field) =>
      wrongValues(field)
        // A missing item of a list only makes the list shorter.
        .filter(([what]) => !(what === 'missing' && typeof field.path.at(-1) === 'number'))
        .map(([what, value]) => ({
          what: `${title} ${field.path.join('.')} ${what}`,
          field: field.name,
          body: withValue(sound, field.path, value),
        })),
    ),
  ])
}

describe('a body', () => {
  const writing = endpoints.filter(({ method, consumes: takes }) => method !== 'GET' && takes === 'json')
  test.each(named(writing))(
    'of %s with one invalid field is rejected with an error at that field, and nothing changes',
    async (_, endpoint) => {
      const before = await tableFingerprints(server)
      expect(await unexpectedResponses(endpoint, wrongBodies(endpoint))).toEqual([])
      expect(await tableFingerprints(server)).toEqual(before)
    },
  )
})

describe('a query', () => {
  const asking = endpoints.filter(({ method }) => method === 'GET')
  test.each(named(asking))(
    'of %s with one invalid parameter is rejected with an error at that parameter',
    async (_, endpoint) => {
      const sound = validValue(endpoint.query) as Record<string, string>
      const cases = fieldsOf(endpoint.query).flatMap(({ name, schema }) => [
        { what: `${name} too long`, field: name, query: { ...sound, [name]: 'x'.repeat(8_000) } },
        ...(z.safeDecode(schema, undefined as never).success
          ? []
          : [{ what: `${name} missing`, field: name, query: withValue(sound, [name], undefined) as typeof sound }]),
        ...(isChoice(schema)
          ? [{ what: `${name} unknown`, field: name, query: { ...sound, [name]: unknownWord } }]
          : []),
      ])
      const more = { what: 'a parameter more', field: 'surprise', query: { ...sound, surprise: '1' } }
      expect(await unexpectedResponses(endpoint, [more, ...cases])).toEqual([])
    },
  )
})
