/**
 * A withdrawal requested after a change of the sign-in details is accepted, delayed, and shows when we continue with it
 * (requirements 9.10).
 */
import { expect, test } from 'vitest'
import * as office from '#contract/office/withdrawals.ts'
import { changePassword } from '#contract/passwords.ts'
import { getTransferTimeline } from '#contract/history.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { renderMail } from '#server/mail/template-registry.ts'
import { letterheadOf } from '#server/mail/mail-operation.ts'
import { allAcknowledged } from '../../../tests/acknowledged.ts'
import { platformForFile } from '../../../tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, withdrawalBody } from '../../../tests/funded-account.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { call, goodPassword, makeClient, makeStaff, applySetting } from '../../../tests/factories.ts'

const { server } = platformForFile()

async function requestAfterChange(changed: boolean) {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 1_000_000n)
  const bankId = await makeApprovedBank(server, client)
  const body = { currentPassword: goodPassword, password: 'a-much-longer-secret-7!' }
  const as = changed ? (await call(server, changePassword, { as: client, body })).answer.token : client.token
  const reply = await call(server, requestWithdrawal, {
    as,
    proof: { password: changed ? body.password : goodPassword },
    body: withdrawalBody(account, bankId, '250.00'),
  })
  expect(reply.status, reply.bytes.toString()).toBe(201)
  const mail = (await mailsTo(server, client.email)).find(({ kind }) => kind === 'withdrawal-requested')
  const letterhead = await letterheadOf(server.dependencies, () => '')
  const drawn = (language: 'en' | 'de') =>
    JSON.stringify(renderMail('withdrawal-requested', mail?.facts ?? {}, language, letterhead))
  const { id } = reply.answer
  const history = await call(server, getTransferTimeline, { as, params: { list: 'withdrawals', id } })
  return { answer: reply.answer, shown: history.answer.continuesAt, en: drawn('en'), de: drawn('de') }
}

test('after a password change the response, the history and the email state the time, but not the reason', async () => {
  const now = server.clock.now()
  const { answer, shown, en, de } = await requestAfterChange(true)
  expect(answer.continuesAt?.getTime()).toBe(Math.floor((now.getTime() + 24 * 3_600_000) / 1000) * 1000)
  expect(shown).toEqual(answer.continuesAt)
  expect(en).toMatch(/We can continue with this withdrawal from \d+\s\w+\s\d{4} at \d{2}:\d{2}\s\w+\./)
  expect(de).toMatch(/Wir können diese Auszahlung ab .* weiter bearbeiten\./)
  for (const mail of [en, de]) expect(mail.toLowerCase()).not.toMatch(/passwor[dt]|sign-in|anmelde|factor|faktor/)

  // Signs in each time, because advancing the clock ends earlier sessions.
  const approve = async () =>
    call(server, office.approveWithdrawal, {
      as: await makeStaff(server, ['operations']),
      params: { id: answer.id },
      body: { version: 1, ...allAcknowledged },
    })
  expect((await approve()).status).toBe(409)
  server.clock.turn(24 * 3600 + 1)
  expect((await approve()).status).toBe(200)
})

test("no time is stated without a change, or if the firm's setting is only to warn", async () => {
  const unchanged = await requestAfterChange(false)
  expect([unchanged.answer.continuesAt, unchanged.shown]).toEqual([null, null])
  expect(unchanged.en).not.toContain('We can continue')
  const checks = await server.dependencies.settings.get('checks')
  await applySetting(server, 'checks', { ...checks, signInChange: 'warn' })
  const warned = await requestAfterChange(true)
  expect([warned.answer.continuesAt, warned.shown]).toEqual([null, null])
  await applySetting(server, 'checks', checks)
})
