/** Help: the firm's contact details, opening hours and answers, for every visitor, in the reader's language. */
import { expect, test } from 'vitest'
import { showHelp } from '#contract/help.ts'
import { saveSetting } from '#contract/office/settings.ts'
import { call, makeStaff } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()

const read = async (language: string) =>
  (await call(server, showHelp, { headers: { 'accept-language': language } })).answer

test('help saved by an administrator is returned in both languages, without signing in', async () => {
  const administrator = await makeStaff(server, ['administrator'])
  expect((await read('en')).hours).toBe('Monday to Friday, 8:00 to 18:00 London time')
  const save = (value: unknown) =>
    call(server, saveSetting, {
      as: administrator,
      params: { section: 'help' },
      body: { version: 0, value, reason: 'New hours' } as never,
    })
  const both = (en: string, de: string) => ({ en, de })
  const value = {
    phone: '+49 30 123456',
    hours: both('Weekdays\n9 to 5', 'Werktags\n9 bis 17 Uhr'),
    answers: [{ question: both('Where?', 'Wo?'), answer: both('<b>Here</b>', 'Hier') }],
  }
  expect((await save({ ...value, hours: both('', 'Werktags') })).status).toBe(400)
  expect((await save(value)).status).toBe(200)
  expect(await read('en')).toMatchObject({
    phone: '+49 30 123456',
    hours: 'Weekdays\n9 to 5',
    answers: [{ question: 'Where?', answer: '<b>Here</b>' }],
  })
  expect(await read('de')).toMatchObject({
    hours: 'Werktags\n9 bis 17 Uhr',
    answers: [{ question: 'Wo?', answer: 'Hier' }],
  })
})
