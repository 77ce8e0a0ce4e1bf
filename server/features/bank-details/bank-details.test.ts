import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addBankDetails, getBankDetails, updateBankDetails } from '#contract/bank-details.ts'
import {
  approveBankDetails,
  enterHolder,
  getOfficeBankDetails,
  rejectBankDetails,
} from '#contract/office/bank-details.ts'
import { getDecisionChecks, overrideCheck } from '#contract/office/checks.ts'
import { viewItem } from '#contract/office/inbox.ts'
import { run, sql } from '#server/db/sql.ts'
import { madeBank } from '../../../tests/bank-details.ts'
import { call, makeClient, makeStaff, type MadeClient } from '../../../tests/factories.ts'
import { allAcknowledged } from '../../../tests/acknowledged.ts'
import { serverForFile, staffForFile } from '../../../tests/for-file.ts'
import { makeApprovedBank } from '../../../tests/funded-account.ts'
import { mailsTo } from '../../../tests/mails.ts'

const server = serverForFile()
const operations = staffForFile(server, ['operations'])

/** Stores a file of the client as an upload would and returns its label. */
async function statementOf(client: { id: string }): Promise<string> {
  const label = `${client.id}_1781862240_statement-${randomUUID().slice(0, 8)}.pdf`
  await run(
    server.dependencies.pool,
    sql`insert into files (client_id, label, media_type, size, sha256, kid, pages, state, created_at)
        values (${client.id}, ${label}, 'application/pdf', 10, '\\x00', ${server.dependencies.keys.file.current.kid}, 1, 'clean', ${server.clock.now()})`,
  )
  return label
}

const german = { ...madeBank, bankAccountCurrency: 'EUR', bankIBAN: 'DE02 1203 0000 0000 2020 51' }
const british = {
  ...german,
  bankCountry: 'GB',
  bankAccountCurrency: 'GBP',
  bankIBAN: '',
  bankSwift: '',
  bankAccountNumber: '31926819',
  bankSortCode: '60-16-13',
}

async function addDetails(client: MadeClient, changes: object = {}, statement?: string) {
  const bankPOA = statement ?? (await statementOf(client))
  return call(server, addBankDetails, {
    as: client,
    body: { bankData: { userId: client.id, ...german, bankPOA, ...changes } },
  })
}

describe('a new bank account', () => {
  test('is stored with its IBAN without spaces and is pending', async () => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    expect(bankDetails).toMatchObject({ bankIBAN: madeBank.bankIBAN, status: 'pending' })
    const list = await call(server, getBankDetails, { as: client, params: { a: 'EUR', b: 'pending' } })
    expect(list.answer.bankDetails.map((one) => one._id)).toEqual([bankDetails._id])
  })

  test('is confirmed to the client by email, as is a change to it', async () => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    const added = { kind: 'bank-details-added', facts: { bank: 'Example Bank AG', account: '2051' } }
    expect(await mailsTo(server, client.email)).toMatchObject([added])
    await call(server, updateBankDetails, {
      as: client,
      body: { bankData: { userId: client.id, ...british, _id: bankDetails._id } },
    })
    expect((await mailsTo(server, client.email))[1]).toMatchObject({
      kind: 'bank-details-changed',
      facts: { account: '6819' },
    })
  })

  test.each([
    ['GG', 'GB33BUKB20201555555555', false, 'ok'],
    ['JE', 'GB33BUKB20201555555555', false, 'ok'],
    ['IM', 'GB33BUKB20201555555555', false, 'ok'],
    ['RE', 'FR1420041010050500013M02606', false, 'ok'],
    ['GP', 'FR1420041010050500013M02606', false, 'ok'],
    ['DE', 'NL91ABNA0417164300', true, 'warn'],
    ['IE', 'GB33BUKB20201555555555', true, 'warn'],
    ['BE', 'FR1420041010050500013M02606', true, 'warn'],
  ])(
    'in %s with the IBAN %s needs the client’s confirmation: %s; verdict shown to staff: %s',
    async (bankCountry, bankIBAN, asks, verdict) => {
      const client = await makeClient(server)
      const first = await addDetails(client, { bankCountry, bankIBAN })
      expect(first.status).toBe(asks ? 400 : 201)
      if (asks)
        expect([first.failure.code, Object.keys(first.failure.errors)]).toEqual(['iban-other-country', ['bankIBAN']])
      const added = asks ? await addDetails(client, { bankCountry, bankIBAN, ibanCountryConfirmed: true }) : first
      expect(added.answer.bankDetails).toMatchObject({ bankIBAN, bankCountry })
      const params = { id: added.answer.bankDetails._id }
      const { checks } = (await call(server, getOfficeBankDetails, { as: operations, params })).answer.bankDetails
      expect(checks.find(({ code }) => code === 'country-of-number')?.verdict).toBe(verdict)
    },
  )

  test('with an invalid IBAN is rejected despite the client’s confirmation', async () => {
    const wrong = { bankCountry: 'DE', bankIBAN: 'NL91ABNA0417164301', ibanCountryConfirmed: true }
    expect((await addDetails(await makeClient(server), wrong)).failure.code).toBe('iban-invalid')
  })

  test('in GB has an account number and a sort code, and is rejected with an IBAN', async () => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client, british)).answer
    expect(bankDetails).toMatchObject({ bankAccountNumber: '31926819', bankSortCode: '601613', bankIBAN: null })
    expect((await addDetails(client, { ...british, bankIBAN: german.bankIBAN })).failure.errors).toHaveProperty(
      'bankIBAN',
    )
  })

  test.each([
    ['bankName', { bankName: ' ' }],
    ['bankIBAN', { bankIBAN: 'DE02120300000000202052' }],
    ['bankIBAN', { bankCountry: 'FR' }],
    ['bankSwift', { bankSwift: 'NOPE' }],
    ['bankCountry', { bankCountry: 'XX' }],
    ['bankPOA', { bankPOA: 'nobody_1_nothing.pdf' }],
    ['bankPOA', { bankPOA: '' }],
    ['bankAccountCurrency', { bankAccountCurrency: 'JPY' }],
    ['status', { status: 'approved' }],
  ])('is rejected with an error on %s for %j', async (field, changes) => {
    const client = await makeClient(server)
    const reply = await addDetails(client, changes)
    expect(reply.status).toBe(400)
    expect(reply.failure.errors).toHaveProperty(field)
  })

  test('is rejected with a bank statement that another client uploaded', async () => {
    const client = await makeClient(server)
    const other = await makeClient(server)
    expect((await addDetails(client, {}, await statementOf(other))).failure.errors).toHaveProperty('bankPOA')
  })

  test('is rate limited to 20 requests an hour, including changes', async () => {
    const client = await makeClient(server)
    const replies = []
    for (let turn = 0; turn < 21; turn += 1) replies.push((await addDetails(client, {}, 'no-such-file.pdf')).status)
    expect([...new Set(replies.slice(0, 20))]).toEqual([400])
    expect(replies[20]).toBe(429)
    const bankData = { userId: client.id, _id: randomUUID(), ...german }
    expect((await call(server, updateBankDetails, { as: client, body: { bankData } })).status).toBe(429)
  })

  test('for another user is forbidden', async () => {
    const client = await makeClient(server)
    const other = await makeClient(server)
    expect((await addDetails(client, { userId: other.id })).status).toBe(403)
  })

  test('is forbidden for a client who is not approved', async () => {
    const client = await makeClient(server, { state: 'pending' })
    expect((await addDetails(client)).status).toBe(403)
  })
})

describe('a change to bank details', () => {
  test('that are pending keeps their statement and date and leaves them pending', async () => {
    const client = await makeClient(server)
    const { bankDetails: before } = (await addDetails(client)).answer
    const reply = await call(server, updateBankDetails, {
      as: client,
      body: { bankData: { _id: before._id, ...german, bankName: 'Other Bank' } },
    })
    expect(reply.answer.bankDetails).toMatchObject({
      bankName: 'Other Bank',
      bankPOA: before.bankPOA,
      timestamp: before.timestamp,
      status: 'pending',
    })
  })

  test('that are approved or belong to another client is rejected', async () => {
    const client = await makeClient(server)
    const other = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    const foreign = await call(server, updateBankDetails, {
      as: other,
      body: { bankData: { _id: bankDetails._id, ...german } },
    })
    expect(foreign.status).toBe(404)
    await approveWithHolder(bankDetails._id)
    const late = await call(server, updateBankDetails, {
      as: client,
      body: { bankData: { _id: bankDetails._id, ...german } },
    })
    expect(late.failure.code).toBe('bank-read-only')
  })
})

/** Approves with the holder's name. Clients of these tests share an account number, which is a warning. */
async function approveWithHolder(id: string, holder = 'Hannah Brandt'): Promise<string> {
  const params = { id }
  const body = { version: 1, holder, ...allAcknowledged }
  return (await call(server, approveBankDetails, { as: operations, params, body })).answer.state
}

const recordOf = async (id: string, as = operations) =>
  (await call(server, getOfficeBankDetails, { as, params: { id } })).answer.bankDetails

describe('the account holder', () => {
  const enter = (id: string, version: number, holder: string, as = operations) =>
    call(server, enterHolder, { as, params: { id }, body: { version, holder } })

  const approve = (id: string, holder: string, answers: object = allAcknowledged, as = operations) =>
    call(server, approveBankDetails, { as, params: { id }, body: { version: 1, holder, ...answers } })
  const judged = async (id: string, holder: string) => {
    const query = { kind: 'bank_details' as const, id, holder }
    const { checks } = (await call(server, getDecisionChecks, { as: operations, query })).answer
    return checks.find(({ name }) => name === 'account-holder')
  }

  test('is entered with the approval, in the same event, and cannot be entered separately before it', async () => {
    const { _id: id } = (await addDetails(await makeClient(server))).answer.bankDetails
    expect((await recordOf(id)).mayEnterHolder).toBe(true)
    const refused = await approve(id, '')
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Account holder'])
    expect((await enter(id, 1, 'Hannah Brandt')).failure.code).toBe('wrong-state')
    expect((await judged(id, 'Hannah Brandt'))?.result).toBe('pass')
    expect((await approve(id, 'Hannah Brandt')).answer.state).toBe('approved')
    const seen = await recordOf(id)
    expect(seen).toMatchObject({ statementHolder: 'Hannah Brandt', mayEnterHolder: false })
    expect(seen.timeline.map(({ verb }) => verb)).toEqual(['approve', 'request'])
    expect((await enter(id, 2, 'Peter Olsen')).failure.code).toBe('holder-entered')
  })

  test('that resembles the client’s name is a warning to acknowledge, and a failed approval stores nothing', async () => {
    const { _id: id } = (await addDetails(await makeClient(server))).answer.bankDetails
    expect((await judged(id, 'H. Brandt'))?.result).toBe('warn')
    expect((await approve(id, 'H. Brandt', {})).failure.code).toBe('checks-changed')
    expect(await recordOf(id)).toMatchObject({ statementHolder: null, state: 'pending', version: 1 })
    expect((await approve(id, 'H. Brandt')).answer.state).toBe('approved')
  })

  test('that differs from the client is overridden by compliance for exactly that name, and approved by someone else', async () => {
    const { _id: id } = (await addDetails(await makeClient(server))).answer.bankDetails
    expect((await approve(id, 'Peter Olsen')).failure.code).toBe('checks-block')
    const both = await makeStaff(server, ['compliance', 'operations'])
    const found = await judged(id, 'Peter Olsen')
    expect(found).toMatchObject({ result: 'block', overrideBy: 'compliance' })
    const overriding = {
      kind: 'bank_details',
      id,
      check: 'account-holder',
      digest: found?.digest,
      reason: 'Stage name.',
    }
    const override = (body: object) => call(server, overrideCheck, { as: both, body: { ...overriding, ...body } })
    expect((await override({})).failure.code).toBe('override-not-allowed')
    expect((await override({ holder: 'Peter Larsen' })).failure.code).toBe('checks-changed')
    expect((await override({ holder: 'Peter Olsen' })).status).toBe(200)
    expect((await approve(id, 'Peter Olsen', allAcknowledged, both)).failure.code).toBe('own-override')
    expect((await approve(id, 'Peter Larsen')).failure.code).toBe('checks-block')
    expect((await approve(id, 'Peter Olsen')).answer.state).toBe('approved')
    expect((await recordOf(id)).statementHolder).toBe('Peter Olsen')
  })

  test('is cleared when the client changes the bank details', async () => {
    const client = await makeClient(server)
    const { _id } = (await addDetails(client)).answer.bankDetails
    await run(server.dependencies.pool, sql`update bank_details set holder_name = 'Hannah Brandt' where id = ${_id}`)
    await call(server, updateBankDetails, { as: client, body: { bankData: { _id, ...german } } })
    expect((await recordOf(_id)).statementHolder).toBeNull()
  })

  test('can be entered once on a record that was approved without it', async () => {
    const client = await makeClient(server)
    const id = await makeApprovedBank(server, client)
    expect((await recordOf(id)).mayEnterHolder).toBe(true)
    expect((await enter(id, 1, 'Hannah Brandt')).status).toBe(200)
    expect((await enter(id, 2, 'Hannah Brandt')).failure.code).toBe('holder-entered')
  })

  test.each(['compliance', 'finance', 'auditor'] as const)('cannot be entered by %s', async (role) => {
    const id = await makeApprovedBank(server, await makeClient(server))
    const as = await makeStaff(server, [role])
    expect((await enter(id, 1, 'Hannah Brandt', as)).failure.code).toBe('wrong-role')
    expect((await recordOf(id, as)).mayEnterHolder).toBe(false)
  })
})

describe('a decision on bank details', () => {
  test('by operations is final: a rejection after the approval fails with 409', async () => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    const params = { id: bankDetails._id }
    expect(await approveWithHolder(bankDetails._id)).toBe('approved')
    expect(
      (await call(server, rejectBankDetails, { as: operations, params, body: { version: 3, reason: 'No.' } })).status,
    ).toBe(409)
  })

  test('to approve is blocked while the statement has not passed the malware scan', async () => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    await run(server.dependencies.pool, sql`update files set state = 'quarantined' where client_id = ${client.id}`)
    const asked = { as: operations, params: { id: bankDetails._id } }
    const seen = (await call(server, getOfficeBankDetails, asked)).answer.bankDetails
    expect(seen.statement?.state).toBe('quarantined')
    expect(seen.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('file-not-scanned')
    expect((await call(server, approveBankDetails, { ...asked, body: { version: 1 } })).failure.code).toBe(
      'file-not-scanned',
    )
  })

  test('to reject shows the client the reason written for the client', async () => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    await call(server, rejectBankDetails, {
      as: operations,
      params: { id: bankDetails._id },
      body: { version: 1, reason: 'Cut off.', clientReason: 'The statement is cut off.' },
    })
    const list = await call(server, getBankDetails, { as: client, params: { a: 'all', b: 'rejected' } })
    expect(list.answer.bankDetails[0]?.reason).toBe('The statement is cut off.')
  })

  test('ends the notice of who else views the record', async () => {
    const { bankDetails } = (await addDetails(await makeClient(server))).answer
    const [params, colleague] = [{ id: bankDetails._id }, await makeStaff(server, ['operations'])]
    const seen = async () => (await call(server, getOfficeBankDetails, { as: operations, params })).answer.bankDetails
    const item = { id: (await seen()).item?.id ?? '' }
    await call(server, viewItem, { as: colleague, params: item, body: { here: true } })
    expect((await seen()).viewers).toMatchObject([{ id: colleague.id }])
    await call(server, rejectBankDetails, { as: colleague, params, body: { version: 1, reason: 'No.' } })
    expect((await seen()).viewers).toEqual([])
  })

  test.each(['compliance', 'finance', 'auditor'] as const)('by %s is forbidden', async (role) => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    const staff = await makeStaff(server, [role])
    expect(
      (await call(server, approveBankDetails, { as: staff, params: { id: bankDetails._id }, body: { version: 1 } }))
        .status,
    ).toBe(403)
  })

  test('is marked as unavailable to an auditor, who sees only masked account numbers', async () => {
    const client = await makeClient(server)
    const { bankDetails } = (await addDetails(client)).answer
    const auditor = await makeStaff(server, ['auditor'])
    const seen = await call(server, getOfficeBankDetails, { as: auditor, params: { id: bankDetails._id } })
    expect(seen.answer.bankDetails.iban).toBe('•••• 2051')
    expect(seen.answer.bankDetails.verbs.every((verb) => verb.refusal?.code === 'wrong-role')).toBe(true)
  })
})
