import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { fieldsOf, validValue, withValue } from '#tests/valid-input.ts'
import { fastEncode } from './fast-encoder.ts'

const refused = Symbol('refused')
const values = ['', 'text', '1.00', '1.005', 0, 7, 1.5, -1, NaN, 7n, 10n ** 16n, true, null, undefined, [], {}]
const unusualValues: unknown[] = [...values, new Date(0), new Date(NaN), [null], { success: false }]

/** Returns the JSON that an encoder makes of a value; undefined values are left out. */
function encodedBy(encode: () => unknown): unknown {
  try {
    return JSON.stringify(encode())
  } catch {
    return refused
  }
}

/** Returns a possible response of the endpoint, or nothing if no valid text is known for a field. */
function validResponse({ response: answer }: Endpoint): unknown {
  try {
    return z.decode(answer, validValue(answer) as never)
  } catch {
    return undefined
  }
}

const validResponses = [...portalEndpoints, ...officeEndpoints]
  .map((endpoint) => ({ name: endpoint.name, schema: endpoint.response, sound: validResponse(endpoint) }))
  .filter(({ sound }) => sound !== undefined)

test('more than 100 responses are tested', () => {
  expect(validResponses.length).toBeGreaterThan(100)
})

test.each(validResponses)(
  'the response of $name is encoded and rejected exactly as by its schema',
  ({ schema, sound }) => {
    const both = (answer: unknown) => [
      encodedBy(() => fastEncode(schema, answer)),
      encodedBy(() => z.encode(schema, answer as never)),
    ]
    const [quick, slow] = both(sound)
    expect(quick).not.toBe(refused)
    expect(quick).toEqual(slow)
    const different = fieldsOf(schema).flatMap(({ path }) =>
      unusualValues.flatMap((value) => {
        const [one, other] = both(withValue(sound, path, value))
        return one === other ? [] : [{ path, value, one, other }]
      }),
    )
    expect(different).toEqual([])
  },
)
