/**
 * Monthly and yearly statements from the simulated platform, whose clock differs from the firm's (requirements 24.31 to
 * 24.34).
 */
import { beforeAll, expect } from 'vitest'
import { listNotifications } from '#contract/notifications.ts'
import { getFailedJob, listFailedJobs, retryJob } from '#contract/office/records.ts'
import * as office from '#contract/office/trading-accounts.ts'
import * as contract from '#contract/statements.ts'
import { approveCorrection, requestCorrection } from '#contract/office/accounting.ts'
import { enterBankTransaction, matchDeposit } from '#contract/office/bank-lines.ts'
import { approveTransfer } from '#contract/office/transfers.ts'
import { getAccountCurve, getTrades } from '#contract/trading-history.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { requestWirePayment } from '#contract/deposits.ts'
import { approveWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { money } from '#rules/money.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import { call, makeClient, makeStaff, clientTokenFor, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { requireRow } from '#server/db/sql.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import {
  makeApprovedBank,
  creditAccount,
  makeFundedAccount,
  settleOperations,
  transferBody,
  wireBody,
  withdrawalBody,
} from '#tests/funded-account.ts'
import { mailsTo } from '#tests/mails.ts'
import { createPaidBatch } from '#tests/payout-batches.ts'
import { story } from '#tests/story.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-07-30T09:00:00Z') })
let client: MadeClient
let account: Awaited<ReturnType<typeof makeFundedAccount>>
let other: typeof account
let position: string
let overEnd: string
let deposit: string
const zoneMinutes = 180

async function at(time: string): Promise<void> {
  place.server.clock.set(new Date(time))
  await place.platform.turn('clock', { at: Date.parse(time) / 1000 + zoneMinutes * 60, zoneMinutes })
}
const turn = (name: string, fields: object) => place.platform.turn(name, fields)
const open = async (fields: object) =>
  ((await turn('market/open', { login: account.login, ...fields })) as { position: string }).position

async function read(): Promise<void> {
  place.server.clock.turn(60)
  await readTrades(place.server.dependencies)
}
const draw = () => drawStatements(place.server.dependencies, storeDocument, place.server.clock.now())
const params = () => ({ platform: 'MT5' as const, number: account.login })
const clientSession = () => clientTokenFor(place.server, client)
/** Parses "1,234.56", "−1.20" or "-1.20". */
const cents = (text = '') => BigInt(text.replaceAll(/[.,]/g, '').replace('−', '-'))
/** Returns the statement emails of the account under test. */
const statementMails = async () =>
  (await mailsTo(place.server, client.email)).filter(
    ({ kind, facts }) => kind.startsWith('statement') && facts['number'] === account.login,
  )
const list = async () =>
  (await call(place.server, contract.getStatements, { as: await clientSession(), params: params() })).answer
const edition = (number: number) => ({ ...params(), month: '2026-08', edition: String(number) })
const csv = async (number: number) =>
  (await call(place.server, contract.statementCsv, { as: await clientSession(), params: edition(number) })).bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(','))
const pdf = async (number: number) =>
  (
    await pdfText(
      (await call(place.server, contract.statementPdf, { as: await clientSession(), params: edition(number) })).bytes,
    )
  ).replaceAll(/\s+/g, ' ')

/** Requests, approves and carries out a transfer, with both legs on the platform. */
async function transfer(from: { login: string }, to: { login: string }, amount: string): Promise<void> {
  const { server } = place
  const body = transferBody(from, to, amount)
  const { answer } = await call(server, requestTransfer, { as: await clientSession(), body })
  const as = await makeStaff(server, ['operations'])
  const approved = await call(server, approveTransfer, { as, params: { id: answer.id }, body: { version: 1 } })
  expect(approved.status).toBe(200)
  await settleOperations(server)
}

/** Requests a bank transfer, enters what the bank received and matches it, so that it is credited. */
async function creditWire(amount: string, bookedOn: string): Promise<void> {
  const { server } = place
  const wire = await call(server, requestWirePayment, { as: await clientSession(), body: wireBody(account, amount) })
  const as = await makeStaff(server, ['operations'])
  const line = {
    bankAccount: 'DE91100000000123456789',
    bankId: 'LINE-AUGUST',
    amount,
    currency: 'EUR',
    payer: 'Hannah Brandt',
    payerAccount: 'DE02 1203 0000 0000 2020 51',
    remittance: '',
    bookedOn,
  }
  const { id: lineId } = (await call(server, enterBankTransaction, { as, body: line })).answer
  const body = { version: 1, lineId, lineVersion: 1 }
  const matched = await call(server, matchDeposit, { as, params: { id: wire.answer.id }, body })
  expect(matched.status).toBe(200)
  await settleOperations(server)
}

/** Requests a withdrawal, has it approved and debited, and sends it to the bank. */
async function payOut(amount: string): Promise<void> {
  const { server } = place
  const body = withdrawalBody(account, await makeApprovedBank(server, client), amount)
  const { id } = (await call(server, requestWithdrawal, { as: await clientSession(), body })).answer
  const as = await makeStaff(server, ['operations'])
  const decision = { version: 1, ...allAcknowledged }
  expect((await call(server, approveWithdrawal, { as, params: { id }, body: decision })).status).toBe(200)
  await settleOperations(server)
  await createPaidBatch(server, [id])
}

/** Returns a deposit to its payer by a correction of two people. */
async function returnDeposit(amount: string): Promise<string> {
  const { server } = place
  const now = server.clock.now()
  const { id: depositId } = await requireRow<{ id: string }>(server.dependencies.pool)`
    insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency, reference,
        state, requested_at, expires_at, approved_at)
      values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 25000, 25000, 'EUR', 'CR-RETURNED', 'approved',
        ${now}, ${now}, ${now}) returning id`
  const body = { accountId: account.id, amount, currency: 'EUR', reason: 'wrong payer', depositId }
  const { id } = (await call(server, requestCorrection, { as: await makeStaff(server, ['finance']), body })).answer
  const as = await makeStaff(server, ['finance'])
  const approved = await call(server, approveCorrection, { as, params: { id }, body: { version: 1, note: '' } })
  expect(approved.status).toBe(200)
  await settleOperations(server)
  return depositId
}

interface WrittenDeal {
  readonly action: number
  readonly amount: string
  readonly comment: string
  readonly time: number
  readonly storage?: number
  readonly commission?: number
  readonly fee?: number
}

/** Returns the rows of the sum in the required order, calculated from the platform's own deals of August. */
async function rowsOfPlatform(): Promise<ReadonlyMap<string, bigint>> {
  const deals = await place.platform.read<WrittenDeal[]>(`deals?login=${account.login}`)
  const sums = new Map<string, bigint>()
  const add = (label: string, minor: bigint) => sums.set(label, (sums.get(label) ?? 0n) + minor)
  const labels = new Map([
    [4, 'Other transactions'],
    [5, 'Other transactions'],
    [6, 'Credit and bonus'],
    [12, 'Other transactions'],
    [18, 'Commission'],
  ])
  for (const { action, amount, comment, time, storage = 0, commission = 0, fee = 0 } of deals) {
    if (time < Date.parse('2026-08-01') / 1000 || time >= Date.parse('2026-09-01') / 1000) continue
    if (action < 2) {
      add('Profit and loss of closed trades', cents(amount))
      add('Swap', BigInt(storage))
      add('Commission', BigInt(commission))
      add('Fees', BigInt(fee))
    } else if (amount === '400.00') add('Deposits', cents(amount))
    else if (amount === '-210.10') add('Withdrawals', cents(amount))
    else if (amount === '-100.25') add('Returned and refunded payments', cents(amount))
    else if (action === 2) add(comment === 'D000000009' ? 'Other transactions' : 'Transfers', cents(amount))
    else add(labels.get(action) ?? 'unknown', cents(amount))
  }
  return sums
}

/**
 * A month with a bonus, a correction, transfers, a deposit and a withdrawal of ours, charges, and trades across both
 * ends.
 */
beforeAll(async () => {
  await at('2026-07-30T09:00:00Z')
  await readPlatforms(place.server.dependencies)
  client = await makeClient(place.server)
  account = await makeFundedAccount(place.server, client, 1_000_000n)
  other = await makeFundedAccount(place.server, client, 200_000n)
  await open({ symbol: 'XAUUSD', notional: '2000.00', profit: '12.00' })
  const overBeginning = await open({ symbol: 'GBPUSD', profit: '8.00', commission: '-1.10' })
  await read()
  position = await open({ lots: 0.2, commission: '-1.40' })
  for (let day = 1; day < 32; day += 1) {
    await at(`2026-08-${String(day).padStart(2, '0')}T20:30:00Z`)
    await turn('market/move', { position, profit: `${day - 14}.37`, storage: `-0.${String(day).padStart(2, '0')}` })
    if (day === 5) await turn('deals/write', { login: account.login, action: 6, amount: '200.00' })
    if (day === 7) await turn('deals/write', { login: account.login, action: 5, amount: '-3.33' })
    if (day === 9) await creditAccount(place.server, { ...account, ref: 'D000000009' }, money(25_000n, 'EUR'))
    if (day === 10) await creditWire('400.00', '2026-08-10')
    if (day === 12) await turn('market/close', { position, lots: 0.1, commission: '-0.70' })
    if (day === 15) await transfer(account, other, '300.00')
    if (day === 17) await payOut('210.10')
    if (day === 18) await transfer(other, account, '120.55')
    if (day === 20) await turn('market/close', { position: overBeginning, storage: '-2.15', fee: '-0.30' })
    if (day === 21) await turn('deals/write', { login: account.login, action: 12, amount: '1.11' })
    if (day === 22) await turn('deals/write', { login: account.login, action: 4, amount: '-0.75' })
    if (day === 23) await turn('deals/write', { login: account.login, action: 18, amount: '0.42' })
    if (day === 24) deposit = await returnDeposit('-100.25')
    if (day === 25)
      overEnd = await open({ symbol: 'USDJPY', lots: 0.3, notional: '3000.00', profit: '-21.40', commission: '-1.05' })
    await read()
  }
})

story('a statement and its corrections', (step) => {
  step(
    'a statement is drawn two days after the end of its month, adds up to the cent and matches the daily reports',
    async () => {
      await at('2026-09-01T09:00:00Z')
      await read()
      await draw()
      // The month in which the account was opened ended more than two days ago.
      expect((await list()).statements).toMatchObject([
        { month: '2026-08', state: 'due', editions: [] },
        { month: '2026-07', state: 'drawn' },
      ])
      await at('2026-09-02T20:00:00Z')
      await draw()
      expect((await list()).statements[0]?.editions).toEqual([])
      // On the platform, 3 September begins.
      await at('2026-09-02T21:00:00Z')
      await read()
      await draw()
      await draw()
      const { statements, years, running } = await list()
      expect(statements).toMatchObject([
        { month: '2026-08', state: 'drawn', editions: [{ edition: 1 }] },
        { month: '2026-07' },
      ])
      expect([years, running?.month]).toEqual([['2026'], '2026-09'])
      const reports = await place.server.dependencies.platforms.MT5.history?.dayEnds(
        [account.login],
        Date.parse('2026-07-31'),
        Date.parse('2026-09-02'),
      )
      const [before, report] = ['2026-07-31', '2026-08-31'].map((on) => reports?.find(({ day }) => day === on))
      const equityOf = (end = report) => (end?.balance ?? 0n) + (end?.credit ?? 0n) + (end?.floating ?? 0n)
      expect(statements[0]?.closingBalance).toBe(report?.balance)
      const rows = await csv(1)
      expect([rows[0]?.[0], rows[0]?.[4]].map((cell) => cell?.replace('\uFEFF', ''))).toEqual([
        'Date (UTC+03:00)',
        'Opened (UTC+03:00)',
      ])
      const german = await call(place.server, contract.statementCsv, {
        as: await clientSession(),
        params: edition(1),
        headers: { 'accept-language': 'de' },
      })
      expect(german.bytes.toString()).toMatch(/^\uFEFF?Datum \(UTC\+03:00\),[^\n]*,Eröffnet \(UTC\+03:00\),/)
      const [first, last] = [rows[1] ?? [], rows.at(-1) ?? []]
      const [balance, equity] = [15, 16]
      const bonus = 20_000n
      const moved = rows.slice(2, -1).reduce((sum, cells) => sum + cents(cells[14]), 0n)
      // Opening costs paid in July belong to the trades closed in August: half for one, all for another. Opening costs
      // paid in August belong to a trade closed in September.
      expect(cents(first[balance]) + moved - bonus + 70n + 110n - 105n).toBe(cents(last[balance]))
      expect(cents(last[equity])).toBe(equityOf(report))
      const text = await pdf(1)
      const sum = text.slice(text.indexOf('Opening equity'))
      const amountOf = (label: string) => {
        const found = new RegExp(`${label} ([−\\d,.]+)`).exec(sum)?.[1]
        return found === undefined ? undefined : cents(found)
      }
      expect([amountOf('Opening equity'), amountOf('Closing equity')]).toEqual([equityOf(before), equityOf(report)])
      const moving = await rowsOfPlatform()
      expect([...moving.keys()].toSorted()).toEqual([
        'Commission',
        'Credit and bonus',
        'Deposits',
        'Fees',
        'Other transactions',
        'Profit and loss of closed trades',
        'Returned and refunded payments',
        'Swap',
        'Transfers',
        'Withdrawals',
      ])
      expect([moving.get('Deposits'), moving.get('Withdrawals')]).toEqual([40_000n, -21_010n])
      for (const [label, minor] of moving) expect([label, amountOf(label)]).toEqual([label, minor])
      const floating = (report?.floating ?? 0n) - (before?.floating ?? 0n)
      expect(amountOf('Change in unrealised P&L')).toBe(floating)
      expect(equityOf(before) + [...moving.values()].reduce((all, one) => all + one, 0n) + floating).toBe(
        equityOf(report),
      )
      for (const words of [
        'Account statement, August 2026',
        'UTC+03:00',
        'Open positions at the end of the month (3)',
        '250.00',
        'XAUUSD',
      ])
        expect(text).toContain(words)
      const mails = await statementMails()
      expect(mails.map(({ kind, facts }) => [kind, facts['month']])).toEqual([
        ['statement-ready', '2026-07'],
        ['statement-ready', '2026-08'],
      ])
      const { notices } = (await call(place.server, listNotifications, { as: await clientSession() })).answer
      expect(notices.map(({ text }) => text)).toContain(
        `Your statement of account ${groupByFour(account.login)} for August 2026 is ready`,
      )
    },
  )

  step('the end-of-day values match the platform’s daily reports', async () => {
    const { dependencies } = place.server
    const read = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
    await fetchSnapshot(dependencies.pool, dependencies, read, place.server.clock.now())
    const { answer } = await call(place.server, getAccountCurve, {
      as: await clientSession(),
      params: params(),
      query: { period: '3m' },
    })
    expect(answer).toMatchObject({ beingChecked: false })
    expect(answer.marks.find(({ amount }) => amount === -10_025n)).toMatchObject({
      list: 'deposits',
      id: deposit,
      reference: 'CR-RETURNED',
      returned: true,
    })
    const reports = await place.server.dependencies.platforms.MT5.history?.dayEnds(
      [account.login],
      Date.parse('2026-07-30'),
      Date.parse('2026-09-02'),
    )
    const ends = (reports ?? []).map(({ day, balance, credit: bonus, floating }) => {
      return { day, balance, equity: balance + bonus + floating }
    })
    expect(ends.length).toBeGreaterThan(30)
    const shown = new Map(answer.points.map((point) => [point.day, point]))
    // A weekend without movements has no point.
    expect(ends.filter(({ day }) => shown.has(day)).length).toBeGreaterThan(21)
    for (const end of ends) if (shown.has(end.day)) expect(shown.get(end.day)).toEqual(end)
  })

  step(
    'a trade that closes after the end of the month is in the next month’s closed trades, with its opening costs',
    async () => {
      await turn('market/close', { position: overEnd })
      await read()
      const { answer } = await call(place.server, getTrades, { as: await clientSession(), params: params(), query: {} })
      expect(answer.trades[0]).toMatchObject({ position: overEnd, profit: -2_140n, commission: -105n, result: -2_245n })
    },
  )

  step('a corrected deal produces a second edition and leaves the first unchanged', async () => {
    const before = await pdf(1)
    await at('2026-09-10T09:00:00Z')
    const ticket = (await csv(1)).find(([, type]) => type === 'Closed trade')?.[3]
    await turn('deals/change', { ticket, amount: '99.99' })
    await read()
    await read()
    await draw()
    expect((await list()).statements[0]?.editions).toHaveLength(1)
    await at('2026-09-10T11:00:00Z')
    await read()
    await draw()
    await draw()
    const { statements } = await list()
    expect(statements[0]).toMatchObject({ state: 'drawn', editions: [{ edition: 2 }, { edition: 1 }] })
    expect(await pdf(1)).toBe(before)
    expect(await pdf(2)).toContain('99.99')
    const mails = await statementMails()
    expect(mails.map(({ kind }) => kind)).toEqual(['statement-ready', 'statement-ready', 'statement-corrected'])
  })

  step('a yearly statement has the sums of its months', async () => {
    const named = { ...params(), year: '2026' }
    const file = await call(place.server, contract.yearCsv, { as: await clientSession(), params: named })
    const [heading, ...lines] = file.bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    expect(heading).toHaveLength(14)
    expect(lines.map(([month, number, , , , , , , , , , , , remark]) => [month, number, remark])).toEqual([
      ...['01', '02', '03', '04', '05', '06'].map((one) => [`2026-${one}`, '', 'The account had not been opened.']),
      ['2026-07', '1', ''],
      ['2026-08', '2', ''],
      ...['09', '10', '11', '12'].map((one) => [`2026-${one}`, '', 'The month has not ended.']),
      ['Total', '', ''],
    ])
    const [july, august, total] = [lines[6], lines[7], lines.at(-1)]
    expect(august?.slice(0, 2)).toEqual(['2026-08', '2'])
    const amounts = (august ?? []).slice(2, 12).map(cents)
    expect(amounts.slice(0, -1).reduce((sum, one) => sum + one, 0n)).toBe(amounts.at(-1))
    expect(july?.[11]).toBe(august?.[2])
    expect([total?.[2], total?.[11]]).toEqual([july?.[2], august?.[11]])
    const paper = await call(place.server, contract.yearPdf, { as: await clientSession(), params: named })
    const printed = (await pdfText(paper.bytes)).replaceAll(/\s+/g, ' ')
    expect(printed).toContain('August 2026')
    expect(printed).toContain('January 2026 to June 2026 The account had not been opened.')
    expect(printed).toContain('September 2026 to December 2026 The month has not ended.')
  })

  step('other clients’ and missing statements are not found; staff can read statements', async () => {
    const stranger = await makeClient(place.server)
    const staff = (await makeStaff(place.server, ['operations'])).token
    for (const endpoint of [contract.statementPdf, contract.statementCsv, contract.yearPdf, contract.yearCsv]) {
      const theirs = { ...edition(1), year: '2026' }
      expect((await call(place.server, endpoint, { as: stranger, params: theirs })).status).toBe(404)
      const absent = { ...edition(7), year: '2019' }
      expect((await call(place.server, endpoint, { as: await clientSession(), params: absent })).status).toBe(404)
      const before = { ...edition(1), month: '0000-08', year: '0000' }
      expect((await call(place.server, endpoint, { as: await clientSession(), params: before })).status).toBe(400)
    }
    const shown = await call(place.server, office.getOfficeStatements, { as: staff, params: params() })
    expect(shown.answer).toEqual(await list())
    const paper = await call(place.server, office.officeStatementPdf, { as: staff, params: edition(1) })
    expect((await pdfText(paper.bytes)).replaceAll(/\s+/g, ' ')).toBe(await pdf(1))
  })

  step('a statement that does not add up has the status checking', async () => {
    await at('2026-09-30T20:30:00Z')
    await read()
    await at('2026-10-01T09:00:00Z')
    await turn('deals/write', { login: account.login, action: 77, amount: '1.00' })
    await read()
    await at('2026-11-01T09:00:00Z')
    await read()
    await at('2026-11-05T09:00:00Z')
    await read()
    await draw()
    const { statements } = await list()
    expect(statements.find(({ month }) => month === '2026-10')).toMatchObject({ state: 'checking', editions: [] })
    const named = { ...params(), year: '2026' }
    const paper = await call(place.server, contract.yearPdf, { as: await clientSession(), params: named })
    expect((await pdfText(paper.bytes)).replaceAll(/\s+/g, ' ')).toContain(
      'October 2026 The statement is being checked.',
    )
  })

  step('a statement that remains unfinished is a failed operation, which staff can retry', async () => {
    const failed = async (as: MadeStaff) =>
      (await call(place.server, listFailedJobs, { as, query: { source: 'statement' } })).answer.rows.filter(
        ({ client: owner }) => owner?.id === client.id,
      )
    expect(await failed(await makeStaff(place.server, ['operations']))).toEqual([])
    for (const hour of ['11', '13']) {
      await at(`2026-11-05T${hour}:00:00Z`)
      await read()
      await draw()
    }
    const as = await makeStaff(place.server, ['operations'])
    const [one] = await failed(as)
    expect(one).toMatchObject({ state: 'not-agreed', tries: 3, kind: 'draw-statement', meaning: 'statement-waits' })
    expect(one?.ref).toBe(`MT5 ${account.login} 2026-10`)
    const params = { source: 'statement', id: one?.id ?? '' } as const
    expect((await call(place.server, getFailedJob, { as, params })).answer.job.refusal).toBeNull()
    await draw()
    expect((await failed(as))[0]?.tries).toBe(3)
    expect((await call(place.server, retryJob, { as, params, body: { reason: 'corrected' } })).status).toBe(200)
    await draw()
    expect((await failed(as))[0]?.tries).toBe(4)
    const absent = { ...params, id: params.id.replace('2026-10', '2026-08') }
    const refused = await call(place.server, retryJob, { as, params: absent, body: { reason: 'corrected' } })
    expect(refused.failure.code).toBe('job-gone')
  })
})
