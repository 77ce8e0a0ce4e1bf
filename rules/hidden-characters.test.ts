import { expect, test } from 'vitest'
import { hasHidden, trimHidden, withoutHidden } from './hidden-characters.ts'

const hidden = {
  'soft hyphen': '\u00AD',
  'combining grapheme joiner': '\u034F',
  'Arabic letter mark': '\u061C',
  'Hangul filler': '\u3164',
  'zero width space': '\u200B',
  'left-to-right mark': '\u200E',
  'right-to-left mark': '\u200F',
  'left-to-right embedding': '\u202A',
  'pop directional formatting': '\u202C',
  'right-to-left override': '\u202E',
  'word joiner': '\u2060',
  'left-to-right isolate': '\u2066',
  'pop directional isolate': '\u2069',
  'byte order mark': '\uFEFF',
  'interlinear annotation': '\uFFF9',
  'language tag': '\u{E0001}',
  'tag letter': '\u{E0061}',
}

test.each(Object.entries(hidden))(
  'the character "%s" is trimmed at the ends, found inside, and removed from values that never need it',
  (_, sign) => {
    expect(trimHidden(` ${sign} Zoë Brandt${sign}\n${sign}`)).toBe('Zoë Brandt')
    expect(hasHidden(`Zo${sign}ë`)).toBe(true)
    expect(withoutHidden(`${sign}+49 30${sign} 901820${sign}`)).toBe('+49 30 901820')
  },
)

test.each([
  ['Persian', 'می\u200Cخواهم'],
  ['Devanagari', 'क्\u200Dष'],
  ['Sinhala', 'ශ්\u200Dරී'],
  ['Bengali', 'র\u200D্যা'],
  ['joined emoji', '👩‍👩‍👧‍👦'],
  ['an emoji with its selector', 'love ❤️'],
  ['a Japanese name with a variation', '葛\u{E0100}城'],
  ['German', 'Jürgen Müller-Lüdenscheidt'],
  ['Arabic', 'محمد علي'],
  ['Hebrew', 'דוד כהן'],
  ['spaces of every kind', 'a\u00A0b\u202Fc'],
])('%s: the text is left unchanged', (_, text) => {
  expect(hasHidden(text)).toBe(false)
  expect(trimHidden(text)).toBe(text)
})

test.each([
  ['a joiner in Latin', 'pay\u200Dpal'],
  ['a non-joiner in Latin', 'pay\u200Cpal'],
  ['a joiner beside a space', 'می\u200C خواهم'],
  ['a joiner between scripts', 'م\u200Ca'],
  ['a selector after nothing', 'a \uFE0Fb'],
  ['two selectors', '❤\uFE0F\uFE0F'],
])('%s counts as hidden', (_, text) => {
  expect(hasHidden(text)).toBe(true)
})

test('a long run of hidden characters inside a text is scanned only once', () => {
  const run = ' \u200B\u200D'.repeat(100_000)
  const text = `a${run}b`
  expect(trimHidden(`${run}${text}${run}`)).toBe(text)
  expect(hasHidden(text)).toBe(true)
  expect(hasHidden(`${'م\u200C'.repeat(100_000)}م`)).toBe(false)
})
