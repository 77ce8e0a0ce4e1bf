/** Statements with extreme names: each is rendered on one page within the limits of the worker. */
import { beforeAll, expect, test } from 'vitest'
import type { WithdrawalRow } from '#contract/history.ts'
import { installFonts } from '#scripts/fonts.mjs'
import { pdfText } from '#tests/files.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import type { render } from './render-statement.ts'

beforeAll(async () => {
  if (!(await installFonts())) throw new Error('the fonts are not installed: npm ci in the folder fonts')
})

async function statementOf(name: string, withdrawals: readonly WithdrawalRow[] = []): Promise<string> {
  const madeAt = new Date('2026-11-26T12:00:00Z')
  const bytes = await renderPdf<typeof render>(new URL('render-statement.ts', import.meta.url), {
    head: { firm: 'Example Markets', name, email: 'a@example.com', madeAt, timeZone: 'UTC', asked: '' },
    balances: [],
    payments: { deposits: [], withdrawals, transfers: [] },
    language: 'en',
  })
  return pdfText(bytes)
}

const withdrawal = (bankName: string): WithdrawalRow => ({
  id: 'w1',
  reference: 'CR-12345678',
  comment: '',
  timestamp: new Date('2026-11-20T12:00:00Z'),
  timeApproved: null,
  timeRejected: null,
  cancellable: false,
  accountNumber: '10012345',
  withdrawalType: 'wire',
  withdrawalMethod: 'Bank transfer',
  withdrawalAmount: 10_000n,
  withdrawalFee: 0n,
  withdrawalCurrency: 'EUR',
  bankName,
  bankEnding: '4711',
  status: 'pending',
  timePaid: null,
  timeReturned: null,
})

test.each([
  ['of 500 right-to-left letters', 'محمدعبدالله'.repeat(50).slice(0, 500)],
  ['in both directions', 'Anna محمد 12 (בן) 陳 '.repeat(20)],
  ['with control characters', 'A\0\u202eמשה\u2066\u2069\u0007\u001b\n\t\u2028\u0085Z'],
  ['with unpaired surrogates', 'A\ud800B\udc00 محمد\udfff'],
  ['of emoji', '👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🇩🇪'],
  ['of combining marks alone', '\u0301\u064b\u093f\u0e34\u05b8'.repeat(50)],
  ['of joiners alone', '\u200d'.repeat(500)],
  ['of 10,000 marks on one Latin letter', `e${'\u0301'.repeat(9999)}`],
  ['of 10,000 marks on one Arabic letter', `م${'\u064f'.repeat(9999)}`],
  ['of 10,000 letters in one cluster', `क${'\u094d\u0915'.repeat(5000)}`],
  ['of 10,000 letters without a space', 'م'.repeat(10_000)],
])('a statement for a name %s is rendered', async (_, name) => {
  expect(await statementOf(name)).toContain('No entries in this period.')
})

test('a name that is too long for the line with the page number is truncated', async () => {
  const text = await statementOf('Annabella '.repeat(40))
  expect(text.match(/Page \d+ of \d+/g)).toEqual(['Page 1 of 1'])
  expect(text).toMatch(/^(?:Annabella ){15,25}[A-Za-z]*… Page 1 of 1\r?$/m)
})

test('a name that fits on the line with the page number is not truncated', async () => {
  expect(await statementOf('Anna Example')).toMatch(/Anna Example · Account statement\s+Page 1 of 1/)
})

test('a long Thai bank name is broken between words', async () => {
  const text = await statementOf('Anna Example', [withdrawal('ธนาคารเพื่อการเกษตรและสหกรณ์การเกษตร')])
  expect(text).toMatch(/ธนาคารเพื่อการเกษตรและ\r?\nสหกรณ์การเกษตร …4711/)
})
