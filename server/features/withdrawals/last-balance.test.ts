/** The last balance of a suspended, closed or rejected client (requirements 9.11). */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { getTransferTimeline } from '#contract/history.ts'
import { approveBankDetails, getOfficeBankDetails } from '#contract/office/bank-details.ts'
import { holdPayments, liftHold } from '#contract/office/client-decisions.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { approveLastBalance, payLastBalance, rejectLastBalance } from '#contract/office/last-balance.ts'
import { createPayoutBatch, listPayoutBatches } from '#contract/office/payout-batches.ts'
import {
  approveWithdrawal,
  confirmWithdrawal,
  getOfficeWithdrawal,
  rejectWithdrawal,
} from '#contract/office/withdrawals.ts'
import { row, run, rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import { makePassingRequest } from '#tests/check-situations.ts'
import { makeJpeg } from '#tests/files.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, settleOperations } from '#tests/funded-account.ts'
import { madeBank } from '#tests/bank-details.ts'
import { applySetting, call, makeClient, makeStaff, clientTokenFor, type MadeStaff } from '#tests/factories.ts'
import { createBatchOf, createPaidBatch, releaseBatch } from '#tests/payout-batches.ts'

const place = platformForFile()
const finance = staffForFile(place.server, ['finance'])
const officer = staffForFile(place.server, ['compliance'])
let content: string
beforeAll(async () => {
  content = (await makeJpeg(80)).toString('base64')
})

const states = ['suspended', 'closed', 'rejected'] as const
const texts = { reason: 'The proof is of another person.', clientReason: 'We cannot carry out this payout.' }

/** Makes a client in this state with 1,000.00 on an account. */
async function makeStoppedClient(state: string = 'suspended') {
  const client = await makeClient(place.server)
  const account = await makeFundedAccount(place.server, client, 100_000n)
  await run(place.server.dependencies.pool, sql`update clients set state = ${state} where id = ${client.id}`)
  return { client, account }
}

type StoppedClient = Awaited<ReturnType<typeof makeStoppedClient>>

function enterLastBalance(
  { client, account }: StoppedClient,
  changes: object = {},
  as = finance,
  key: string = randomUUID(),
) {
  const body = {
    accountId: account.id,
    amount: '1000.00',
    holder: 'Hannah Brandt',
    ...madeBank,
    proof: { filename: 'statement.jpg', content },
    reason: 'The relationship ends.',
    ...changes,
  }
  return call(place.server, payLastBalance, {
    as,
    params: { id: client.id },
    body,
    headers: { 'Idempotency-Key': key },
  })
}

async function storedWithdrawal(id: string) {
  return row<{ state: string; version: number; bank: string; clientId: string }>(
    place.server.dependencies.pool,
    sql`select w.state, w.version, b.state as bank, w.client_id as "clientId"
        from withdrawals w join bank_details b on b.id = w.bank_id where w.id = ${id}`,
  )
}

function decide(
  endpoint: typeof approveLastBalance | typeof approveWithdrawal | typeof confirmWithdrawal,
  id: string,
  as: MadeStaff,
  version = 1,
) {
  return call(place.server, endpoint, { as, params: { id }, body: { version, ...allAcknowledged } })
}

test.each(states)(
  'the last balance of a %s client is entered by finance, approved by compliance and paid out in a batch',
  async (state) => {
    const made = await makeStoppedClient(state)
    const entered = await enterLastBalance(made)
    expect(entered.status).toBe(201)
    const { id } = entered.answer
    expect(await storedWithdrawal(id)).toMatchObject({ state: 'pending', bank: 'pending' })
    const { withdrawal } = (await call(place.server, getOfficeWithdrawal, { as: officer, params: { id } })).answer
    expect(withdrawal.lastBalance).toMatchObject({ by: { id: finance.id }, proof: { filename: 'statement.jpg' } })
    expect(withdrawal.decisionChecks.find(({ name }) => name === 'client-status')?.result).toBe('pass')
    expect((await decide(approveLastBalance, id, officer)).status).toBe(200)
    expect(await storedWithdrawal(id)).toMatchObject({ state: 'processing', bank: 'approved' })
    await settleOperations(place.server)
    expect((await storedWithdrawal(id))?.state).toBe('approved')
    await createPaidBatch(place.server, [id])
    expect((await storedWithdrawal(id))?.state).toBe('paid')
    expect(await brokenInvariants(place.server.dependencies.pool, place.server.clock.now())).toEqual([])
  },
)

test('the person who entered it releases its batch only if the firm’s setting allows it', async () => {
  const { id } = (await enterLastBalance(await makeStoppedClient())).answer
  expect((await decide(approveLastBalance, id, officer)).status).toBe(200)
  await settleOperations(place.server)
  const operations = await makeStaff(place.server, ['operations'])
  const batch = await createBatchOf(place.server, [id], { creator: operations })
  const query = { state: 'created', direction: 'desc' } as const
  const listed = (await call(place.server, listPayoutBatches, { as: finance, query })).answer.rows
  expect(listed.find((one) => one.id === batch)?.mayRelease).toBe(false)
  const refused = await releaseBatch(place.server, batch, finance)
  expect([refused.status, refused.failure.code]).toEqual([403, 'approved-in-batch'])
  const cutOff = { EUR: '', GBP: '', USD: '' }
  await applySetting(place.server, 'payouts', { recoveryBankingDays: 2, cutOff, byUninvolved: false })
  expect((await releaseBatch(place.server, batch, finance)).status).toBe(200)
})

test('an account that the platform no longer has is refused with the steps that staff can take', async () => {
  const made = await makeStoppedClient()
  await place.platform.turn('accounts/delete', { login: made.account.login })
  const { dependencies, clock } = place.server
  await run(
    dependencies.pool,
    sql`update trading_accounts set missing_since = ${clock.now()} where id = ${made.account.id}`,
  )
  const refused = await enterLastBalance(made)
  expect([refused.status, refused.failure.code]).toEqual([409, 'payout-not-on-platform'])
  expect(refused.failure.error).toContain('Restore it on the platform, then enter the payout again.')
  await place.platform.turn('accounts/restore', { login: made.account.login })
  expect((await enterLastBalance(made)).status).toBe(201)
})

test('it is approved by compliance only, and never by the person who entered it', async () => {
  const both = await makeStaff(place.server, ['finance', 'compliance'])
  const { id } = (await enterLastBalance(await makeStoppedClient(), {}, both)).answer
  for (const role of ['operations', 'finance', 'auditor'] as const) {
    const as = await makeStaff(place.server, [role])
    expect((await decide(approveLastBalance, id, as)).failure.code).toBe('wrong-role')
  }
  expect((await decide(approveLastBalance, id, both)).failure.code).toBe('own-approval')
  const operations = await makeStaff(place.server, ['operations'])
  expect((await decide(approveWithdrawal, id, operations)).failure.code).toBe('wrong-state')
  const rejecting = { as: operations, params: { id }, body: { version: 1, ...texts } }
  expect((await call(place.server, rejectWithdrawal, rejecting)).failure.code).toBe('wrong-state')
  expect(await storedWithdrawal(id)).toMatchObject({ state: 'pending', bank: 'pending' })
})

test('it is entered by finance and administrators only', async () => {
  const made = await makeStoppedClient()
  for (const role of ['operations', 'compliance', 'auditor'] as const)
    expect((await enterLastBalance(made, {}, await makeStaff(place.server, [role]))).failure.code).toBe('wrong-role')
})

test('it is rejected for a client who can request withdrawals, for another client’s account, and without proof', async () => {
  for (const state of ['approved', 'pending'])
    expect((await enterLastBalance(await makeStoppedClient(state))).failure.code).toBe('last-balance-state')
  const made = await makeStoppedClient()
  const other = await makeStoppedClient()
  expect((await enterLastBalance({ ...made, account: other.account })).failure.code).toBe('account-unknown')
  expect((await enterLastBalance(made, { proof: undefined })).status).toBe(400)
  const text = { filename: 'letter.txt', content: Buffer.from('Pay me.').toString('base64') }
  expect((await enterLastBalance(made, { proof: text })).failure.code).toBe('file-kind')
  expect((await enterLastBalance(made, { bankIBAN: 'DE02120300000000202052' })).failure.code).toBe('iban-invalid')
})

test('it cannot exceed the available amount', async () => {
  const made = await makeStoppedClient()
  expect((await enterLastBalance(made, { amount: '1000.01' })).failure.code).toBe('more-than-balance')
  expect((await enterLastBalance(made, { amount: '600' })).status).toBe(201)
  expect((await enterLastBalance(made, { amount: '400.01' })).failure.code).toBe('more-than-available')
  expect((await enterLastBalance(made, { amount: '400' })).status).toBe(201)
})

test('the same idempotency key twice enters it once', async () => {
  const made = await makeStoppedClient()
  const key = randomUUID()
  const first = await enterLastBalance(made, { amount: '100' }, finance, key)
  const again = await enterLastBalance(made, { amount: '100' }, finance, key)
  expect(again.answer).toEqual(first.answer)
  const { pool } = place.server.dependencies
  const count = await rows(pool, sql`select 1 from withdrawals where client_id = ${made.client.id}`)
  expect(count.length).toBe(1)
})

test('its rejection releases the money and rejects the bank account', async () => {
  const made = await makeStoppedClient()
  const { id } = (await enterLastBalance(made)).answer
  const rejecting = { as: officer, params: { id }, body: { version: 1, ...texts } }
  expect((await call(place.server, rejectLastBalance, rejecting)).status).toBe(200)
  expect(await storedWithdrawal(id)).toMatchObject({ state: 'rejected', bank: 'rejected' })
  const { pool } = place.server.dependencies
  const { state } =
    (await row<{ state: string }>(pool, sql`select state from clients where id = ${made.client.id}`)) ?? {}
  // A client whom the firm has reopened can read the reason.
  await run(pool, sql`update clients set state = 'approved' where id = ${made.client.id}`)
  const params = { list: 'withdrawals', id } as const
  const timelineOfClient = await call(place.server, getTransferTimeline, {
    as: await clientTokenFor(place.server, made.client),
    params,
  })
  expect(timelineOfClient.answer.timeline.at(-1)).toMatchObject({
    state: 'rejected',
    text: expect.stringMatching(/^Rejected: ./),
  })
  await run(pool, sql`update clients set state = ${state} where id = ${made.client.id}`)
  expect((await enterLastBalance(made)).status).toBe(201)
  expect(await brokenInvariants(place.server.dependencies.pool, place.server.clock.now())).toEqual([])
})

test('at or above the threshold a second person in finance approves, not the one who entered it', async () => {
  const client = await makeClient(place.server)
  const account = await makeFundedAccount(place.server, client, 100_000_000n)
  await run(place.server.dependencies.pool, sql`update clients set state = 'closed' where id = ${client.id}`)
  const { id } = (await enterLastBalance({ client, account }, { amount: '500000' })).answer
  await decide(approveLastBalance, id, officer)
  expect((await storedWithdrawal(id))?.state).toBe('second_approval')
  expect((await decide(confirmWithdrawal, id, finance, 2)).failure.code).toBe('own-approval')
  const second = await makeStaff(place.server, ['finance'])
  expect((await decide(confirmWithdrawal, id, second, 2)).status).toBe(200)
})

/** Fields that are absent if an approved bank account is chosen. */
const chosenBankFields = {
  holder: undefined,
  bankName: undefined,
  bankAddress: undefined,
  bankCountry: undefined,
  bankIBAN: undefined,
  bankSwift: undefined,
}

async function bankCheck(id: string) {
  const { withdrawal } = (await call(place.server, getOfficeWithdrawal, { as: officer, params: { id } })).answer
  return withdrawal.decisionChecks.find(({ name }) => name === 'new-bank-details')
}

describe('a last balance to an approved bank account of the client', () => {
  test('is entered without bank details and leaves the bank account unchanged', async () => {
    const { pool } = place.server.dependencies
    const made = await makeStoppedClient()
    const bankId = await makeApprovedBank(place.server, made.client)
    const { id } = (await enterLastBalance(made, { ...chosenBankFields, bankId })).answer
    expect(await bankCheck(id)).toMatchObject({ result: 'warn', text: expect.stringContaining('Approved less than') })
    expect((await decide(approveLastBalance, id, officer)).status).toBe(200)
    expect(await storedWithdrawal(id)).toMatchObject({ state: 'processing', bank: 'approved' })
    const banks = await rows(pool, sql`select id, version from bank_details where client_id = ${made.client.id}`)
    expect(banks).toEqual([{ id: bankId, version: 1 }])
    await settleOperations(place.server)
    await createPaidBatch(place.server, [id])
    expect((await storedWithdrawal(id))?.state).toBe('paid')
    expect(await brokenInvariants(pool, place.server.clock.now())).toEqual([])
  })

  test('has a warning if the account holder was never entered, like a withdrawal', async () => {
    const made = await makeStoppedClient()
    const bankId = await makeApprovedBank(place.server, made.client)
    const { id } = (await enterLastBalance(made, { ...chosenBankFields, bankId })).answer
    const silent = await call(place.server, approveLastBalance, { as: officer, params: { id }, body: { version: 1 } })
    expect(silent.failure.code).toBe('checks-changed')
    expect((await decide(approveLastBalance, id, officer)).status).toBe(200)
  })

  test('leaves the bank account approved if the payout is rejected', async () => {
    const made = await makeStoppedClient()
    const bankId = await makeApprovedBank(place.server, made.client)
    const { id } = (await enterLastBalance(made, { ...chosenBankFields, bankId })).answer
    const rejecting = { as: officer, params: { id }, body: { version: 1, ...texts } }
    expect((await call(place.server, rejectLastBalance, rejecting)).status).toBe(200)
    expect(await storedWithdrawal(id)).toMatchObject({ state: 'rejected', bank: 'approved' })
  })

  test('is rejected for a bank account that is not approved or has another currency', async () => {
    const made = await makeStoppedClient()
    const to = async (bankId: string) => {
      const refused = await enterLastBalance(made, { ...chosenBankFields, bankId, amount: '400' })
      return [refused.failure.code, Object.keys(refused.failure.errors)]
    }
    const { id } = (await enterLastBalance(made, { amount: '100' })).answer
    const found = await row<{ id: string }>(
      place.server.dependencies.pool,
      sql`select bank_id as id from withdrawals where id = ${id}`,
    )
    const entered = found?.id ?? ''
    expect(await to(entered)).toEqual(['bank-not-approved', ['bankId']])
    await call(place.server, rejectLastBalance, { as: officer, params: { id }, body: { version: 1, ...texts } })
    expect(await to(entered)).toEqual(['bank-not-approved', ['bankId']])
    expect(await to(await makeApprovedBank(place.server, made.client, 'USD'))).toEqual(['bank-currency', ['bankId']])
  })

  test('is rejected for another client’s bank account, together with new bank details, and without either', async () => {
    const made = await makeStoppedClient()
    const other = await makeApprovedBank(place.server, (await makeStoppedClient()).client)
    expect((await enterLastBalance(made, { ...chosenBankFields, bankId: other })).failure.code).toBe('not-found')
    const own = await makeApprovedBank(place.server, made.client)
    expect((await enterLastBalance(made, { bankId: own })).failure.code).toBe('bank-chosen-and-entered')
    const neither = await enterLastBalance(made, chosenBankFields)
    expect([neither.status, Object.keys(neither.failure.errors).toSorted()]).toEqual([
      400,
      ['bankAddress', 'bankCountry', 'bankName', 'holder'],
    ])
  })
})

test('new bank details cannot be approved by the person who entered them', async () => {
  const both = await makeStaff(place.server, ['finance', 'operations'])
  const { id } = (await enterLastBalance(await makeStoppedClient(), {}, both)).answer
  const found = await row<{ id: string }>(
    place.server.dependencies.pool,
    sql`select bank_id as id from withdrawals where id = ${id}`,
  )
  const params = { id: found?.id ?? '' }
  const body = { version: 1, ...allAcknowledged }
  const seen = (await call(place.server, getOfficeBankDetails, { as: both, params })).answer.bankDetails
  expect(seen.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('own-act')
  expect((await call(place.server, approveBankDetails, { as: both, params, body })).failure.code).toBe('own-act')
  expect(await storedWithdrawal(id)).toMatchObject({ bank: 'pending' })
})

test('bank details that were only entered are shown as new, not as approved', async () => {
  const made = await makeStoppedClient()
  const first = (await enterLastBalance(made, { amount: '100' })).answer.id
  const warned = {
    result: 'warn',
    text: expect.stringContaining('have not been approved yet and have never been used'),
  }
  expect(await bankCheck(first)).toMatchObject(warned)
  await decide(approveLastBalance, first, officer)
  await settleOperations(place.server)
  await createPaidBatch(place.server, [first])
  const again = (await enterLastBalance(made, { amount: '100' })).answer.id
  expect((await bankCheck(again))?.text).toContain('Payouts have been made to this bank account before.')
})

describe('a last balance while payments are on hold', () => {
  async function onHold({ client }: StoppedClient) {
    const as = await makeStaff(place.server, ['compliance'])
    const reason = 'A report is being written.'
    expect((await call(place.server, holdPayments, { as, params: { id: client.id }, body: { reason } })).status).toBe(
      201,
    )
    const { client: shown } = (await call(place.server, getOfficeClient, { as, params: { id: client.id } })).answer
    const body = { hold: shown.hold?.id ?? '', reason: 'The report is filed.' }
    return () => call(place.server, liftHold, { as, params: { id: client.id }, body })
  }

  test('can be entered, and approved only after compliance has lifted the hold', async () => {
    const made = await makeStoppedClient()
    const lift = await onHold(made)
    const entered = await enterLastBalance(made)
    expect(entered.status).toBe(201)
    const { id } = entered.answer
    const refused = await decide(approveLastBalance, id, officer)
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Payments on hold'])
    expect(await storedWithdrawal(id)).toMatchObject({ state: 'pending', bank: 'pending' })
    expect((await lift()).status).toBe(200)
    expect((await decide(approveLastBalance, id, officer)).status).toBe(200)
  })

  test('if already approved is neither debited nor paid out, and can be rejected before its debit', async () => {
    const made = await makeStoppedClient()
    const { id } = (await enterLastBalance(made, { amount: '600' })).answer
    await decide(approveLastBalance, id, officer)
    await settleOperations(place.server)
    const { id: later } = (await enterLastBalance(made, { amount: '300' })).answer
    await decide(approveLastBalance, later, officer)
    await onHold(made)
    await settleOperations(place.server)
    expect([(await storedWithdrawal(id))?.state, (await storedWithdrawal(later))?.state]).toEqual([
      'approved',
      'processing',
    ])
    const batching = { as: finance, body: { currency: 'EUR' as const, withdrawals: [id] } }
    expect((await call(place.server, createPayoutBatch, batching)).failure.code).toBe('all-left-out')
    const rejecting = { as: officer, params: { id: later }, body: { version: 2, ...texts } }
    expect((await call(place.server, rejectLastBalance, rejecting)).status).toBe(200)
    expect(await brokenInvariants(place.server.dependencies.pool, place.server.clock.now())).toEqual([])
  })
})

test.each([
  ['a sanctions flag', 'Screening'],
  ['an open request for source of wealth', 'Requested documents'],
])('the other checks still apply: %s blocks it', async (what, check) => {
  const made = await makeStoppedClient()
  const { id } = (await enterLastBalance(made)).answer
  const now = place.server.clock.now()
  await run(
    place.server.dependencies.pool,
    what === 'a sanctions flag'
      ? sql`insert into client_flags (client_id, flag, note, set_by, set_at)
            values (${made.client.id}, 'sanction', 'x', ${officer.id}, ${now})`
      : sql`update clients set source_of_wealth_asked_at = ${now} where id = ${made.client.id}`,
  )
  const refused = await decide(approveLastBalance, id, officer)
  expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', check])
})

test('the other checks still apply: another account holder blocks it', async () => {
  const made = await makeStoppedClient()
  const { id } = (await enterLastBalance(made, { holder: 'Peter Olsen' })).answer
  const refused = await decide(approveLastBalance, id, officer)
  expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Account holder'])
})

test.each(states)(
  'an earlier withdrawal request of a %s client is blocked and is not treated as a last balance',
  async (state) => {
    const { id, client } = await makePassingRequest(place, 'withdrawal')
    await run(place.server.dependencies.pool, sql`update clients set state = ${state} where id = ${client.id}`)
    const refused = await decide(approveWithdrawal, id, await makeStaff(place.server, ['operations']))
    expect(refused.failure.code).toBe('checks-block')
    expect((await decide(approveLastBalance, id, officer)).failure.code).toBe('wrong-state')
  },
)

test('its work item is for compliance only; withdrawals requested by clients are not', async () => {
  const { id } = (await enterLastBalance(await makeStoppedClient())).answer
  const { id: ordinary } = await makePassingRequest(place, 'withdrawal')
  const mineOf = async (as: MadeStaff) => {
    const { items } = (await call(place.server, listInbox, { as, query: { mine: 'true', kind: 'withdrawal' } })).answer
    return [id, ordinary].map((one) => items.some(({ record }) => record === one))
  }
  expect(await mineOf(officer)).toEqual([true, false])
  expect(await mineOf(await makeStaff(place.server, ['operations']))).toEqual([false, true])
  expect(await mineOf(finance)).toEqual([false, true])
})
