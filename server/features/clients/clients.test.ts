/** Clients in the back office (requirements 1.5, 5.7, 6.17, 27.7, 27.10, 28.12, 28.13). */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { getOfficeClient, isActionAllowed, searchClients } from '#contract/office/clients.ts'
import {
  getClientBank,
  getClientEvents,
  getClientLogins,
  getClientMail,
  getClientMails,
  getClientMoney,
} from '#contract/office/client-tabs.ts'
import {
  approveClient,
  checkSecurityAnswer,
  closeClient,
  correctField,
  inviteClient,
  reactivateClient,
  rejectClient,
  sendResetLink,
  setFlag,
  signOutClient,
  suspendClient,
  writeNote,
} from '#contract/office/client-decisions.ts'
import { requestAnAccount, updateAccount } from '#contract/accounts.ts'
import { requestWirePayment } from '#contract/deposits.ts'
import { getDocuments } from '#contract/documents.ts'
import { requestSourceOfWealth } from '#contract/office/documents.ts'
import { listFailedJobs } from '#contract/office/records.ts'
import { decisionTimesReport } from '#contract/office/reports.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import type { DepositId } from '#rules/ids.ts'
import { money } from '#rules/money.ts'
import { raw, row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { closeWorkItem, openWorkItem } from '#server/db/work-items.ts'
import { operationDriver } from '#server/jobs/operations.ts'
import { mailOperation } from '#server/mail/mail-operation.ts'
import { raiseDifference } from '#server/ledger/differences.ts'
import { sendMail } from '#server/mail/send-mail.ts'
import { Rejected } from '#server/integrations/errors.ts'
import { type EventRow, officeEvent } from '#server/office/timeline.ts'
import { normalizeSecurityAnswer, hashPassword } from '#server/auth/password-hash.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, settleOperations, wireBody } from '#tests/funded-account.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { mailsTo } from '#tests/mails.ts'
import { recordMakers } from '#tests/records.ts'

// Deposits are only possible to accounts on a connected platform.
const place = platformForFile()
const { server } = place
let officer: MadeStaff
let auditor: MadeStaff

beforeAll(async () => {
  officer = await makeStaff(server, ['compliance'], { name: 'Ines Albrecht' })
  auditor = await makeStaff(server, ['auditor'])
})

const wanted = { baseCurrency: 'GBP', platform: 'MT5', accType: 'ECN', leverage: 30 }
const makeApprovableClient = () =>
  makeClient(server, { state: 'pending', identityApproved: true, addressApproved: true, wantedAccount: wanted })
const pageOf = async (client: { id: string }, as: MadeStaff = officer) =>
  (await call(server, getOfficeClient, { as, params: { id: client.id } })).answer.client
const decide = async (endpoint: Endpoint, client: { id: string }, body: object = {}, as: MadeStaff = officer) => {
  const { version } = await pageOf(client)
  // All clients of these tests have the same phone number, which is a warning.
  const answers = endpoint === approveClient ? allAcknowledged : {}
  return call(server, endpoint, { as, params: { id: client.id }, body: { version, ...answers, ...body } })
}
const mailsOf = async (client: { id: string }) =>
  (await call(server, getClientMails, { as: officer, params: { id: client.id } })).answer.rows
const stateOf = async (client: { id: string }) => (await pageOf(client)).state

describe('approving a client', () => {
  test('opens the portal without a new login, requests the account chosen at registration and emails the client', async () => {
    const client = await makeApprovableClient()
    expect((await decide(approveClient, client)).status).toBe(200)
    const page = await pageOf(client)
    expect(page.state).toBe('approved')
    expect(page.accounts).toMatchObject([
      {
        requestType: 'live',
        platform: 'MT5',
        type: 'ECN',
        currency: 'GBP',
        leverage: 30,
        state: 'pending',
        number: null,
      },
    ])
    expect(page.waiting.map(({ kind }) => kind)).toEqual(['account'])
    expect(page.decidedBy?.name).toBe('Ines Albrecht')
    expect(await mailsTo(server, client.email)).toMatchObject([{ kind: 'client-approved', facts: { wanted: true } }])
    expect((await call(server, getDocuments, { as: client, params: { id: client.id } })).status).toBe(200)
  })

  test('requires an approved identity and address and no sanctions flag, and the page shows what is missing', async () => {
    const client = await makeClient(server, { state: 'pending', identityApproved: true })
    expect((await decide(approveClient, client)).failure.code).toBe('address-not-approved')
    expect((await pageOf(client)).verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe(
      'address-not-approved',
    )
    const flagged = await makeApprovableClient()
    const flag = (set: boolean) =>
      call(server, setFlag, {
        as: officer,
        params: { id: flagged.id },
        body: { flag: 'sanction', set, note: 'List of 18 June.' },
      })
    expect((await flag(true)).status).toBe(200)
    // Somebody else set it in the meantime.
    expect((await flag(true)).failure.code).toBe('stale-page')
    expect((await decide(approveClient, flagged)).failure.code).toBe('checks-block')
    expect((await pageOf(flagged)).risk.flags).toMatchObject([
      { flag: 'sanction', note: 'List of 18 June.', setBy: { name: 'Ines Albrecht' } },
    ])
    await flag(false)
    expect((await flag(false)).failure.code).toBe('stale-page')
    expect((await decide(approveClient, flagged)).status).toBe(200)
  })

  test('is limited to compliance staff who are not the client, and succeeds for one of two concurrent attempts', async () => {
    const client = await makeApprovableClient()
    expect((await decide(approveClient, client, {}, auditor)).status).toBe(403)
    expect((await decide(approveClient, client, {}, await makeStaff(server, ['finance']))).status).toBe(403)
    expect(
      (await decide(approveClient, client, {}, await makeStaff(server, ['compliance'], { email: client.email })))
        .failure.code,
    ).toBe('own-request')
    expect(
      (await call(server, approveClient, { as: client, params: { id: client.id }, body: { version: 1 } })).status,
    ).toBe(401)
    const { version } = await pageOf(client)
    const both = await Promise.all(
      [1, 2].map(() =>
        call(server, approveClient, { as: officer, params: { id: client.id }, body: { version, ...allAcknowledged } }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await pageOf(client)).accounts).toHaveLength(1)
  })

  test('returns 404 for an unknown id and fails on a stale page', async () => {
    const absent = { id: '019f0000-0000-7000-8000-000000000000' }
    expect((await call(server, approveClient, { as: officer, params: absent, body: { version: 1 } })).status).toBe(404)
    for (const id of ['x', 'a b', '']) {
      const headers = { 'accept-language': 'de' }
      const { status, json } = await call(server, getOfficeClient, { as: officer, params: { id }, headers })
      const german = 'Dieser Eintrag existiert nicht oder wurde gelöscht. Öffnen Sie ihn über seine Liste.'
      const english = 'This entry does not exist or has been deleted. Open it from its list.'
      expect([status, json]).toMatchObject([
        404,
        { error: german, texts: { en: { error: english, errors: { server: english } } } },
      ])
    }
    const client = await makeApprovableClient()
    expect((await decide(approveClient, client, { version: 99 })).failure.code).toBe('stale-page')
  })
})

const accountBody = () => ({
  requestType: 'live',
  platform: 'MT5',
  accType: 'Standard',
  baseCurrency: 'EUR',
  leverage: 30,
})
const leverageBody = ({ id }: { id: string }) => ({ accountId: id, leverage: 100 })

describe('decisions on a client', () => {
  test('a rejection also decides pending documents: turnaround counts them, but nothing that the system settled', async () => {
    const now = server.clock.now()
    const day = isoDay(dayIn(now, 'Europe/London'))
    const decided = async () => {
      const query = { from: day, to: day }
      const { rows: times } = (await call(server, decisionTimesReport, { as: auditor, query })).answer
      return ['document', 'operation'].map((kind) => times.find((one) => one.kind === kind)?.decided ?? 0)
    }
    const client = await makeApprovableClient()
    const settled = randomUUID()
    await transaction(server.dependencies.pool, async (tx) => {
      const item = { state: 'pending', dueAt: now, summary: {} }
      await openWorkItem(tx, 'document', client.id, now, { ...item, clientId: client.id })
      await openWorkItem(tx, 'operation', settled, now, item)
    })
    const [documents = 0, operations] = await decided()
    await transaction(server.dependencies.pool, (tx) =>
      closeWorkItem(tx, 'operation', settled, { identity: { kind: 'clock' }, now }),
    )
    await decide(rejectClient, client, { reason: 'Hit 7.', clientReason: 'We could not verify you.' })
    expect(await decided()).toEqual([documents + 1, operations])
  })

  test('a rejection requires an internal reason, which the client’s email does not contain', async () => {
    const client = await makeApprovableClient()
    expect((await decide(rejectClient, client)).failure.code).toBe('reason-required')
    expect(
      (await decide(rejectClient, client, { reason: 'Hit 7.', clientReason: 'We could not verify you.' })).status,
    ).toBe(200)
    const [mail] = await mailsOf(client)
    const { text } = (
      await call(server, getClientMail, { as: officer, params: { id: client.id, mailId: mail?.id ?? '' } })
    ).answer.mail
    expect(text).toContain('We could not verify you.')
    expect(text).not.toContain('Hit 7')
    expect(await pageOf(client)).toMatchObject({ internalReason: 'Hit 7.', reason: 'We could not verify you.' })
  })

  test('responses of the mail server and the virus scanner are attributed to them in the reader’s language', async () => {
    const client = await makeApprovableClient()
    await decide(rejectClient, client, { reason: 'Hit 7.', clientReason: 'We could not verify you.' })
    const [mail] = await mailsOf(client)
    await run(
      server.dependencies.pool,
      sql`update operations set last_error = 'The mail server answered 550 5.1.1' where id = ${mail?.id}`,
    )
    const asked = { as: officer, params: { id: client.id, mailId: mail?.id ?? '' } }
    const errorIn = async (language: string) =>
      (await call(server, getClientMail, { ...asked, headers: { 'accept-language': language } })).answer.mail.lastError
    expect(await errorIn('de')).toBe('Antwort des Mailservers: „550 5.1.1“.')
    expect(await errorIn('en')).toBe('The mail server answered “550 5.1.1”.')
    const event = {
      id: 1n,
      at: new Date(),
      kind: 'file',
      from_state: null,
      to_state: null,
      actor: 'clock',
      actor_id: null,
    }
    const scanned = (verb: string, reason: string) =>
      officeEvent(
        { ...event, verb, reason, actor_name: null, address: null, reference: null, details: null } as EventRow,
        'de',
      ).reason
    expect(scanned('refuseInfected', 'Eicar-Test')).toBe('Meldung des Virenscanners: „Eicar-Test“.')
    // The reason that an auditor enters to open a file is not attributed to the scanner.
    expect(scanned('view', 'Case 7')).toBe('Case 7')
  })

  test('a suspension ends every session immediately, does not disclose its reason and can be reversed', async () => {
    const client = await makeClient(server)
    expect((await decide(suspendClient, client, { reason: 'Unusual sign-ins.' })).status).toBe(200)
    const mails = await rows<{ payload: unknown }>(
      server.dependencies.pool,
      sql`select payload from operations where kind = 'mail' and client_id = ${client.id}`,
    )
    expect(mails).toHaveLength(1)
    expect(JSON.stringify(mails), 'the reason is for staff only').not.toContain('Unusual sign-ins')
    expect((await call(server, getDocuments, { as: client, params: { id: client.id } })).status).toBe(401)
    expect((await decide(reactivateClient, client, { reason: 'Spoke with the client.' })).status).toBe(200)
    expect(await stateOf(client)).toBe('approved')
  })

  test('a client with open requests or money left cannot be closed', async () => {
    const client = await makeClient(server)
    const account = await makeAccount(server, client)
    const close = () => decide(closeClient, client, { reason: 'At the client’s wish.' })
    await run(
      server.dependencies.pool,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, requested_at, expires_at)
          values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 1000, 'EUR', ${`T${account.login}`}, now(), now())`,
    )
    expect((await close()).failure.code).toBe('requests-open')
    expect((await pageOf(client)).verbs.find(({ verb }) => verb === 'close')?.refusal?.code).toBe('requests-open')
    await run(server.dependencies.pool, sql`update deposits set state = 'cancelled' where client_id = ${client.id}`)
    await run(
      server.dependencies.pool,
      sql`select post_entry(${`test-${account.login}`}, 'test', null, null, now(),
            array[ledger_account('bank', 'EUR', null, ''), ledger_account('client', 'EUR', ${account.id}::uuid, '')], array[500, -500]::bigint[])`,
    )
    expect((await close()).failure.code).toBe('money-left')
    const waiting = await makeApprovableClient()
    await decide(approveClient, waiting)
    expect((await decide(closeClient, waiting, { reason: 'At the client’s wish.' })).failure.code).toBe('requests-open')
    const other = await makeClient(server)
    expect((await decide(closeClient, other, { reason: 'At the client’s wish.' })).status).toBe(200)
    expect(await stateOf(other)).toBe('closed')
  })

  /** Expects that the client cannot be closed, and that nothing has changed. */
  async function expectNotClosed(client: { id: string }, status: number, code: string, text?: string) {
    const reply = await decide(closeClient, client, { reason: 'At the client’s wish.' })
    expect([reply.status, reply.failure.code]).toEqual([status, code])
    if (text !== undefined) expect(reply.failure.error).toBe(text)
    expect(await stateOf(client)).toBe('approved')
  }

  test('a client with money on the platform cannot be closed, although it has not been read before', async () => {
    const client = await makeClient(server)
    const { login } = await makeFundedAccount(server, client, 0n)
    expect((await pageOf(client)).verbs.find(({ verb }) => verb === 'close')?.refusal).toBeNull()
    await server.dependencies.platforms.MT5.applyBalance({
      ref: 'Rebate-October',
      login,
      amount: money(5_000n, 'EUR'),
      checkMargin: false,
    })
    const text = `There is an open discrepancy on ${login}. Finance must decide it under Reconciliation first.`
    await expectNotClosed(client, 409, 'discrepancy-open', text)
    const refusal = (await pageOf(client)).verbs.find(({ verb }) => verb === 'close')?.refusal
    expect(refusal).toMatchObject({ code: 'discrepancy-open', text })
    // Decided, but the stored balance of the platform is still not zero.
    await run(
      server.dependencies.pool,
      sql`update differences set state = 'explained' where account_id in
            (select id from trading_accounts where login = ${login})`,
    )
    expect((await pageOf(client)).verbs.find(({ verb }) => verb === 'close')?.refusal?.code).toBe('money-left')
  })

  test('a client is not closed while the platform does not respond with the balance', async () => {
    const client = await makeClient(server)
    const { login } = await makeFundedAccount(server, client, 0n)
    await place.platform.turn('drop-before', { count: 0, path: '/' })
    const text = `The current balance of account ${login} could not be read from MT5. The relationship has not been closed. Try again in a minute.`
    await expectNotClosed(client, 503, 'balances-unread', text)
    await place.platform.turn('reset')
    expect((await decide(closeClient, client, { reason: 'At the client’s wish.' })).status).toBe(200)
  })

  test('the last balance of an account that its platform no longer has does not prevent closing', async () => {
    const client = await makeClient(server)
    const { login } = await makeFundedAccount(server, client, 0n)
    await run(
      server.dependencies.pool,
      sql`update platform_figures set balance_minor = 5000 where account_id in
            (select id from trading_accounts where login = ${login})`,
    )
    await place.platform.turn('accounts/delete', { login })
    expect((await decide(closeClient, client, { reason: 'At the client’s wish.' })).status).toBe(200)
    await place.platform.turn('accounts/restore', { login })
  })

  test('a client with an open discrepancy on a deposit cannot be closed', async () => {
    const client = await makeClient(server)
    const account = await makeAccount(server, client)
    const { pool } = server.dependencies
    const now = server.clock.now()
    const deposit = await row<{ id: DepositId; reference: string }>(
      pool,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, requested_at, expires_at, state)
          values (${client.id}, ${account.id}, 'card', 'Credit/Debit Card', 'cc_gcen', 1000, 'EUR', ${`T${account.login}`}, now(), now(), 'rejected')
          returning id, reference`,
    )
    const found = {
      kind: 'chargeback-announced',
      fingerprint: randomUUID(),
      oursMinor: 1000n,
      theirsMinor: null,
    } as const
    const about = { subject: 'deposit', ...(deposit && { record: deposit.id }), currency: 'EUR', facts: {} } as const
    await transaction(pool, (tx) => raiseDifference(tx, { identity: { kind: 'clock' }, now }, { ...found, ...about }))
    const text = `There is an open discrepancy on ${deposit?.reference}. Finance must decide it under Reconciliation first.`
    await expectNotClosed(client, 409, 'discrepancy-open', text)
    await run(pool, sql`update differences set state = 'explained' where fingerprint = ${found.fingerprint}`)
    expect((await decide(closeClient, client, { reason: 'At the client’s wish.' })).status).toBe(200)
  })

  test('a demo account and its balance do not prevent closing', async () => {
    const client = await makeClient(server)
    const { baseCurrency, platform, accType, leverage } = wanted
    const body = { requestType: 'demo', platform, accType, baseCurrency, leverage, balance: 5000 } as const
    expect((await call(server, requestAnAccount, { as: client, body })).status).toBe(201)
    await settleOperations(server)
    expect((await pageOf(client)).accounts).toMatchObject([{ requestType: 'demo', state: 'approved' }])
    expect((await pageOf(client)).verbs.find(({ verb }) => verb === 'close')?.refusal).toBeNull()
    expect((await decide(closeClient, client, { reason: 'At the client’s wish.' })).status).toBe(200)
    expect(isActionAllowed(await pageOf(client), 'askErasure')).toBe(true)
  })

  test.each([
    ['withdrawal', 'pending'],
    ['withdrawal', 'second_approval'],
    ['withdrawal', 'processing'],
    ['withdrawal', 'approved'],
    ['transfer', 'pending'],
    ['transfer', 'processing'],
    ['deposit', 'processing'],
    ['account', 'processing'],
  ])('a client with a %s in state %s cannot be closed', async (life, state) => {
    const client = await makeClient(server)
    const [account, other] = [await makeAccount(server, client), await makeAccount(server, client)]
    const bankId = await makeApprovedBank(server, client)
    await recordMakers[life]?.({ server, client, account, other, bankId, colleague: officer }, state, officer, '')
    expect((await decide(closeClient, client, { reason: 'At the client’s wish.' })).failure.code).toBe('requests-open')
  })

  test('a client with an open correction or an unposted returned payout cannot be closed', async () => {
    const client = await makeClient(server)
    const account = await makeAccount(server, client)
    const close = () => decide(closeClient, client, { reason: 'At the client’s wish.' })
    const finance = await makeStaff(server, ['finance'])
    const { pool } = server.dependencies
    await run(
      pool,
      sql`insert into corrections (account_id, amount_minor, currency, reference, reason, asked_by, asked_at)
          values (${account.id}, 500, 'EUR', ${`A${account.login}`}, 'Goodwill.', ${finance.id}, now())`,
    )
    expect((await close()).failure.code).toBe('requests-open')
    await run(pool, sql`update corrections set state = 'rejected' where account_id = ${account.id}`)
    const bankId = await makeApprovedBank(server, client)
    await run(
      pool,
      sql`with returned as (
            insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference,
              figures, requested_at, state)
            values (${client.id}, ${account.id}, ${bankId}, '{}', 'wire', 'Bank Transfer', 1000, 'EUR', ${`W${account.login}`},
              '{}', now(), 'returned') returning id)
          insert into operations (kind, ref, target, payload, state, subject, record, client_id, created_at)
            select 'balance', ${`R${account.login}`}, ${`MT5:${account.login}`}, '{"leg":"withdrawal-return"}', 'waiting',
              'withdrawal', id, ${client.id}, now() from returned`,
    )
    expect((await close()).failure.code).toBe('requests-open')
    const settle = (state: 'refused' | 'done') =>
      row<{ id: string }>(
        pool,
        sql`update operations set state = ${state}, settled_at = now() where kind = 'balance' and client_id = ${client.id} returning id`,
      )
    const refused = (await settle('refused'))?.id ?? ''
    const now = server.clock.now()
    await transaction(pool, (tx) =>
      openWorkItem(tx, 'operation', refused, now, { state: 'refused', dueAt: now, summary: {} }),
    )
    expect((await close()).failure.code).toBe('requests-open')
    await settle('done')
    await transaction(pool, (tx) => closeWorkItem(tx, 'operation', refused, { identity: { kind: 'clock' }, now }))
    expect((await close()).status).toBe(200)
  })

  test.each([
    ['a trading account', requestAnAccount, accountBody, 'trading_accounts'],
    ['a leverage change', updateAccount, leverageBody, 'leverage_requests'],
    ['a bank transfer', requestWirePayment, (to: { login: string }) => wireBody(to, '100.00'), 'deposits'],
  ] as const)(
    'a closure and a concurrent request for %s are serialised: the second one fails (requirements 28.13)',
    async (...one) => {
      const [, endpoint, bodyOf, table] = one
      const { pool } = server.dependencies
      const ready = async () => {
        const client = await makeClient(server, { clientStatus: 'professional' })
        const account = await makeFundedAccount(server, client, 0n)
        await run(pool, sql`update trading_accounts set client_status = 'professional' where id = ${account.id}`)
        return { client, ask: () => call(server, endpoint as Endpoint, { as: client, body: bodyOf(account) }) }
      }
      const made = async (client: MadeClient) =>
        (await rows(pool, sql`select id from ${raw(table)} where client_id = ${client.id} and state <> 'approved'`))
          .length
      const close = (client: MadeClient) => decide(closeClient, client, { reason: 'At the client’s wish.' })

      // The closure first: the request waits for its lock and then fails.
      const late = await ready()
      const asked: ReturnType<typeof late.ask>[] = []
      await transaction(server.dependencies.jobs, async (tx) => {
        await run(tx, sql`select 1 from clients where id = ${late.client.id} for update`)
        asked.push(late.ask())
        await waitForBlockedConnections(pool)
        await run(tx, sql`update clients set state = 'closed' where id = ${late.client.id}`)
      })
      expect((await Promise.all(asked)).map(({ failure }) => failure.code)).toEqual(['session-ended'])
      expect(await made(late.client)).toBe(0)

      // The request first: it is stored, and the closure waits for its lock and then fails.
      const early = await ready()
      const closed: ReturnType<typeof close>[] = []
      await transaction(server.dependencies.jobs, async (tx) => {
        await run(tx, sql`select 1 from clients where id = ${early.client.id} for key share`)
        closed.push(close(early.client))
        await waitForBlockedConnections(pool)
        expect((await early.ask()).status).toBeLessThan(300)
      })
      expect((await Promise.all(closed)).map(({ failure }) => failure.code)).toEqual(['requests-open'])
      expect(await made(early.client)).toBe(1)
    },
  )
})

describe('a client search', () => {
  let client: MadeClient
  let login: string
  beforeAll(async () => {
    client = await makeClient(server, {
      name: 'Björn',
      surname: 'Sörensen-Quist',
      email: 'quist@example.com',
      country: 'SE',
    })
    login = (await makeAccount(server, client)).login
  })
  const ids = async (query: Record<string, string>) =>
    (await call(server, searchClients, { as: officer, query })).answer.rows.map((one) => one.client.id)

  test('finds a client by part of a name, email address, client number or account number', async () => {
    const { number } = (await pageOf(client)).client
    for (const q of ['sörensen', 'ÖRN SÖR', 'quist@example', number, login])
      expect(await ids({ q })).toEqual([client.id])
    expect(await ids({ q: '%_%' })).toEqual([])
    expect(await ids({ q: "'; drop table clients; --" })).toEqual([])
  })

  test('finds a client by a reference or an IBAN, with or without spaces', async () => {
    const account = await makeAccount(server, client)
    const reference = `CR-${account.login}Q`
    await run(
      server.dependencies.pool,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, requested_at, expires_at)
          values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 1000, 'EUR', ${reference}, now(), now())`,
    )
    await makeApprovedBank(server, client, 'EUR', 'SE4550000000058398257466')
    for (const q of [reference, reference.toLowerCase(), 'SE45 5000 0000 0583 9825 7466'])
      expect(await ids({ q })).toEqual([client.id])
  })

  test('filters by country and state and returns each client once across pages in every sort order', async () => {
    expect(await ids({ country: 'SE' })).toEqual([client.id])
    for (let unfinished = 0; unfinished < 3; unfinished += 1) await makeClient(server, { state: 'registering' })
    for (const state of ['approved', 'registering'] as const) {
      const all = await rows<{ id: string }>(server.dependencies.pool)`select id from clients where state = ${state}`
      for (const sort of ['number', 'name', 'registeredAt']) {
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const page: { rows: { client: { id: string } }[]; next: string | null } = (
            await call(server, searchClients, {
              as: officer,
              query: { state, size: '2', sort, ...(cursor ? { cursor } : {}) },
            })
          ).answer
          seen.push(...page.rows.map((one) => one.client.id))
          cursor = page.next
        } while (cursor)
        expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
      }
    }
    expect((await call(server, searchClients, { as: officer, query: { sort: 'email' } })).status).toBe(400)
    expect((await call(server, searchClients, { as: client })).status).toBe(401)
  })
})

describe('staff actions on a client', () => {
  test('signing a client out ends every session and is forbidden for finance', async () => {
    const client = await makeClient(server)
    expect(
      (await call(server, signOutClient, { as: officer, params: { id: client.id }, body: { reason: 'Lost phone.' } }))
        .answer.ended,
    ).toBe(1)
    expect((await call(server, getDocuments, { as: client, params: { id: client.id } })).status).toBe(401)
    expect(
      (
        await call(server, signOutClient, {
          as: await makeStaff(server, ['finance']),
          params: { id: client.id },
          body: { reason: 'x' },
        })
      ).status,
    ).toBe(403)
  })

  test('a reset link is emailed to the client and masked in the copy that staff can read', async () => {
    const client = await makeClient(server)
    expect((await call(server, sendResetLink, { as: officer, params: { id: client.id } })).status).toBe(200)
    const [mail] = await mailsOf(client)
    const { text } = (
      await call(server, getClientMail, { as: officer, params: { id: client.id, mailId: mail?.id ?? '' } })
    ).answer.mail
    expect(text).toContain('/resetpassword/%E2%80%A2')
    const other = await makeClient(server)
    expect(
      (await call(server, getClientMail, { as: officer, params: { id: other.id, mailId: mail?.id ?? '' } })).status,
    ).toBe(404)
  })

  test('a security answer can be checked until 5 wrong answers have been given in a day', async () => {
    const client = await makeClient(server)
    await run(
      server.dependencies.pool,
      sql`update clients set security_answer_hash = ${await hashPassword(normalizeSecurityAnswer('Rex'))} where id = ${client.id}`,
    )
    const ask = (answer: string) =>
      call(server, checkSecurityAnswer, { as: officer, params: { id: client.id }, body: { answer } })
    expect((await ask('  rex ')).answer).toEqual({ right: true, triesLeft: 5 })
    const tries = await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask('Bello')))
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await ask('Rex')).failure.code).toBe('answer-tries-over')
    expect((await pageOf(client)).security.answerTriesLeft).toBe(0)
    server.clock.turn(24 * 3600 + 1)
    officer = await makeStaff(server, ['compliance'], { name: 'Ines Albrecht' })
    auditor = await makeStaff(server, ['auditor'])
    expect((await ask('Rex')).answer.right).toBe(true)
  })

  test('a profile field is corrected with a reason, and the page shows the previous value', async () => {
    const client = await makeClient(server, { surname: 'Brandt' })
    const correct = (body: object) =>
      decide(correctField, client, { field: 'surname', value: 'Brand', reason: 'As in the passport.', ...body })
    expect((await correct({})).status).toBe(200)
    expect((await correct({})).failure.code).toBe('value-unchanged')
    const page = await pageOf(client)
    expect(page.profile.find(({ field }) => field === 'surname')).toMatchObject({
      value: 'Brand',
      previous: { value: 'Brandt' },
    })
    expect((await correct({ field: 'email', value: 'x@example.com' })).failure.code).toBe('field-not-correctable')
    expect((await correct({ field: 'state', value: 'approved' })).failure.code).toBe('field-not-correctable')
    expect((await correct({ field: 'birthDate', value: '2015-02-30' })).failure.code).toBe('date-invalid')
    expect((await correct({ version: 1 })).failure.code).toBe('stale-page')
    expect(
      (
        await decide(
          correctField,
          client,
          { field: 'surname', value: 'X', reason: 'x' },
          await makeStaff(server, ['operations']),
        )
      ).status,
    ).toBe(403)
  })

  test.each([
    [
      'correcting a field',
      correctField,
      { field: 'surname', value: 'Brand', reason: 'As in the passport.', version: 1 },
    ],
    ['setting a flag', setFlag, { flag: 'pep', set: true, note: 'List of 18 June.' }],
    [
      'requesting proof of the source of wealth',
      requestSourceOfWealth,
      { reason: 'Your deposits are above your income.' },
    ],
  ] as const)(
    '%s is forbidden for a staff member who is the client (requirements 27.10)',
    async (_, endpoint, body) => {
      const client = await makeClient(server)
      const self = await makeStaff(server, ['compliance'], { email: client.email })
      const reply = await call(server, endpoint as Endpoint, { as: self, params: { id: client.id }, body })
      expect([reply.status, reply.failure.code]).toEqual([403, 'own-request'])
    },
  )

  test('staff can write a note, and invite a new email address from a country that is served', async () => {
    const client = await makeClient(server)
    expect(
      (
        await call(server, writeNote, {
          as: officer,
          params: { id: client.id },
          body: { text: 'Called about the closure dates.' },
        })
      ).status,
    ).toBe(201)
    expect((await pageOf(client)).notes).toMatchObject([
      { text: 'Called about the closure dates.', by: { name: 'Ines Albrecht' } },
    ])
    const body = {
      title: 'Dr.',
      name: 'Nora',
      surname: 'Lind',
      email: 'nora.lind@example.com',
      country: 'DE',
      language: 'de',
    }
    const invited = (await call(server, inviteClient, { as: officer, body })).answer
    expect(await stateOf(invited)).toBe('registering')
    expect((await mailsOf(invited)).map(({ kind }) => kind)).toEqual(['client-invited'])
    expect((await call(server, inviteClient, { as: officer, body })).failure.code).toBe('client-known')
    expect(
      (await call(server, inviteClient, { as: officer, body: { ...body, email: 'k@example.com', country: 'KP' } }))
        .failure.code,
    ).toBe('country-unavailable')
  })

  test('an auditor can read every tab and change nothing', async () => {
    const client = await makeApprovableClient()
    for (const endpoint of [
      getOfficeClient,
      getClientMoney,
      getClientBank,
      getClientLogins,
      getClientMails,
      getClientEvents,
    ] as Endpoint[]) {
      const reply = await call(server, endpoint, { as: auditor, params: { id: client.id } })
      expect(reply.answer).toBeTruthy()
    }
    expect(
      (await call(server, writeNote, { as: auditor, params: { id: client.id }, body: { text: 'x' } })).status,
    ).toBe(403)
    expect((await pageOf(client, auditor)).deeds.every(({ refusal }) => refusal?.code === 'wrong-role')).toBe(true)
    expect(
      (
        await row<{ n: bigint }>(
          server.dependencies.pool,
          sql`select count(*) as n from staff_notes where client_id = ${client.id}`,
        )
      )?.n,
    ).toBe(0n)
  })

  test('permanently rejected email is shown on the client’s page, with one work item, until an email is accepted', async () => {
    const client = await makeClient(server)
    const mailsSent = async (count: number, send: () => Promise<void>) => {
      const parts = { ...server.dependencies, mail: { ...server.dependencies.mail, send } }
      const driver = operationDriver(server.dependencies.pool, [mailOperation(parts)], 900, server.clock.now)
      const { id: clientId, email: to } = client
      for (let mail = 0; mail < count; mail += 1)
        await transaction(server.dependencies.pool, (tx) =>
          sendMail(tx, server.clock.now(), { kind: 'client-reactivated', to, language: 'en', facts: {}, clientId }),
        )
      for (const { id, state } of await mailsOf(client)) if (state === 'waiting') await driver.drive(id)
      return mailsOf(client)
    }
    const refused = await mailsSent(2, () => Promise.reject(new Rejected('refused', 'smtp:550', '550 no such mailbox')))
    expect(refused.map(({ state, sentAt }) => [state, sentAt])).toEqual([
      ['refused', null],
      ['refused', null],
    ])
    const mailId = refused[0]?.id ?? ''
    const mail = await call(server, getClientMail, { as: officer, params: { id: client.id, mailId } })
    expect(mail.answer.mail).toMatchObject({ state: 'refused', lastError: '550 no such mailbox', sentAt: null })
    const page = await pageOf(client)
    expect(page.mailRefusedAt).toEqual(server.clock.now())
    expect(page.waiting).toMatchObject([{ kind: 'operation', state: 'refused' }])
    const { rows: failed } = (await call(server, listFailedJobs, { as: auditor, query: { q: client.email } })).answer
    expect(failed).toMatchObject([{ kind: 'client-reactivated', state: 'refused', meaning: 'mail-not-sent' }])

    const [taken] = await mailsSent(1, () => Promise.resolve())
    expect([taken?.state, taken?.sentAt]).toEqual(['done', server.clock.now()])
    expect((await pageOf(client)).mailRefusedAt).toBeNull()
  })

  test.each([['payments', getClientMoney] as const, ['emails', getClientMails] as const])(
    'the tab of %s is read in pages without gaps and rejects a cursor of no list',
    async (_name, endpoint) => {
      const client = await makeClient(server)
      const account = await makeAccount(server, client)
      const { pool } = server.dependencies
      for (const reference of ['P1', 'P2', 'P3']) {
        await run(
          pool,
          sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, requested_at, expires_at)
              values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 1000, 'EUR', ${account.login + reference}, ${server.clock.now()}, now())`,
        )
        const mail = {
          kind: 'client-reactivated',
          to: client.email,
          language: 'en',
          facts: {},
          clientId: client.id,
        } as const
        await transaction(pool, (tx) => sendMail(tx, server.clock.now(), mail))
      }
      const read = (query: Record<string, string>) =>
        call(server, endpoint, { as: officer, params: { id: client.id }, query })
      const idsOf = ({ rows: found }: { rows: readonly { id: string }[] }) => found.map(({ id }) => id)
      const first = (await read({ size: '2' })).answer
      const second = (await read({ size: '2', cursor: first.next ?? '' })).answer
      expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf((await read({})).answer))
      expect([first.rows.length, second.rows.length, second.next]).toEqual([2, 1, null])
      for (const parts of [['2026-06-19T10:00:00Z', 'x'], ['2026-02-30T10:00:00Z', client.id], 'x']) {
        const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
        expect((await read({ cursor })).failure.code).toBe('cursor-invalid')
      }
    },
  )
})
