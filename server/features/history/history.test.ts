import { expect, test } from 'vitest'
import * as contract from '#contract/history.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { serverForFile } from '../../../tests/for-file.ts'
import { makeApprovedBank } from '../../../tests/funded-account.ts'
import { call, makeAccount, makeClient, type MadeClient } from '../../../tests/factories.ts'
import { pdfText } from '../../../tests/files.ts'

const server = serverForFile()

/** Makes a client with a deposit, a withdrawal in second approval and a transfer. */
async function makeClientWithHistory(comment = ''): Promise<{ client: MadeClient; login: string }> {
  const client = await makeClient(server, { surname: 'Šimić' })
  const one = await makeAccount(server, client)
  const other = await makeAccount(server, client)
  const bank = await makeApprovedBank(server, client)
  const at = server.clock.now()
  const mark = client.id.slice(-10)
  await run(
    server.dependencies.pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency, reference,
          state, comment, requested_at, expires_at, approved_at)
        values (${client.id}, ${one.id}, 'wire', 'Bank Transfer', 'bank', 25000, 24550, 'EUR', ${`D-${mark}`}, 'approved',
          ${comment}, ${at}, ${at}, ${at})`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference,
          state, figures, requested_at)
        values (${client.id}, ${one.id}, ${bank}, '{"bankName":"Example Bank AG","iban":"DE02120300000000202051"}', 'wire',
          'Bank Transfer', 9007199254740993, 'EUR', ${`W-${mark}`}, 'second_approval', '{}', ${at})`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate, arrives_minor,
          arrives_currency, reference, figures, requested_at)
        values (${client.id}, ${one.id}, ${other.id}, 500, 'EUR', '1', 500, 'EUR', ${`T-${mark}`}, '{}', ${at})`,
  )
  return { client, login: one.login }
}

test('all three lists are returned in one response, exact to the minor unit beyond the precision of a float', async () => {
  const { client, login } = await makeClientWithHistory()
  const { answer } = await call(server, contract.getTransferHistory, { as: client })
  expect(answer.deposits).toMatchObject([
    {
      accountNumber: login,
      depositType: 'wire',
      depositAmountSent: 25_000n,
      depositAmountReceived: 24_550n,
      status: 'approved',
      cancellable: false,
    },
  ])
  expect(answer.withdrawals).toMatchObject([
    {
      withdrawalAmount: 9_007_199_254_740_993n,
      status: 'pending',
      bankEnding: '2051',
      cancellable: true,
      timeApproved: null,
    },
  ])
  expect(answer.transfers).toMatchObject([{ sourceAccount: login, transferAmount: 500n, status: 'pending' }])
  expect(answer.deposits?.[0]?.timestamp).toEqual(server.clock.now())
})

test('a list requested alone returns the same rows as in the response with all three', async () => {
  const { client } = await makeClientWithHistory()
  const all = (await call(server, contract.getTransferHistory, { as: client })).answer
  for (const list of contract.historyLists) {
    const one = (await call(server, contract.getTransferHistory, { as: client, query: { list } })).answer
    expect(one[list]).toEqual(all[list])
    expect([one.next, one.total]).toEqual([null, 1])
  }
})

test('the total of a list counts all pages under the filters', async () => {
  const { client, login } = await makeClientWithHistory()
  const total = async (query: Record<string, string>) =>
    (await call(server, contract.getTransferHistory, { as: client, query: { list: 'deposits', ...query } })).answer
      .total
  expect(await Promise.all([total({}), total({ account: login }), total({ status: 'rejected' })])).toEqual([1, 1, 0])
  const stranger = await makeClientWithHistory()
  expect(await total({ account: stranger.login })).toBe(0)
})

test('the counts of all lists are returned together, filtered by account and days, up to 200', async () => {
  const { client, login } = await makeClientWithHistory()
  const counts = async (query: Record<string, string> = {}) => {
    const { answer } = await call(server, contract.countTransferHistory, { as: client, query })
    return [answer.deposits, answer.withdrawals, answer.transfers]
  }
  expect(await counts()).toEqual([1, 1, 1])
  expect(await counts({ account: login, from: '2000-01-01' })).toEqual([1, 1, 1])
  expect(await counts({ to: '2000-01-01' })).toEqual([0, 0, 0])
  const stranger = await makeClientWithHistory()
  expect(await counts({ account: stranger.login })).toEqual([0, 0, 0])
  await addDeposits(client, login, contract.historyCountMax)
  expect(await counts()).toEqual([null, 1, 1])
})

/** Adds deposits of a client, a minute apart. */
async function addDeposits(client: MadeClient, login: string, count: number): Promise<void> {
  await run(
    server.dependencies.pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state,
          requested_at, expires_at)
        select ${client.id}, a.id, 'wire', 'Bank Transfer', 'bank', 1000, 'EUR', ${client.id}::text || n, 'cancelled',
          ${server.clock.now()}::timestamptz - n * interval '1 minute', ${server.clock.now()}
        from generate_series(1, ${count}::int) n join trading_accounts a on a.login = ${login}`,
  )
}

test('a list is counted up to 200, and later pages repeat the count of the first one', async () => {
  const { client, login } = await makeClientWithHistory()
  const page = async (query: Record<string, string> = {}) =>
    (await call(server, contract.getTransferHistory, { as: client, query: { list: 'deposits', ...query } })).answer
  const cursorOf = ({ next }: { next: unknown }) => (typeof next === 'string' ? next : '')
  await addDeposits(client, login, contract.historyCountMax - 1)
  const first = await page()
  const second = await page({ cursor: cursorOf(first) })
  expect([first.total, second.total, second.deposits?.length]).toEqual([200, 200, 20])
  const other = await makeClientWithHistory()
  await addDeposits(other.client, other.login, contract.historyCountMax)
  const longer = { as: other.client, query: { list: 'deposits' as const } }
  const beginning = (await call(server, contract.getTransferHistory, longer)).answer
  const on = { ...longer, query: { ...longer.query, cursor: cursorOf(beginning) } }
  expect([beginning.total, (await call(server, contract.getTransferHistory, on)).answer.total]).toEqual([null, null])
})

test('payment methods are named in the reader’s language', async () => {
  const { client } = await makeClientWithHistory()
  const german = { as: client, headers: { 'accept-language': 'de' } }
  const { answer } = await call(server, contract.getTransferHistory, german)
  expect(answer.deposits?.[0]?.depositMethod).toBe('Banküberweisung')
  const csv = await call(server, contract.historyCsv, { ...german, query: { list: 'withdrawals' } })
  expect(csv.bytes.toString()).toContain('Banküberweisung')
  expect(csv.bytes.toString()).toContain('Offen')
})

test('a withdrawal in second approval is found under the status pending', async () => {
  const { client } = await makeClientWithHistory()
  const found = await call(server, contract.getTransferHistory, {
    as: client,
    query: { list: 'withdrawals', status: 'pending' },
  })
  expect(found.answer.withdrawals).toHaveLength(1)
})

test('each list is filtered by the statuses its client sees, not by those of other lists', async () => {
  const { client } = await makeClientWithHistory()
  const found = async (list: contract.HistoryList, status: string) => {
    const { answer } = await call(server, contract.getTransferHistory, { as: client, query: { list, status } })
    return [answer[list]?.length, answer.total]
  }
  expect(await found('deposits', 'approved')).toEqual([1, 1])
  expect(await found('withdrawals', 'pending')).toEqual([1, 1])
  expect(await found('transfers', 'pending')).toEqual([1, 1])
  expect(await found('deposits', 'rejected')).toEqual([0, 0])
  expect(await found('deposits', 'paid')).toEqual([0, 0])
  expect(await found('transfers', 'returned')).toEqual([0, 0])
})

test('the export is a CSV file in which no comment becomes a formula', async () => {
  const { client } = await makeClientWithHistory('=HYPERLINK("http://evil")')
  const reply = await call(server, contract.historyCsv, { as: client, query: { list: 'deposits' } })
  const text = reply.bytes.toString()
  expect(reply.headers['content-type']).toContain('text/csv')
  expect(text).toContain('2026/06/19 10:44:00')
  expect(text).toMatch(/^\uFEFF?Date \(Europe\/London\),/)
  expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`)
  expect(text.trim().split('\n')).toHaveLength(2)
})

test('the statement is a PDF in the reader’s language', async () => {
  const { client } = await makeClientWithHistory()
  const reply = await call(server, contract.historyPdf, { as: client, headers: { 'accept-language': 'de' } })
  expect([reply.status, reply.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  const text = await pdfText(reply.bytes)
  expect(text).toContain('Kontoauszug')
  expect(text).toContain('Gutgeschrieben')
})

test('the statement shows the opening and closing balance of each account in its period', async () => {
  const { client, login } = await makeClientWithHistory()
  const found = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select id from trading_accounts where login = ${login}`,
  )
  for (const [day, minor] of [
    ['2026-05-31', 100_000n],
    ['2026-06-10', 25_000n],
    ['2026-07-01', -4_000n],
  ] as const)
    await transaction(server.dependencies.pool, (tx) =>
      post(tx, new Date(`${day}T22:59:00Z`), { ref: `${login}-${day}`, kind: 'deposit' }, [
        { account: { kind: 'bank', currency: 'EUR', name: 'statement-test' }, minor },
        { account: { kind: 'client', currency: 'EUR', tradingAccount: found?.id ?? '' }, minor: -minor },
      ]),
    )
  const printed = async (query: Record<string, string>) =>
    pdfText((await call(server, contract.historyPdf, { as: client, query: { account: login, ...query } })).bytes)
  const balances = async (query: Record<string, string>) => {
    const text = (await printed(query)).replaceAll(/\s+/g, ' ')
    return /Opening balance Closing balance (?<shown>.*?) Balances in our ledger/.exec(text)?.groups?.['shown']
  }
  expect(await balances({ from: '2026-06-01', to: '2026-06-30' })).toBe(
    `${groupByFour(login).replaceAll(/\s+/g, ' ')} 1,000.00 EUR 1,250.00 EUR`,
  )
  expect(await balances({})).toContain('0.00 EUR 1,210.00 EUR')
  expect(await balances({ from: '2026-07-01' })).toContain('1,250.00 EUR 1,210.00 EUR')
})

test('the statement names its filters and says when it lists only the latest 500 payments', async () => {
  const { client, login } = await makeClientWithHistory()
  const printed = async (query: Record<string, string>) =>
    pdfText((await call(server, contract.historyPdf, { as: client, query })).bytes)
  const part = await printed({ from: '2026-06-01', to: '2026-06-30', account: login, status: 'approved' })
  expect(part).toContain(`From 2026/06/01, until 2026/06/30, account ${groupByFour(login)}, status Approved`)
  expect(part).toContain('(Europe/London)')
  const complete = await printed({})
  expect(complete).not.toMatch(/From 2026|Only the latest/)
  await addDeposits(client, login, 500)
  expect(await printed({})).toContain('Only the latest 500 are shown.')
})

test.each(['Šimić', 'Wałęsa', 'Παπαδόπουλος', 'Щербаков', 'Nguyễn'])(
  'the statement shows the name %s',
  async (surname) => {
    const client = await makeClient(server, { surname })
    const reply = await call(server, contract.historyPdf, { as: client })
    expect(await pdfText(reply.bytes)).toContain(surname)
  },
)

test('a client who is not yet approved has no access to the history', async () => {
  const client = await makeClient(server, { state: 'pending' })
  for (const endpoint of [contract.getTransferHistory, contract.historyPdf]) {
    expect((await call(server, endpoint, { as: client })).status).toBe(403)
  }
})

test('a client can download 60 files an hour, of all types together (requirements 32.5)', async () => {
  const client = await makeClient(server)
  const csv = () => call(server, contract.historyCsv, { as: client, query: { list: 'deposits' } })
  for (let turn = 0; turn < 59; turn += 1) expect((await csv()).status).toBe(200)
  const pdfs = await Promise.all([1, 2].map(() => call(server, contract.historyPdf, { as: client })))
  expect(pdfs.map(({ status }) => status).toSorted()).toEqual([200, 429])
  expect((await csv()).failure.code).toBe('too-many')
})
