/** Names in every script in PDFs, read back as a PDF reader finds them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/history.ts'
import { installFonts } from '#scripts/fonts.mjs'
import { call, makeClient, startTestServer, type TestServer } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { areFontsInstalled, installedCuts, isolated, loadBidi, runsOf } from './scripts.ts'

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
  Hebrew: ['יעל', 'בן־דוד'],
  Devanagari: ['प्रियंका', 'श्रीवास्तव'],
  Bengali: ['রহিম', 'উদ্দিন'],
  Tamil: ['கார்த்திக்', 'ராமன்'],
  Thai: ['สมชาย', 'ศรีสุข'],
  Georgian: ['ნინო', 'ბერიძე'],
  Armenian: ['Անի', 'Հակոբյան'],
  Ethiopic: ['አበበ', 'ቢቂላ'],
  Khmer: ['សុខ', 'សុភាព'],
  Lao: ['ສົມສັກ', 'ວົງສາ'],
  Telugu: ['రాముడు', 'నాయుడు'],
  Gujarati: ['નરેન્દ્ર', 'પટેલ'],
  Gurmukhi: ['ਗੁਰਪ੍ਰੀਤ', 'ਸਿੰਘ'],
  Kannada: ['ಕೃಷ್ಣ', 'ಗೌಡ'],
  Malayalam: ['ലക്ഷ്മി', 'നായർ'],
  Oriya: ['ଜଗନ୍ନାଥ', 'ପଣ୍ଡା'],
  Sinhala: ['නිමල්', 'පෙරේරා'],
  'simplified Chinese': ['张', '伟'],
  'traditional Chinese': ['陳', '鵬飛'],
  Japanese: ['さくら', '山田タロウ'],
  Korean: ['민준', '김'],
} as const
const lacking = 'Some characters in this document'

test.each(Object.entries(names))('a statement carries a name in %s', async (_, [name, surname]) => {
  const client = await makeClient(server, { name, surname })
  const { bytes } = await call(server, contract.historyPdf, { as: client })
  const text = (await pdfText(bytes)).replaceAll(/\s+/g, ' ')
  // Word by word: the program reads a line from the left, and so finds right-to-left words in that order.
  for (const word of `${name} ${surname}`.split(' ')) expect(text).toContain(word)
  expect(text).not.toContain(lacking)
})

test('a name in Thaana is drawn, whose vowel signs reading programs find in another order', async () => {
  const client = await makeClient(server, { name: 'އަހުމަދު', surname: 'ރަޝީދު' })
  const { bytes } = await call(server, contract.historyPdf, { as: client })
  expect(await pdfText(bytes)).not.toContain(lacking)
})

test('a document says that characters are missing where no installed font has them', async () => {
  const client = await makeClient(server, { name: 'ꦱꦸ', surname: 'Wijaya' })
  const german = { 'accept-language': 'de' }
  const read = async (headers = {}) => pdfText((await call(server, contract.historyPdf, { as: client, headers })).bytes)
  expect(await read()).toContain(lacking)
  expect(await read(german)).toContain('Einige Zeichen in diesem Dokument')
})

test('a number beside a name that is read from the right keeps its place', async () => {
  const bidi = await loadBidi()
  const printed = (line: string) => runsOf(line, { bidi, has: () => true }).map(({ text }) => text)
  expect(printed(`${isolated('محمد')} …2051`)).toEqual(['محمد', ' …2051'])
  expect(printed(`${isolated('\u202eמ\u2069ש\u2069ה')} · 5012`)).toEqual(['משה', ' · 5012'])
  expect(isolated('Example Bank')).toBe('Example Bank')
})

test('fonts are installed once the engine and all of them are there', async () => {
  const [cuts, bidi] = [installedCuts(), await loadBidi()]
  expect(areFontsInstalled(cuts, bidi)).toBe(true)
  expect(areFontsInstalled(cuts, null)).toBe(false)
  expect(areFontsInstalled(new Map([...cuts].filter(([cut]) => cut !== 'tc')), bidi)).toBe(false)
})

test('without engine and fonts every character of another script is missing', () => {
  const runs = runsOf('Yael יעל', { bidi: null, has: (cut, code) => cut === null && code < 0x500 })
  expect(runs.map(({ text, isMissing }) => [text, isMissing])).toEqual([
    ['Yael ', false],
    ['יעל', true],
  ])
})
