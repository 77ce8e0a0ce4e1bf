/** Retention and deletion (requirements 18.20, 34.1, 34.2, 34.8, 34.12; ASVS 14.2.7). */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { searchAudit, evidenceBundle } from '#contract/office/records.ts'
import { requestCorrection, approveCorrection, explainDifference } from '#contract/office/accounting.ts'
import * as clientActions from '#contract/office/client-decisions.ts'
import { requestSourceOfWealth } from '#contract/office/documents.ts'
import * as clients from '#contract/office/clients.ts'
import * as clientTabs from '#contract/office/client-tabs.ts'
import { getOfficeDeposit } from '#contract/office/deposits.ts'
import { getProfessional, listProfessional } from '#contract/office/professional.ts'
import { saveSetting } from '#contract/office/settings.ts'
import { login } from '#contract/users-session.ts'
import * as retention from '#contract/office/retention.ts'
import { getOfficeWithdrawal, listOfficeWithdrawals } from '#contract/office/withdrawals.ts'
import { profileFields } from '#rules/profile-fields.ts'
import { defaultRetentionTimes } from '#rules/retention.ts'
import { readConfig } from '#server/config/config.ts'
import { verifyChain } from '#server/db/audit-chain.ts'
import { recordEvent } from '#server/db/events.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { raiseDifference } from '#server/ledger/differences.ts'
import { sendMail } from '#server/mail/send-mail.ts'
import { operate } from '#server/operator/commands.ts'
import { makeJpeg, uploadTo } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, settleOperations } from '#tests/funded-account.ts'
import {
  call,
  goodPassword,
  makeAccount,
  makeClient,
  makeStaff,
  type MadeClient,
  type MadeStaff,
} from '#tests/factories.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { tablesContaining } from '#tests/tables-with.ts'
import { newEmail, registerUnconfirmed } from '#tests/registering.ts'
import { insertBankLine, recordMakers } from '#tests/records.ts'
import { chainAllEvents } from '#tests/chain-all-events.ts'
import { purgeExpired } from './purge-expired.ts'

const place = platformForFile({ now: new Date() })
const { server } = place
let officer: MadeStaff
let second: MadeStaff
beforeEach(async () => {
  await freshStaff()
  // Retries operations left pending by another test that advanced the clock, as workers do.
  await settleOperations(server)
})

/** Signs staff in again, because advancing the clock by years ends their sessions. */
async function freshStaff(): Promise<void> {
  officer = await makeStaff(server, ['compliance'], { name: 'Ines Albrecht' })
  second = await makeStaff(server, ['administrator'], { name: 'Tom Reyes' })
}

const daySeconds = 24 * 3600
const clock = { kind: 'clock' } as const
const runPurge = async (dry = false) => {
  const auditContext = { identity: clock, now: server.clock.now() }
  return (await purgeExpired(server.dependencies, defaultRetentionTimes, auditContext, dry)).counts
}
const pageOf = async (client: { id: string }, as = officer) =>
  (await call(server, clients.getOfficeClient, { as, params: { id: client.id } })).answer.client
const requestErasureOf = (client: { id: string }, as = officer) =>
  call(server, retention.requestErasure, {
    as,
    params: { id: client.id },
    body: { askedFor: 'client', reason: 'wrote to us on Monday' },
  })
const approve = async (client: { id: string }, as: MadeStaff, version = 1) =>
  call(server, retention.approveErasure, { as, params: { id: client.id }, body: { version, note: '' } })
const close = async (client: { id: string }) => {
  const { version } = await pageOf(client)
  const body = { version, reason: 'as agreed' }
  expect((await call(server, clientActions.closeClient, { as: officer, params: { id: client.id }, body })).status).toBe(
    200,
  )
}

/** Text that only this person has: a search for it finds all of their data. */
const canary = `Qyzzvx${randomUUID().slice(0, 8)}`
/** The same text as digits, for numeric columns. */
const number = `9${Array.from(canary, (letter) => letter.charCodeAt(0) % 10)
  .join('')
  .slice(0, 12)}`

/** Returns every table that still contains the person's text. */
const tablesWithCanary = () => tablesContaining(server, canary, number)

/** Makes a client with data in every table that can have some. */
async function makeClientWithData(): Promise<{
  client: MadeClient
  withdrawal: string
  deposit: string
  file: string
}> {
  const { pool } = server.dependencies
  const email = `${canary.toLowerCase()}@example.com`
  const client = await makeClient(server, { email, name: canary, surname: `${canary}son` })
  const { id } = client
  const account = await makeFundedAccount(server, client, 5_000n)
  const other = await makeAccount(server, client)
  const now = server.clock.now()
  await run(
    pool,
    sql`update clients set mobile_phone = ${`+${number}`}, address_no = ${canary}, city = ${canary},
    social_id = ${number}, employment = ${JSON.stringify({ employer: canary })}::jsonb where id = ${id}`,
  )
  await run(
    pool,
    sql`update trading_accounts set nickname = ${canary}, reason = ${canary}, opening_data = ${Buffer.from(canary)}
      where id = ${other.id}`,
  )
  await run(pool, sql`update sessions set device = ${canary} where client_id = ${id}`)
  const bankId = await makeApprovedBank(server, client)
  await run(pool, sql`update bank_details set bank_name = ${canary}, iban = ${number} where id = ${bankId}`)
  const label = (await uploadTo(server, client, await makeJpeg(), `${canary}.jpg`)).json.filename
  const file = await row<{ id: string }>(
    pool,
    sql`update files set used_at = ${now} where label = ${label} returning id`,
  )
  await run(pool, sql`insert into file_metadata (file_id, software) values (${file?.id ?? null}, ${canary})`)
  await run(
    pool,
    sql`insert into documents (client_id, kind, state, country, document_number, expiry_date, front_file, mrz, reason, created_at)
    values (${id}, 'passport', 'approved', 'DE', ${number}, '2031-01-01', ${file?.id ?? null}, ${[canary]}::text[], ${canary}, ${now})`,
  )
  const ground = { server, client, account: other, other: account, bankId, colleague: officer }
  const withdrawal = (await recordMakers['withdrawal']?.(ground, 'paid', officer, '')) ?? ''
  await run(
    server.dependencies.pool,
    sql`with batch as (insert into payout_batches (currency, state, count, total_minor, created_at, sent_at)
          values ('EUR', 'sent', 1, 100, ${server.clock.now()}, ${server.clock.now()}) returning id)
        insert into payout_batch_payments (batch_id, withdrawal_id) select id, ${withdrawal}::uuid from batch`,
  )
  await run(
    pool,
    sql`update withdrawals set comment = ${canary}, approval_note = ${canary},
    bank = bank || ${JSON.stringify({ holder: canary, iban: number })}::jsonb where id = ${withdrawal}`,
  )
  await addPayoutLines(withdrawal)
  const line = await insertBankLine(ground, 'matched')
  await run(pool, sql`update bank_lines set payer = ${canary}, remittance = ${canary} where id = ${line}`)
  const entered = { kind: 'bank_line', action: 'type', record: line, to: 'matched', details: { payer: canary } }
  await transaction(pool, (tx) => recordEvent(tx, { identity: clock, now }, entered))
  const deposit = (await recordMakers['deposit']?.(ground, 'approved', officer, '')) ?? ''
  await run(
    pool,
    sql`update deposits set comment = ${canary}, bank_line = ${line}, payment_url = ${canary} where id = ${deposit}`,
  )
  const transfer = (await recordMakers['transfer']?.(ground, 'approved', officer, '')) ?? ''
  await run(pool, sql`update transfers set comment = ${canary} where id = ${transfer}`)
  await run(
    pool,
    sql`insert into profile_changes (client_id, field, from_value, to_value, state, asked_by, asked_reason, requested_at)
    values (${id}, 'email', 'Hannah', ${canary}, 'approved', ${officer.id}, ${canary}, ${now})`,
  )
  await run(
    pool,
    sql`with asked as (insert into enquiries (reference, client_id, language, topic, complaint, state, asked_at, due_at, changed_at)
          values ('CR-00000099', ${id}, 'en', 'other', false, 'closed', ${now}, ${now}, ${now}) returning id)
        insert into enquiry_messages (enquiry_id, client_id, text, written_at) select id, ${id}, ${canary}, ${now} from asked`,
  )
  const answers = { question01: 'No', question03: 'Yes', question04: 'Yes', question05: canary, question08: canary }
  await run(
    pool,
    sql`insert into professional_applications (client_id, answers, state, reason, submitted_at)
    values (${id}, ${JSON.stringify(answers)}::jsonb, 'rejected', ${canary}, ${now})`,
  )
  await run(
    pool,
    sql`insert into notices (client_id, kind, facts, at) values (${id}, 'x', ${JSON.stringify({ canary })}::jsonb, ${now})`,
  )
  await run(
    pool,
    sql`insert into consents (client_id, text_key, version, at, address) values (${id}, 'terms', 1, ${now}, ${canary})`,
  )
  await run(
    pool,
    sql`insert into registrations (email, decoy, answers, password_hash, client_id, created_at)
    values (${email}, false, '{}', 'x', ${id}, ${now})`,
  )
  await transaction(pool, (tx) =>
    sendMail(tx, now, { kind: 'password-changed', to: email, language: 'en', facts: { canary }, clientId: id }),
  )
  await settleOperations(server)
  await writeStaffTexts(client)
  await payOutBalance(account.id)
  return { client, withdrawal, deposit, file: file?.id ?? '' }
}

async function writeStaffTexts({ id }: MadeClient): Promise<void> {
  const params = { id }
  await call(server, clientActions.writeNote, { as: officer, params, body: { text: canary } })
  await call(server, clientActions.setFlag, { as: officer, params, body: { flag: 'watch', set: true, note: 'seen' } })
  await run(server.dependencies.pool, sql`update client_flags set note = ${canary} where client_id = ${id}`)
  const { version } = await pageOf({ id })
  const body = { field: 'postcode', value: canary.slice(0, 9), reason: 'a typing error', version }
  expect((await call(server, clientActions.correctField, { as: officer, params, body })).status).toBe(200)
}

/** A balance must be paid out before a client is closed: here two people in finance do so by a correction. */
async function payOutBalance(accountId: string): Promise<void> {
  const [one, other] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const body = { accountId, amount: '-50', currency: 'EUR' as const, reason: 'paid in cash' }
  const { id } = (await call(server, requestCorrection, { as: one, body })).answer
  await call(server, approveCorrection, { as: other, params: { id }, body: { version: 1, note: '' } })
  await settleOperations(server)
  const { pool } = server.dependencies
  await run(pool, sql`update corrections set reason = ${canary}, decision_reason = ${canary} where id = ${id}`)
}

/** The bank's transactions of a payout, with the client's name and account: its return, and its debit with charges. */
async function addPayoutLines(withdrawal: string): Promise<void> {
  const { pool } = server.dependencies
  const now = server.clock.now()
  const lines = await rows<{ id: string; state: string }>(
    pool,
    sql`insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, payer_account, remittance, booked_on,
            state, withdrawal_id, created_at)
          select 'DE91100000000123456789', ${randomUUID()}::text || t.state, t.minor, 'EUR', ${canary}, ${number},
            ${canary}::text || t.words, '2026-06-19', t.state, t.withdrawal, ${now}
          from withdrawals w, lateral (values (-110, 'matched', ' ' || lower(w.reference), null::uuid),
            (90, 'came_back', '', w.id)) as t (minor, state, words, withdrawal) where w.id = ${withdrawal}
          returning id, state`,
  )
  const record = lines.find(({ state }) => state === 'matched')?.id ?? ''
  const facts = { account: 'DE91', amount: '-1.10', payer: canary, remittance: canary, bankId: 'OUT-1' }
  const found = { kind: 'bank-line-differs', fingerprint: randomUUID(), subject: 'bank_line', record } as const
  const sides = { oursMinor: -100n, theirsMinor: -110n, currency: 'EUR', facts } as const
  await transaction(pool, (tx) => raiseDifference(tx, { identity: clock, now }, { ...found, ...sides }))
  const difference = await row<{ id: string }>(pool, sql`select id from differences where record = ${record}`)
  const explained = await call(server, explainDifference, {
    as: await makeStaff(server, ['finance']),
    params: { id: difference?.id ?? '' },
    body: { version: 1, reason: 'charges of the bank' },
  })
  expect(explained.status).toBe(200)
}

describe('the erasure of a closed client', () => {
  test('deletes the legal record only after its retention period; ledger, audit chain and pages remain valid', async () => {
    const { client, withdrawal, deposit, file } = await makeClientWithData()
    await close(client)
    await settleOperations(server)
    expect((await requestErasureOf(client)).status).toBe(201)
    expect((await requestErasureOf(client)).failure.code).toBe('erasure-waits')
    expect((await approve(client, officer)).failure.code).toBe('own-act')
    expect((await approve(client, second)).answer.state).toBe('approved')

    const kept = await pageOf(client)
    expect(kept.erasedAt).toBeNull()
    expect(kept.client.name).toContain(canary)
    expect(kept.erasure).toMatchObject({ state: 'approved', askedFor: 'client', erased: { sessions: 1 } })
    expect(kept.erasure?.keptUntil?.getUTCFullYear()).toBe(server.clock.now().getUTCFullYear() + 5)
    const stillThere = await tablesWithCanary()
    expect(stillThere).toEqual(expect.arrayContaining(['clients', 'documents', 'files', 'event_details', 'operations']))
    expect(stillThere).not.toEqual(expect.arrayContaining(['sessions']))
    expect(stillThere).not.toEqual(expect.arrayContaining(['notices']))
    expect((await runPurge())['clients']).toBeUndefined()

    server.clock.turn(5 * 366 * daySeconds)
    await freshStaff()
    await settleOperations(server)
    expect(await runPurge()).toMatchObject({ clients: 1 })
    expect(await tablesWithCanary()).toEqual([])
    expect(await server.dependencies.files.get(file)).toBeNull()
    await chainAllEvents(server)
    expect(await verifyChain(server.dependencies.pool)).toMatchObject({ whole: true })
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
    expect((await runPurge())['clients']).toBeUndefined()
    await everyPageOpens(client, withdrawal, deposit)
  })

  test('cannot be approved while a request is open', async () => {
    const client = await makeClient(server, { state: 'closed' })
    expect((await requestErasureOf(client)).status).toBe(201)
    const account = await makeAccount(server, client)
    const ground = { server, client, account, other: account, bankId: '', colleague: officer }
    await recordMakers['deposit']?.(ground, 'pending', officer, '')
    expect((await approve(client, second)).failure.code).toBe('requests-open')
    const body = { version: 1, reason: 'A payment came.' }
    await call(server, retention.rejectErasure, { as: second, params: { id: client.id }, body })
    await run(server.dependencies.pool, sql`update clients set state = 'approved' where id = ${client.id}`)
  })

  /** Expects every page to open, with the erasure and without personal data. */
  async function everyPageOpens({ id }: MadeClient, withdrawal: string, deposit: string): Promise<void> {
    const page = await pageOf({ id })
    expect(page.client.name).toBe(`– ${page.client.number}`)
    expect(page.erasedAt).not.toBeNull()
    const erased = { documents: 1, files: 1, bankDetails: 1, notes: 1, applications: 1 }
    expect(page.erasure).toMatchObject({ state: 'done', erased })
    expect(clients.isActionAllowed(page, 'correctField')).toBe(false)
    const tabs = [
      clientTabs.getClientMoney,
      clientTabs.getClientBank,
      clientTabs.getClientLogins,
      clientTabs.getClientMails,
      clientTabs.getClientEvents,
    ]
    for (const tab of tabs) expect((await call(server, tab, { as: second, params: { id } })).status).toBe(200)
    expect((await call(server, getOfficeWithdrawal, { as: second, params: { id: withdrawal } })).status).toBe(200)
    expect((await call(server, getOfficeDeposit, { as: second, params: { id: deposit } })).status).toBe(200)
    expect(
      (await call(server, listOfficeWithdrawals, { as: second, query: { state: 'paid' } })).answer.rows.length,
    ).toBeGreaterThan(0)
    const listed = await call(server, listProfessional, { as: second, query: { state: 'rejected' } })
    const application = listed.answer.rows.find((one) => one.client.id === id)?.id ?? ''
    const answered = await call(server, getProfessional, { as: second, params: { id: application } })
    expect(answered.answer.application).toMatchObject({ answers: {}, reason: null })
    const found = await call(server, clients.searchClients, { as: second, query: { q: page.client.number } })
    expect(found.status).toBe(200)
    const log = (await call(server, searchAudit, { as: second, query: { client: id } })).answer
    expect(log.rows.map(({ verb }) => verb)).toEqual(expect.arrayContaining(['erase', 'eraseUnneeded', 'close']))
    const bundle = await call(server, evidenceBundle, {
      as: second,
      params: { id },
      body: { reason: 'asked by court' },
    })
    expect(bundle.status).toBe(200)
  }

  test('is carried out immediately if no data must be retained, such as for an unfinished registration', async () => {
    const client = await makeClient(server, { state: 'registering' })
    await requestErasureOf(client)
    expect((await approve(client, second)).answer.state).toBe('done')
    expect((await pageOf(client)).erasedAt).not.toBeNull()
    expect((await requestErasureOf(client)).failure.code).toBe('erased-already')
  })

  test('leaves a client for whom staff can record and send nothing more', async () => {
    const client = await makeClient(server, { state: 'registering' })
    await requestErasureOf(client)
    await approve(client, second)
    const { id } = client
    const { version } = await pageOf(client)
    const reason = 'called'
    const tried = [
      call(server, clientActions.signOutClient, { as: second, params: { id }, body: { reason } }),
      call(server, clientActions.sendResetLink, { as: second, params: { id } }),
      call(server, clientActions.checkSecurityAnswer, { as: second, params: { id }, body: { answer: 'Rex' } }),
      call(server, clientActions.correctField, {
        as: second,
        params: { id },
        body: { field: 'name', value: 'Hannah', reason, version },
      }),
      call(server, clientActions.writeNote, { as: second, params: { id }, body: { text: 'is called Hannah' } }),
      call(server, clientActions.setFlag, {
        as: second,
        params: { id },
        body: { flag: 'pep', set: true, note: reason },
      }),
      call(server, requestSourceOfWealth, { as: second, params: { id }, body: { reason } }),
    ]
    expect((await Promise.all(tried)).map(({ failure }) => failure.code)).toEqual(tried.map(() => 'erased-already'))
    expect((await pageOf(client)).deeds.filter(({ refusal }) => refusal === null)).toEqual([])
  })

  test('can be rejected, or cancelled by the person who requested it, and requested again', async () => {
    const client = await makeClient(server, { state: 'rejected' })
    const params = { id: client.id }
    await requestErasureOf(client)
    const cancel = (as: MadeStaff) =>
      call(server, retention.cancelErasure, { as, params, body: { version: 1, note: '' } })
    expect((await cancel(second)).failure.code).toBe('not-your-act')
    expect((await cancel(officer)).answer.state).toBe('cancelled')
    await requestErasureOf(client)
    const reject = await call(server, retention.rejectErasure, {
      as: second,
      params,
      body: { version: 1, reason: 'a court wants it kept' },
    })
    expect(reject.answer.state).toBe('rejected')
    expect((await requestErasureOf(client)).status).toBe(201)
    expect((await pageOf(client)).waiting.map(({ kind }) => kind)).toEqual(['erasure'])
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('cannot be requested for a current client, for oneself, or without permission', async () => {
    const client = await makeClient(server)
    expect((await requestErasureOf(client)).failure.code).toBe('client-lives')
    const self = await makeClient(server, { email: officer.email, state: 'rejected' })
    expect((await requestErasureOf(self)).failure.code).toBe('own-request')
    const auditor = await makeStaff(server, ['auditor'])
    expect((await requestErasureOf(client, auditor)).failure.code).toBe('wrong-role')
    expect((await requestErasureOf({ id: randomUUID() })).failure.code).toBe('not-found')
  })
})

describe('after the retention period', () => {
  const some = expect.any(Number) as number

  test('a closed client is erased without a request, but kept while the firm owes them money', async () => {
    const [paid, owed] = [await makeClient(server), await makeClient(server)]
    for (const client of [paid, owed]) await close(client)
    await settleOperations(server)
    await makeFundedAccount(server, owed, 100n)
    server.clock.turn(6 * 366 * daySeconds)
    await freshStaff()
    await settleOperations(server)
    await runPurge()
    expect((await pageOf(paid)).erasure).toMatchObject({ state: 'done', askedFor: 'law', askedBy: null })
    expect((await pageOf(owed)).erasedAt).toBeNull()
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('each class of data is deleted after its period and not before, files together with their record', async () => {
    const { pool } = server.dependencies
    const client = await makeClient(server)
    const label = (await uploadTo(server, client, await makeJpeg(), 'unused.jpg')).json.filename
    const file = await row<{ id: string }>(pool, sql`select id from files where label = ${label}`)
    await registerUnconfirmed(server, newEmail())
    const now = server.clock.now()
    await run(pool, sql`insert into notices (client_id, kind, facts, at) values (${client.id}, 'x', '{}', ${now})`)
    const letter = { kind: 'password-changed', to: 'staff@example.com', language: 'en', facts: {} } as const
    await transaction(pool, (tx) => sendMail(tx, now, letter))
    await run(
      pool,
      sql`update operations set state = 'done', settled_at = ${now}, next_try_at = null where client_id is null and kind = 'mail'`,
    )
    const unfinished = await makeClient(server, { state: 'registering' })
    await runPurge()
    server.clock.turn(29 * daySeconds)
    expect((await runPurge(true))['files']).toBeUndefined()
    server.clock.turn(2 * daySeconds)
    const dry = await runPurge(true)
    expect(dry).toMatchObject({ files: 1, registrations: 1 })
    expect(await server.dependencies.files.get(file?.id ?? '')).not.toBeNull()
    expect(await runPurge()).toEqual(dry)
    expect(await server.dependencies.files.get(file?.id ?? '')).toBeNull()
    server.clock.turn(70 * daySeconds)
    expect(await runPurge()).toMatchObject({
      sessions: expect.any(Number) as number,
      letters: expect.any(Number) as number,
    })
    server.clock.turn(300 * daySeconds)
    await freshStaff()
    await runPurge()
    expect((await pageOf(unfinished)).erasedAt).not.toBeNull()
    server.clock.turn(800 * daySeconds)
    expect(await runPurge()).toMatchObject({ notices: 1 })
  })

  test('an unfinished registration is deleted 365 days after its last sign-in, although sessions are deleted sooner', async () => {
    const { pool } = server.dependencies
    const client = await makeClient(server, { state: 'registering' })
    const body = { email: client.email, password: goodPassword }
    const isErased = async () => {
      await freshStaff()
      await runPurge()
      return (await pageOf(client)).erasedAt !== null
    }
    server.clock.turn(300 * daySeconds)
    expect((await call(server, login, { body })).status).toBe(200)
    server.clock.turn(100 * daySeconds)
    // A wrong password is no sign-in.
    expect((await call(server, login, { body: { ...body, password: 'not-the-password' } })).status).toBe(401)
    expect(await isErased()).toBe(false)
    expect(await rows(pool, sql`select from sessions where client_id = ${client.id}`)).toEqual([])
    server.clock.turn(264 * daySeconds)
    expect(await isErased()).toBe(false)
    server.clock.turn(2 * daySeconds)
    expect(await isErased()).toBe(true)
  })

  test('a sign-in during the deletion run keeps an unfinished registration', async () => {
    const { pool } = server.dependencies
    const client = await makeClient(server, { state: 'registering' })
    server.clock.turn(366 * daySeconds)
    await freshStaff()
    const now = server.clock.now()
    const running = await transaction(pool, async (tx) => {
      await run(tx, sql`select 1 from clients where id = ${client.id} for no key update`)
      const purge = runPurge()
      await waitForBlockedConnections(pool)
      const signIn = { kind: 'client', action: 'logIn', record: client.id, clientId: client.id } as const
      await recordEvent(tx, { identity: { kind: 'client', id: client.id }, now }, signIn)
      return { purge }
    })
    await running.purge
    expect((await pageOf(client)).erasedAt).toBeNull()
  })

  test('a deletion run is shown in the back office and in the audit log, with counts', async () => {
    await makeClient(server, { state: 'registering' })
    server.clock.turn(366 * daySeconds)
    await freshStaff()
    await runPurge()
    const { runs } = (await call(server, retention.listRetentionRuns, { as: second })).answer
    expect(runs[0]).toMatchObject({
      at: new Date(Math.floor(server.clock.now().getTime() / 1000) * 1000),
      counts: { clients: some },
    })
    const log = (await call(server, searchAudit, { as: second, query: { kind: 'retention' } })).answer
    expect(log.rows[0]).toMatchObject({ verb: 'run', after: { clients: some } })
  })

  test('a dry run of the operator’s command lists what would be deleted and deletes nothing', async () => {
    const client = await makeClient(server, { state: 'registering' })
    server.clock.turn(366 * daySeconds)
    await freshStaff()
    const lines: string[] = []
    const command = ['retention', '--dry-run']
    expect(await operate(readConfig(server.env), command, (line) => lines.push(line), server.clock.now)).toBe(true)
    expect(lines.at(-1)).toMatch(/^Would be deleted: .*clients: \d+/)
    expect(lines).toContain('closedClientYears: 5')
    expect((await pageOf(client)).erasedAt).toBeNull()
  })
})

test('the periods are a setting with limits, which requires dual approval', async () => {
  await makeStaff(server, ['administrator'])
  const save = (changes: object) =>
    call(server, saveSetting, {
      as: second,
      params: { section: 'retention' },
      body: { value: { ...defaultRetentionTimes, ...changes }, version: 0, reason: 'a longer law' },
    })
  expect((await save({ closedClientYears: 3 })).failure.code).toBe('setting-invalid')
  expect((await save({ sessionDays: 0 })).failure.code).toBe('setting-invalid')
  expect((await save({ closedClientYears: 7 })).answer).toMatchObject({ saved: false })
})

/** Columns of the profile with a defined value for erased data. */
const emptiedColumns = Object.values(profileFields).flatMap((field) => ('absent' in field ? [field.column] : []))

/** The text columns considered for erasure: consider a new one in erase-client.ts, then list it here. */
const consideredColumns: Readonly<Record<string, string>> = {
  bank_details:
    'account_number bank_address bank_country bank_name currency holder_name iban reason sort_code state swift',
  check_overrides: 'check_name digest kind reason',
  clients: [
    ...emptiedColumns,
    ...'client_status country email employment factor_secret language name password_hash reason'.split(' '),
    ...'security_answer_hash security_question social_id state surname trading_experience wanted_account'.split(' '),
  ]
    .sort()
    .join(' '),
  consents: 'address text_key',
  deposits:
    'comment currency gateway language method payment_id payment_url provider provider_id provider_mac provider_ref reference request_body request_key state type wire_account',
  documents: 'country document_number expiry_date kind mrz reason reasons state',
  events: 'actor address details_digest from_state kind reason reference to_state verb',
  enquiries: 'about_kind about_reference email language name outcome reference state topic',
  enquiry_messages: 'text',
  leverage_requests: 'reason state',
  operations: 'kind last_error payload ref result shown state subject target',
  payment_holds: 'lifted_reason reason',
  professional_applications: 'accounts answers reason state',
  recovery_confirmations: 'kind',
  recovery_items:
    'action comment currency kind leg login payment_id platform proposal reason reference state subject ticket',
  profile_changes: 'asked_reason field from_value reason state to_value',
  trading_accounts:
    'acc_type client_status currency first_password group_name login nickname opening_data platform reason reference request_type state',
  transfers: 'arrives_currency comment currency figures rate reference state',
  withdrawals: 'approval_note bank comment currency figures method reference state type',
  work_items: 'kind state summary',
}
/** Tables whose rows are deleted completely. */
const deletedTables = [
  'client_flags',
  'files',
  'link_digests',
  'notices',
  'one_time_links',
  'recovery_codes',
  'registrations',
  'sessions',
  'staff_notes',
]

test('every column that can contain data about a client is known to the erasure', async () => {
  const found = await rows<{ table: string; columns: string }>(
    server.dependencies.pool,
    sql`select c.table_name as "table", string_agg(c.column_name, ' ' order by c.column_name) as columns
        from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> all (${deletedTables}::text[])
          and c.data_type in ('text', 'jsonb', 'json', 'bytea', 'date', 'ARRAY', 'USER-DEFINED')
          and (c.table_name = 'clients' or exists (select from information_schema.columns o
            where o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'client_id'))
        group by 1`,
  )
  expect(Object.fromEntries(found.map(({ table, columns }) => [table, columns]))).toEqual(consideredColumns)
})
