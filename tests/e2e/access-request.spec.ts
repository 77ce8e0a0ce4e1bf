/**
 * An access request: compliance reads the texts that staff have written about a client, marks each of them, and saves
 * the answer (requirements 24.59).
 */
import { readFileSync } from 'node:fs'
import { writeNote } from '#contract/office/client-decisions.ts'
import { call, makeStaff } from '../factories.ts'
import { textsOfZip } from '../files.ts'
import { expectAccessible } from './accessible.ts'
import { openRecord, pressOnPage } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseTile, press, type } from './keyboard.ts'
import { newClient } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'

test('compliance marks each text and saves an answer with the disclosed ones, using only the keyboard', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const as = await makeStaff(product, ['operations'], { name: 'Anton Reis' })
  for (const text of ['Prefers calls in the morning.', 'On hold until the report is filed.'])
    expect((await call(product, writeNote, { as, params: { id: client.id }, body: { text } })).status).toBe(201)
  const { page } = await openPageAsStaff(browser, 'compliance', 'Ines Albrecht', '/healthz')
  await openRecord(page, `/clients/${client.id}`)
  await pressOnPage(page, page.getByRole('button', { name: 'More about this client' }))
  // Typing the first letters focuses the item, as in any menu.
  const command = page.getByRole('menuitem', { name: 'Answer access request…' })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type('Answer')
  await expect(command).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Access request' })).toBeVisible()
  await expect(page.getByText('May be about a report')).toBeVisible()
  const create = page.getByRole('button', { name: 'Create answer…' })
  await press(page, create)
  await expect(page.getByText('Mark this text.')).toHaveCount(2)
  await expectAccessible(page)
  const radios = (name: string) => page.getByRole('radio', { name })
  await chooseTile(page, radios('Disclose').first())
  await chooseTile(page, radios('Withhold').last())
  await press(page, create)
  const dialog = page.getByRole('dialog', { name: 'Answer access request' })
  await type(page, dialog.getByLabel('Reason'), 'Letter of 20 November')
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await press(page, dialog.getByRole('button', { name: /^Answer request/ }))
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^access-request-\d+\.zip$/)
  const kept = textsOfZip(readFileSync(await file.path()))['comments.json']
  expect(kept).toContain('Prefers calls in the morning.')
  expect(kept).not.toContain('On hold')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Disclosed before')).toHaveCount(1)
  await expect(page.getByText('Withheld before')).toHaveCount(1)
})
