import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmEmail, currentUser } from '#contract/users-session.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { call, startTestServer, type TestServer } from '#tests/factories.ts'
import { newEmail, registerUnconfirmed } from '#tests/registering.ts'

let mailbox: RunningSimulator
let server: TestServer
beforeAll(async () => {
  mailbox = await startSimulator('mailbox')
  server = await startTestServer({ env: { SMTP_URL: `smtp://127.0.0.1:${mailbox.port}` } })
})
afterAll(async () => {
  await server.stop()
  await mailbox.stop()
})

test('the link in the delivered email confirms the address', async () => {
  const email = newEmail()
  await registerUnconfirmed(server, email)
  await server.driver.sweep()
  const [sent] = await mailbox.read<{ id: string; subject: string }[]>(`mails?to=${encodeURIComponent(email)}`)
  expect(sent?.subject).toBe('Confirm your email address for Calder Row')
  const { text } = await mailbox.read<{ text: string }>(`mails/${sent?.id}`)
  const [, id = ''] = /http:\/\/localhost:3000\/email\/confirm\/([\w-]+)/.exec(text) ?? []
  const { token } = (await call(server, confirmEmail, { params: { '*': id } })).answer
  expect((await call(server, currentUser, { as: token ?? '' })).answer.user.email).toBe(email)
})
