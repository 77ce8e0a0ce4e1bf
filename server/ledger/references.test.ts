import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { generationMax, readReference, referenceFrom, referenceLegs, type ReferenceLeg } from '#rules/references.ts'
import { merchantReference, platformComment, referenceOfLine, verifiedReference } from '#server/ledger/references.ts'

const key = randomBytes(32)
const shown = referenceFrom('FIR', randomBytes(5))
const legs = Object.keys(referenceLegs) as ReferenceLeg[]
const comment = (changes: object = {}) =>
  platformComment({ key, shown, leg: 'withdrawal-debit', generation: 0, ...changes })

describe('a derived reference', () => {
  test('has a different letter for each leg, from Crockford’s base 32', () => {
    const letters = Object.values(referenceLegs)
    expect(new Set(letters).size).toBe(letters.length)
    expect(letters.join('')).toMatch(/^[0-9A-HJKMNP-TV-Z]+$/)
  })

  test.each(legs)(
    'for %s fits a comment in every generation, is verified with its leg and generation, and is unique',
    (leg) => {
      const all = Array.from({ length: generationMax + 1 }, (_, generation) => comment({ leg, generation }))
      expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(31)
      for (const [generation, one] of all.entries()) {
        expect(one).toMatch(/^[A-Za-z0-9-]+$/)
        expect(verifiedReference(key, one)).toEqual({ shown, leg, generation })
      }
      expect(new Set(all).size).toBe(all.length)
    },
  )

  test('is the same for the same key and different for another key', () => {
    expect(comment()).toBe(comment())
    expect(comment({ key: randomBytes(32) })).not.toBe(comment())
  })

  test('of a checkout has at most 30 characters and is not valid as that of a leg', () => {
    const reference = merchantReference({ key, shown })
    expect(reference.length).toBeLessThanOrEqual(30)
    expect(verifiedReference(key, reference)).toEqual({ shown, leg: 'checkout', generation: 0 })
  })

  test('is rejected if it would not fit: with a prefix of four letters or a generation beyond the last', () => {
    expect(() => comment({ shown: referenceFrom('FIRM', randomBytes(5)) })).toThrow(TypeError)
    for (const generation of [-1, 0.5, generationMax + 1]) expect(() => comment({ generation })).toThrow(RangeError)
  })
})

/** Returns a reference that only the key's holder can create: any text in our format with its code. */
function signed(open: string): string {
  const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  let bits = BigInt(`0x${createHmac('sha256', key).update(open).digest('hex').slice(0, 18)}`) >> 2n
  let code = ''
  for (let place = 0; place < 14; place += 1) {
    code = crockford.charAt(Number(bits % 32n)) + code
    bits /= 32n
  }
  return `${open}-${code}`
}

describe('a comment is not recognised as ours', () => {
  const own = comment()
  const last = own.at(-1) === '0' ? '1' : '0'
  test.each([
    ['if it is empty', ''],
    ['if it is a dealer’s text', 'Rebate October'],
    ['if it has an older format', '01JQ8Z7V5K3M9N2P4R6S8T0V1W'],
    ['if it is only a shown reference', shown],
    ['if it has our format and an invented code', `${shown}-W0-0123456789ABCD`],
    ['if its last character is changed', own.slice(0, -1) + last],
    ['if it names another leg with the same code', own.replace('-W0-', '-V0-')],
    ['if it names another generation with the same code', own.replace('-W0-', '-W1-')],
    ['if it names another request with the same code', own.replace(shown, referenceFrom('FIR', randomBytes(5)))],
    ['if it is truncated', own.slice(0, -1)],
    ['if it has an additional character', `${own}0`],
    ['if it is in lower case', own.toLowerCase()],
    ['if it was derived with another key', comment({ key: randomBytes(32) })],
  ])('%s', (_, text) => expect(verifiedReference(key, text)).toBeNull())

  test('unless it has a letter of a later version, which is ours with an unknown leg', () => {
    expect(verifiedReference(key, signed(`${shown}-00`))).toEqual({ shown, leg: null, generation: 0 })
    expect(signed(`${shown}-W0`)).toBe(own)
  })
})

test('the shown reference of a bank transaction depends on the key, the account, the bank’s id and the round', () => {
  const line = { bankAccount: 'DE02120300000000202051', bankId: 'S-1' }
  const one = referenceOfLine(key, 'CR', line, 0)
  expect(readReference(one)).toBe(one)
  expect(referenceOfLine(key, 'CR', { ...line }, 0)).toBe(one)
  const others = [
    referenceOfLine(key, 'CR', line, 1),
    referenceOfLine(key, 'CR', { ...line, bankId: 'S-2' }, 0),
    referenceOfLine(key, 'CR', { ...line, bankAccount: 'DE75512108001245126199' }, 0),
    referenceOfLine(randomBytes(32), 'CR', line, 0),
  ]
  expect(new Set([one, ...others]).size).toBe(5)
})
