/** Professional client status (requirements 13, 27.6). */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  checkClientsProfessionalStatus,
  getProfessionalClientsApplication,
  submitClientsProfessionalApplication,
} from '#contract/professional-status.ts'
import {
  approveProfessional,
  requestMoreProfessional,
  getProfessional,
  listProfessional,
  rejectProfessional,
  reverseProfessional,
} from '#contract/office/professional.ts'
import { closeClient } from '#contract/office/client-decisions.ts'
import { getClientMails } from '#contract/office/client-tabs.ts'
import { getDemoAccounts } from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { versionOf } from '#tests/version-of.ts'

const place = platformForFile()
const { server } = place
const officer = staffForFile(server, ['compliance'])
let client: MadeClient

beforeEach(async () => {
  client = await makeClient(server)
})

const fullAnswers = {
  question01: 'Yes',
  question02: '20-29',
  question03: 'No',
  question04: 'Yes',
  question05: 'Northgate Bank',
  question06: 'Trader',
  question07: 'Yes',
  question08: 'Ten years of index CFDs.',
  step: 5,
  subStep: 1,
}
const failingAnswers = { question01: 'No', question03: 'Yes', question04: 'No', step: 4, subStep: 1 }
const submit = (form: object, as = client) => call(server, submitClientsProfessionalApplication, { as, body: { form } })
const shownApplication = async (as = client) =>
  (await call(server, getProfessionalClientsApplication, { as })).answer.application
const idOf = async () => (await shownApplication())?.id ?? ''
const pageOf = async (as = officer) =>
  (await call(server, getProfessional, { as, params: { id: await idOf() } })).answer.application
const decide = async (endpoint: Endpoint, body: object, as = officer) => {
  const { id, version } = await pageOf()
  return call(server, endpoint, { as, params: { id }, body: { version, ...body } })
}
const statusOf = async () =>
  (
    await row<{ client_status: string }>(
      server.dependencies.pool,
      sql`select client_status from clients where id = ${client.id}`,
    )
  )?.client_status
const mails = async () =>
  (await call(server, getClientMails, { as: officer, params: { id: client.id } })).answer.rows.map(({ kind }) => kind)

describe('applying for professional client status', () => {
  test('accepts one application, with the full form or the short one after “No” to the fourth question', async () => {
    expect(await shownApplication()).toBeNull()
    expect((await submit(fullAnswers)).status).toBe(200)
    expect(await shownApplication()).toMatchObject({ ...fullAnswers, status: 'pending', moreAsked: null })
    const again = await submit(fullAnswers)
    expect([again.status, again.failure.code]).toEqual([409, 'application-exists'])
    expect((await submit(failingAnswers, await makeClient(server))).status).toBe(200)
  })

  test.each([
    ['trades without their number', { ...fullAnswers, question02: undefined }, { question02: 'required' }],
    ['an employer of one letter', { ...fullAnswers, question05: 'N' }, { question05: 'required' }],
    ['a missing description', { ...fullAnswers, question08: '' }, { question08: 'required' }],
    [
      'No to the fourth question and an answer after it',
      { ...failingAnswers, question07: 'Yes' },
      { question07: 'not-asked' },
    ],
    ['no answer about the portfolio', { ...fullAnswers, question03: undefined }, { question03: 'required' }],
    ['an unknown choice', { ...fullAnswers, question01: 'yes' }, { question01: 'unknown-value' }],
    ['a state sent by the client', { ...fullAnswers, state: 'approved' }, { state: 'unknown-field' }],
  ])('%s is rejected at its field', async (_, form, fields) => {
    const reply = await submit(form)
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.failure.errors)).toEqual(Object.keys(fields))
    expect(await shownApplication()).toBeNull()
  })

  test('two simultaneous requests create one application', async () => {
    const both = await Promise.all([submit(fullAnswers), submit(fullAnswers)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('is closed to clients who are not approved, to professionals, and while the firm has closed applications', async () => {
    expect((await submit(fullAnswers, await makeClient(server, { state: 'pending' }))).status).toBe(403)
    expect((await submit(fullAnswers, await makeClient(server, { clientStatus: 'professional' }))).failure.code).toBe(
      'already-professional',
    )
    const set = (applicationsOpen: boolean, version: number) =>
      transaction(server.dependencies.pool, (tx) =>
        writeSetting(tx, 'professional', {
          value: { applicationsOpen },
          version,
          by: null,
          reason: 'test',
          now: server.clock.now(),
        }),
      ).then(() => server.dependencies.settings.forget('professional'))
    await set(false, 1)
    expect(
      (await call(server, checkClientsProfessionalStatus, { as: client })).answer.disabledProfessionalClientApplication,
    ).toBe(true)
    const pending = await makeClient(server, { state: 'pending' })
    for (const endpoint of [checkClientsProfessionalStatus, getDemoAccounts])
      expect((await call(server, endpoint, { as: pending })).failure.code).toBe('approval-first')
    const refused = await submit(fullAnswers)
    expect([refused.status, refused.failure.code]).toEqual([409, 'applications-disabled'])
    await set(true, 2)
    expect((await submit(fullAnswers)).status).toBe(200)
  })
})

describe('deciding an application for professional client status', () => {
  test('the page shows the number of criteria met and compares them with the profile', async () => {
    await run(
      server.dependencies.pool,
      sql`update clients set employment = '{"industry": "Banking", "position": "Manager", "savings": "50,000-89,999"}' where id = ${client.id}`,
    )
    await submit({ ...fullAnswers, question03: 'Yes' })
    const page = await pageOf()
    expect([page.passed, page.enough]).toEqual([3, true])
    expect(page.tests.map(({ code, verdict }) => [code, verdict])).toEqual([
      ['trades', 'unknown'],
      ['portfolio', 'differs'],
      ['experience', 'ok'],
    ])
    const queue = (await call(server, listProfessional, { as: officer, query: { size: '100' } })).answer.rows
    expect(queue.find((one) => one.client.id === client.id)).toMatchObject({ state: 'pending', passed: 3 })
  })

  test('approval makes the client, the chosen accounts and pending ones professional and updates the platform', async () => {
    const [chosen, other] = [await makeAccount(server, client), await makeAccount(server, client)]
    const waiting = await makeAccount(server, client, { state: 'pending' })
    await submit(fullAnswers)
    const foreign = await makeAccount(server, await makeClient(server))
    expect((await decide(approveProfessional, { reason: 'x', accounts: [foreign.id] })).failure.code).toBe(
      'accounts-not-client',
    )
    expect(
      (await decide(approveProfessional, { reason: 'Two of three, statements seen.', accounts: [chosen.id] })).status,
    ).toBe(200)
    expect(await statusOf()).toBe('professional')
    const accounts = await rows<{ id: string; client_status: string }>(
      server.dependencies.pool,
      sql`select id, client_status from trading_accounts where client_id = ${client.id}`,
    )
    expect(new Map(accounts.map((one) => [one.id, one.client_status]))).toEqual(
      new Map([
        [chosen.id, 'professional'],
        [other.id, 'retail'],
        [waiting.id, 'professional'],
      ]),
    )
    const moved = await rows<{ payload: object }>(
      server.dependencies.pool,
      sql`select payload from operations where kind = 'set-status' and client_id = ${client.id}`,
    )
    expect(moved).toMatchObject([{ payload: { login: chosen.login, group: 'real\\pro-standard-EUR', leverage: null } }])
    expect(await mails()).toEqual(['professional-approved'])
    expect((await shownApplication())?.status).toBe('approved')
  })

  test('reversal makes client and accounts retail again and sets the leverage back to 1:30', async () => {
    const account = await makeAccount(server, client)
    await submit(fullAnswers)
    await decide(approveProfessional, { reason: 'Fine.', accounts: [account.id] })
    await run(server.dependencies.pool, sql`update trading_accounts set leverage = 200 where id = ${account.id}`)
    expect(await shownApplication()).toMatchObject({ status: 'approved', ended: false })
    expect((await decide(reverseProfessional, { reason: 'At the client’s wish.' })).status).toBe(200)
    expect(await shownApplication()).toMatchObject({
      status: 'rejected',
      ended: true,
      reason: 'At the client’s wish.',
    })
    expect(await statusOf()).toBe('retail')
    const last = await row<{ payload: object }>(
      server.dependencies.pool,
      sql`select payload from operations where kind = 'set-status' and client_id = ${client.id} order by id desc limit 1`,
    )
    expect(last).toMatchObject({ payload: { group: 'real\\standard-EUR', leverage: 30 } })
    expect((await shownApplication())?.status).toBe('rejected')
    expect((await submit(fullAnswers)).status).toBe(200)
  })

  test('the page marks accounts without a platform group in the other category before the decision', async () => {
    const [fits, fails] = [await makeAccount(server, client), await makeAccount(server, client, { currency: 'USD' })]
    const { rows: groups } = await server.dependencies.settings.get('platformGroups')
    const set = async (kept: typeof groups, version: number) => {
      const reason = 'test'
      const now = server.clock.now()
      const change = { value: { rows: kept }, version, by: null, reason, now }
      await transaction(server.dependencies.pool, (tx) => writeSetting(tx, 'platformGroups', change))
      server.dependencies.settings.forget('platformGroups')
    }
    const missing = async () => (await pageOf()).accounts.flatMap(({ id, groupMissing }) => (groupMissing ? [id] : []))
    await submit(fullAnswers)
    expect(await missing()).toEqual([])
    await set(
      groups.filter(({ status, currency }) => status === 'retail' || currency !== 'USD'),
      1,
    )
    expect(await missing()).toEqual([fails.id])
    const refused = await decide(approveProfessional, { reason: 'Fine.', accounts: [fits.id, fails.id] })
    expect([refused.status, refused.failure.code]).toEqual([409, 'no-platform-group'])
    await decide(approveProfessional, { reason: 'Fine.', accounts: [fits.id] })
    // For a reversal only the account that became professional needs a group again.
    expect(await missing()).toEqual([])
    await set(
      groups.filter(({ status }) => status === 'professional'),
      2,
    )
    expect(await missing()).toEqual([fits.id])
    expect((await decide(reverseProfessional, { reason: 'Back.' })).failure.code).toBe('no-platform-group')
    await set(groups, 3)
    await decide(reverseProfessional, { reason: 'Back.' })
    expect(await missing()).toEqual([])
  })

  test('a request for more information is shown to the client, who can resubmit the same application', async () => {
    await submit(failingAnswers)
    const id = await idOf()
    expect((await decide(requestMoreProfessional, {})).failure.code).toBe('reason-required')
    expect((await decide(requestMoreProfessional, { reason: 'Please describe your experience.' })).status).toBe(200)
    expect(await shownApplication()).toMatchObject({ status: 'pending', moreAsked: 'Please describe your experience.' })
    expect((await submit(fullAnswers)).status).toBe(200)
    expect(await shownApplication()).toMatchObject({ id, moreAsked: null, question08: fullAnswers.question08 })
    expect((await decide(rejectProfessional, { reason: 'One.', clientReason: 'One test of three.' })).status).toBe(200)
    expect(await shownApplication()).toMatchObject({ status: 'rejected', reason: 'One test of three.' })
    expect((await mails()).toSorted()).toEqual(['professional-more-asked', 'professional-rejected'])
  })

  test.each(['pending', 'more_asked'])('a client cannot be closed with an application in state %s', async (state) => {
    await submit(fullAnswers)
    if (state === 'more_asked') await decide(requestMoreProfessional, { reason: 'Please describe your experience.' })
    const closed = async () => {
      const version = await versionOf(server, 'clients', client.id)
      const body = { version, reason: 'At the client’s wish.' }
      return call(server, closeClient, { as: officer, params: { id: client.id }, body })
    }
    expect((await closed()).failure.code).toBe('requests-open')
    await decide(rejectProfessional, { reason: 'No.' })
    expect((await closed()).status).toBe(200)
  })

  test('an application that is submitted during a closure is not stored', async () => {
    const submitted: ReturnType<typeof submit>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from clients where id = ${client.id} for update`)
      submitted.push(submit(fullAnswers))
      await waitForBlockedConnections(server.dependencies.pool)
      await run(tx, sql`update clients set state = 'closed' where id = ${client.id}`)
    })
    expect((await Promise.all(submitted)).map(({ failure }) => failure.code)).toEqual(['session-ended'])
    expect(
      await rows(
        server.dependencies.pool,
        sql`select id from professional_applications where client_id = ${client.id}`,
      ),
    ).toEqual([])
  })

  test('an application of a closed client can only be rejected', async () => {
    await submit(fullAnswers)
    const { id } = await pageOf()
    const { pool } = server.dependencies
    // Closed by an earlier version, which did not require the decision first.
    await run(pool, sql`update clients set state = 'closed' where id = ${client.id}`)
    const page = (await call(server, getProfessional, { as: officer, params: { id } })).answer.application
    const { version } = page
    expect(page.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('applicant-closed')
    const approval = { as: officer, params: { id }, body: { version, reason: 'Fine.', accounts: [] } }
    expect((await call(server, approveProfessional, approval)).failure.code).toBe('applicant-closed')
    expect(await statusOf()).toBe('retail')
    const rejection = { as: officer, params: { id }, body: { version, reason: 'Closed.' } }
    expect((await call(server, rejectProfessional, rejection)).status).toBe(200)
  })

  test('a decision is for compliance, never about oneself, and succeeds once', async () => {
    await submit(fullAnswers)
    const reject = { reason: 'No.' }
    expect((await decide(rejectProfessional, reject, await makeStaff(server, ['operations']))).status).toBe(403)
    expect((await decide(rejectProfessional, reject, await makeStaff(server, ['auditor']))).status).toBe(403)
    expect(
      (await decide(rejectProfessional, reject, await makeStaff(server, ['compliance'], { email: client.email })))
        .failure.code,
    ).toBe('own-request')
    const { id, version } = await pageOf()
    const both = await Promise.all(
      [1, 2].map(() => call(server, rejectProfessional, { as: officer, params: { id }, body: { version, ...reject } })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await call(server, getProfessional, { as: client, params: { id } })).status).toBe(401)
  })
})

describe('changes of one account on the platform', () => {
  const isTooFrequent = { path: '/api/user/update', retcode: 12, count: 0 }
  const isLost = { path: '/api/user/update', count: 1 }

  /** Approves an application, so that the change of the account is written but not sent. */
  async function approvedAccount() {
    const account = await makeFundedAccount(server, client, 0n)
    await submit(fullAnswers)
    const approved = await decide(approveProfessional, { reason: 'Two of three.', accounts: [account.id] })
    expect(approved.status).toBe(200)
    return account
  }

  const reverse = async () => expect((await decide(reverseProfessional, { reason: 'As agreed.' })).status).toBe(200)
  const changesOf = ({ id }: { id: string }) =>
    rows<{ state: string }>(
      server.dependencies.pool,
      sql`select state from operations where record = ${id} and kind = 'set-status' order by id`,
    )
  /** Lets a worker process the first or the second change now. */
  async function send({ id }: { id: string }, change: 1 | 2) {
    const { pool } = server.dependencies
    const changes = await rows<{ id: string }>(
      pool,
      sql`select id from operations where record = ${id} and kind = 'set-status' order by id`,
    )
    const operation = changes[change - 1]?.id ?? ''
    const now = server.clock.now()
    await run(pool, sql`update operations set next_try_at = ${now} where id = ${operation} and state = 'waiting'`)
    await server.driver.drive(operation)
  }
  const groupOf = async ({ login }: { login: string }) =>
    (await server.dependencies.platforms.MT5.getAccount(login)).group

  async function expectRetail({ id, login }: { id: string; login: string }) {
    const { group, leverage } = await server.dependencies.platforms.MT5.getAccount(login)
    expect([group, leverage]).toEqual(['real\\standard-EUR', 30])
    expect(
      await row(
        server.dependencies.pool,
        sql`select client_status, group_name, leverage from trading_accounts where id = ${id}`,
      ),
    ).toEqual({ client_status: 'retail', group_name: 'real\\standard-EUR', leverage: 30 })
  }

  test.each([
    ['refuses the approval as too frequent', 'refuse', isTooFrequent, 'real\\standard-EUR'],
    ['does not confirm the approval', 'drop-after', isLost, 'real\\pro-standard-EUR'],
  ] as const)('end in the retail group if the platform %s and the reversal is sent first', async (...one) => {
    const [, fault, switches, group] = one
    const account = await approvedAccount()
    await place.platform.turn(fault, switches)
    await send(account, 1)
    expect(await changesOf(account)).toEqual([{ state: 'waiting' }])
    expect(await groupOf(account)).toBe(group)
    await reverse()
    await place.platform.turn('reset')
    await send(account, 2)
    expect(await changesOf(account)).toEqual([{ state: 'waiting' }, { state: 'done' }])
    await expectRetail(account)
    await send(account, 1)
    expect(await changesOf(account)).toEqual([{ state: 'done' }, { state: 'done' }])
    await expectRetail(account)
  })

  test('are sent one after the other: the reversal waits while another server sends the approval', async () => {
    const account = await approvedAccount()
    await run(
      server.dependencies.pool,
      sql`update operations set state = 'sending', lease = gen_random_uuid(),
            lease_until = ${new Date(server.clock.now().getTime() + 45_000)}
          where record = ${account.id} and kind = 'set-status'`,
    )
    await reverse()
    await send(account, 2)
    expect(await changesOf(account)).toEqual([{ state: 'sending' }, { state: 'waiting' }])
    server.clock.turn(60)
    await send(account, 1)
    await send(account, 2)
    expect(await changesOf(account)).toEqual([{ state: 'done' }, { state: 'done' }])
    await expectRetail(account)
  })
})
