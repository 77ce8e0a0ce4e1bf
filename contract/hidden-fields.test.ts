/** All texts of requests: hidden characters at the ends are removed, and inside they are rejected. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { bodyKinds, fieldsOf, allowedJsonKinds, unwrapSchema } from '#tests/valid-input.ts'
import { officeEndpoints, portalEndpoints } from './endpoints.ts'
import { settingSections } from './setting-sections.ts'

/**
 * Secrets are never changed; links, tickets and file names are our own and consist of letters; tables are read line by
 * line.
 */
const uncheckedFields =
  /password|^ticket$|^filename$|^(id|csv|sha256|securityAnswer)$|File$|Url$|POA$|document(Front|Back|Statement)$|logoUrl/i

const bodies = [...portalEndpoints, ...officeEndpoints].flatMap((endpoint) =>
  bodyKinds(endpoint).flatMap(({ fields }) => fields.map((field) => ({ ...field, of: endpoint.name }))),
)
const settings = Object.entries(settingSections).flatMap(([of, schema]) =>
  fieldsOf(schema).map((field) => ({ ...field, of })),
)
/** Checked by their own type, below or by the server: numbers, codes, the corrected value of any field. */
const checkedElsewhere = /IBAN$|^code$|^value$/
/** Free texts: no choices, numbers or amounts. */
const texts = [...bodies, ...settings].filter(({ schema, name }) => {
  if (uncheckedFields.test(name) || checkedElsewhere.test(name) || !allowedJsonKinds(schema).has('string')) return false
  return z.safeDecode(schema, 'Quince Harbour' as never).data === 'Quince Harbour'
})
const decoded = (schema: z.ZodMiniType, value: string) => z.safeDecode(schema, value as never)

test('more than 80 text fields are checked', () => {
  expect(texts.length).toBeGreaterThan(80)
})

test.each(texts.map((field) => [`${field.of}: ${field.path.join('.')}`, field] as const))(
  '%s trims hidden characters, rejects them inside and accepts joiners that a script needs',
  (_, { schema }) => {
    expect(decoded(schema, '\u200B\u2066 Quince Harbour\u2069\u00AD ').data).toBe('Quince Harbour')
    for (const hidden of ['Quince\u202E Harbour', 'Quin\u200Bce', 'pay\u200Dpal']) {
      const { error } = decoded(schema, hidden)
      expect(error?.issues.map(({ message }) => message)).toEqual(['hidden-characters'])
    }
    expect(decoded(schema, 'می\u200Cخواهم').success).toBe(true)
  },
)

const pasted = {
  mobilePhone: '+4930901820',
  postcode: '10437',
  bankIBAN: 'DE02120300000000202051',
  IBAN: 'DE02120300000000202051',
}
test.each(Object.entries(pasted))('hidden characters are removed from %s at any position', (name, value) => {
  const found = [...bodies, ...settings].filter((field) => field.name === name)
  expect(found.length).toBeGreaterThan(0)
  const written = `\u202A${value.slice(0, 4)}\u200B${value.slice(4)}\u202C`
  for (const { schema, of } of found) expect(decoded(unwrapSchema(schema), written).data, of).toBe(value)
})

test('hidden characters at the ends of an email address, an id and a code are removed', () => {
  const named = (name: string) => {
    const found = bodies.find((field) => field.name === name)
    return found && unwrapSchema(found.schema)
  }
  for (const [name, value] of Object.entries({ email: 'absent@example.com', accountId: 'absent', code: '123456' })) {
    const schema = named(name)
    expect(schema && decoded(schema, `\u2066${value}\u2069`).data, name).toBe(value)
  }
  const email = named('email')
  expect(email && decoded(email, 'no\u200Bbody@example.com').success).toBe(false)
})

test.each([
  ['10', false],
  ['101', true],
  ['BS1 4SA', true],
  ['00000', true],
  ['1234567890', true],
  ['12345678901', false],
  ['   ', false],
])('the postcode "%s" is accepted: %s', (value, isTaken) => {
  const schema = bodies.find(({ name, of }) => name === 'postcode' && of === 'editUser')?.schema
  expect(schema && decoded(schema, value).success).toBe(isTaken)
})
