/** PDFs with names in every script, whose text is extracted again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/history.ts'
import { installFonts } from '#scripts/fonts.mjs'
import { call, makeClient, startTestServer, type TestServer } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { areFontsInstalled, installedCuts, isolateDirection, loadBidi, runsOf } from './scripts.ts'
import { loadHarfBuzz } from './shaping.ts'

let server: TestServer
beforeAll(async () => {
  // A full test run has installed them before.
  if (!(await installFonts())) throw new Error('the fonts are not installed: npm ci in the folder fonts')
  server = await startTestServer()
})
afterAll(() => server.stop())

const names = {
  Latin: ['Zoë', 'Łukasiewicz-Nguyễn'],
  Greek: ['Ελένη', 'Παπαδοπούλου'],
  Cyrillic: ['Наталія', 'Шевченко'],
  Arabic: ['محمد', 'عبد الله'],
  'Arabic with ligatures': ['بلال', 'الإسلام'],
  'Arabic with vowel signs': ['مُحَمَّدٌ', 'عليٌّ'],
  Urdu: ['ٹیپو', 'گلفام'],
  Hebrew: ['יעל', 'בן־דוד'],
  'Hebrew with points': ['שָׁלוֹם', 'מֹשֶׁה'],
  Syriac: ['ܝܘܚܢܢ', 'ܒܪ ܣܘܪܝܐ'],
  Thaana: ['އަހުމަދު', 'ރަޝީދު'],
  "N'Ko": ['ߡߊߡߊߘߎ', 'ߞߋߕߊ'],
  Devanagari: ['प्रियंका', 'श्रीवास्तव'],
  Bengali: ['রহিম', 'উদ্দিন'],
  Tamil: ['கார்த்திக்', 'ராமன்'],
  Thai: ['สมชาย', 'ศรีสุข'],
  Georgian: ['ნინო', 'ბერიძე'],
  Armenian: ['Անի', 'Հակոբյան'],
  Ethiopic: ['አበበ', 'ቢቂላ'],
  Khmer: ['ស្រីពៅ', 'ខៀវ'],
  Lao: ['ສົມສັກ', 'ວົງສາ'],
  Telugu: ['శ్రీకృష్ణ', 'నాయుడు'],
  Gujarati: ['નરેન્દ્ર', 'પટેલ'],
  Gurmukhi: ['ਗੁਰਪ੍ਰੀਤ', 'ਸਿੰਘ'],
  Kannada: ['ಕೃಷ್ಣ', 'ಗೌಡ'],
  Malayalam: ['ലക്ഷ്മി', 'നായർ'],
  Oriya: ['ଜଗନ୍ନାଥ', 'ପଣ୍ଡା'],
  Sinhala: ['ශ්‍රී', 'පෙරේරා'],
  Burmese: ['အောင်ကျော်', 'မြင့်'],
  Javanese: ['ꦱꦸꦒꦼꦁ', 'ꦮꦶꦗꦪ'],
  Balinese: ['ᬓᬢᬸᬢ᭄', 'ᬯᬶᬚᬬ'],
  Mongolian: ['ᠪᠠᠲᠤ', 'ᠴᠢᠮᠡᠭ'],
  Tibetan: ['བསྟན་འཛིན', 'རྒྱ་མཚོ'],
  'Canadian syllabics': ['ᐱᑕ', 'ᓇᓄᖅ'],
  Cherokee: ['ᏎᏉᏯ', 'ᏣᎳᎩ'],
  Lisu: ['ꓐꓱꓦ', 'ꓠꓲꓢꓴ'],
  'Meetei Mayek': ['ꯃꯅꯤꯄꯨꯔ', 'ꯁꯤꯡꯍ'],
  'Ol Chiki': ['ᱨᱟᱢ', 'ᱢᱩᱨᱢᱩ'],
  Tifinagh: ['ⴰⵎⵉⵔ', 'ⵢⴰⵙⵉⵏ'],
  Vai: ['ꔙꔤ', 'ꕮꔜ'],
  Yi: ['ꆈꌠ', 'ꉬꄉ'],
  'simplified Chinese': ['张', '伟'],
  'traditional Chinese': ['陳', '鵬飛'],
  Japanese: ['さくら', '山田タロウ'],
  Korean: ['민준', '김'],
} as const
const lacking = 'Some characters in this document'

test.each(Object.entries(names))('a PDF of the history contains a name in %s', async (_, [name, surname]) => {
  const client = await makeClient(server, { name, surname })
  const { bytes } = await call(server, contract.historyPdf, { as: client })
  // The points of a Hebrew letter have no fixed order.
  const text = (await pdfText(bytes)).replaceAll(/\s+/g, ' ').normalize()
  // Words are compared one by one, because text is extracted from left to right, right-to-left words included.
  for (const word of `${name} ${surname}`.split(' ')) expect(text).toContain(word.normalize())
  expect(text).not.toContain(lacking)
})

test.each([
  ['Adlam', '𞤀𞤦𞤣𞤵𞤤', '𞤄𞤢𞤪𞤪𞤭'],
  ['Chakma', '𑄌𑄋𑄴𑄟𑄳𑄦', '𑄇𑄢𑄴'],
])('a name in %s is rendered, although its text cannot be extracted as written', async (_, name, surname) => {
  const client = await makeClient(server, { name, surname })
  const { bytes } = await call(server, contract.historyPdf, { as: client })
  expect(await pdfText(bytes)).not.toContain(lacking)
})

test('a document states that characters are missing if no installed font has them', async () => {
  const client = await makeClient(server, { name: 'ᮃᮞᮨᮕ᮪', surname: 'Wijaya' })
  const german = { 'accept-language': 'de' }
  const read = async (headers = {}) => pdfText((await call(server, contract.historyPdf, { as: client, headers })).bytes)
  expect(await read()).toContain(lacking)
  expect(await read(german)).toContain('Einige Zeichen in diesem Dokument')
})

test('a number next to a right-to-left name keeps its place', async () => {
  const bidi = await loadBidi()
  const printed = (line: string) => runsOf(line, { bidi, has: () => true }).map(({ text }) => text)
  expect(printed(`${isolateDirection('محمد')} …2051`)).toEqual(['محمد', ' …2051'])
  expect(printed(`${isolateDirection('\u202eמ\u2069ש\u2069ה')} · 5012`)).toEqual(['משה', ' · 5012'])
  expect(isolateDirection('Example Bank')).toBe('Example Bank')
})

test('fonts count as installed once both engines and every font are available', async () => {
  const [cuts, bidi, harfBuzz] = [installedCuts(), await loadBidi(), await loadHarfBuzz()]
  expect(areFontsInstalled(cuts, [bidi, harfBuzz])).toBe(true)
  expect(areFontsInstalled(cuts, [null, harfBuzz])).toBe(false)
  expect(areFontsInstalled(cuts, [bidi, null])).toBe(false)
  expect(areFontsInstalled(new Map([...cuts].filter(([cut]) => cut !== 'tc')), [bidi, harfBuzz])).toBe(false)
})

test('right-to-left letters of two UTF-16 code units are recognised', async () => {
  const runs = runsOf('Bari 𞤄𞤢', { bidi: await loadBidi(), has: () => true })
  expect(runs.map(({ text, level }) => [text, level])).toEqual([
    ['Bari ', 0],
    ['𞤄𞤢', 1],
  ])
})

test('without engines and fonts every character of another script is marked as missing', () => {
  const runs = runsOf('Yael יעל', { bidi: null, has: (cut, code) => cut === null && code < 0x500 })
  expect(runs.map(({ text, isMissing }) => [text, isMissing])).toEqual([
    ['Yael ', false],
    ['יעל', true],
  ])
})
