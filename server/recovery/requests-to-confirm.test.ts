/** Only requests that a client could have cancelled wait for the client (requirements 20.16, 24.212). */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { payLastBalance, approveLastBalance } from '#contract/office/last-balance.ts'
import { approveProfileChange, requestEmailChange } from '#contract/office/profile-changes.ts'
import { run, transaction } from '#server/db/sql.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import { madeBank } from '#tests/bank-details.ts'
import { call, makeClient } from '#tests/factories.ts'
import { makeJpeg } from '#tests/files.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { runRecover } from '#tests/recovered.ts'
import { openRecovery } from './open-recovery.ts'

const { server } = platformForFile()
const finance = staffForFile(server, ['finance'])
const officer = staffForFile(server, ['compliance'])
const other = staffForFile(server, ['compliance'])

test('a last balance and a change of email that staff entered do not wait for the client after a loss', async () => {
  const stopped = await makeClient(server)
  const account = await makeFundedAccount(server, stopped, 100_000n)
  await run(server.dependencies.pool)`update clients set state = 'suspended' where id = ${stopped.id}`
  const proof = { filename: 'statement.jpg', content: (await makeJpeg(80)).toString('base64') }
  const body = {
    accountId: account.id,
    amount: '1000.00',
    holder: 'Hannah Brandt',
    ...madeBank,
    proof,
    reason: 'The end.',
  }
  const headers = { 'Idempotency-Key': randomUUID() }
  const balance = await call(server, payLastBalance, { as: finance, params: { id: stopped.id }, body, headers })
  const moved = await makeClient(server)
  const email = { email: `${randomUUID()}@example.com`, reason: 'Confirmed on a call to the known number.' }
  const change = await call(server, requestEmailChange, { as: officer, params: { id: moved.id }, body: email })

  const now = server.clock.now()
  await transaction(server.dependencies.jobs, (tx) => openRecovery(tx, { sign: 'lost-event', since: now, now }))
  const { confirmations, accountsOpened } = await runRecover(server)
  expect({ confirmations, accountsOpened }).toEqual({ confirmations: 0, accountsOpened: true })

  const decided = { version: 1, ...allAcknowledged }
  const paid = await call(server, approveLastBalance, { as: officer, params: { id: balance.answer.id }, body: decided })
  expect(paid.status, paid.bytes.toString()).toBe(200)
  const approval = { as: other, params: { id: change.answer.id }, body: { version: 1 } }
  const changed = await call(server, approveProfileChange, approval)
  expect(changed.status, changed.bytes.toString()).toBe(200)
})
