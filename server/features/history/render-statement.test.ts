/** The foot of a statement. */
import { beforeAll, expect, test } from 'vitest'
import { installFonts } from '#scripts/fonts.mjs'
import { pdfText } from '#tests/files.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import type { render } from './render-statement.ts'

beforeAll(async () => {
  if (!(await installFonts())) throw new Error('the fonts are not installed: npm ci in the folder fonts')
})

async function statementOf(name: string): Promise<string> {
  const madeAt = new Date('2026-11-26T12:00:00Z')
  const bytes = await renderPdf<typeof render>(new URL('render-statement.ts', import.meta.url), {
    head: { firm: 'Example Markets', name, email: 'a@example.com', madeAt, timeZone: 'UTC', asked: '' },
    balances: [],
    payments: { deposits: [], withdrawals: [], transfers: [] },
    language: 'en',
  })
  return pdfText(bytes)
}

test('a name that is too long beside the page number is cut', async () => {
  const text = await statementOf('Annabella '.repeat(40))
  expect(text.match(/Page \d+ of \d+/g)).toEqual(['Page 1 of 1'])
  expect(text).toMatch(/^(?:Annabella ){15,25}[A-Za-z]*… Page 1 of 1\r?$/m)
})

test('a name that fits beside the page number is not cut', async () => {
  expect(await statementOf('Anna Example')).toMatch(/Anna Example · Account statement\s+Page 1 of 1/)
})
