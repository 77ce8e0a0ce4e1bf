/** Monthly and yearly statements from the simulated platform, whose clock is not the firm's (requirements 24.31 to 24.34). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFailedJob, listFailedJobs, retryJob } from '#contract/office/records.ts'
import * as office from '#contract/office/trading-accounts.ts'
import * as contract from '#contract/statements.ts'
import { money } from '#rules/money.ts'
import { call, makeClient, makeStaff, tokenFor, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { credit, fundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { mailsTo } from '#tests/mails.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

let place: ServerWithPlatform
let client: MadeClient
let account: Awaited<ReturnType<typeof fundedAccount>>
let position: string
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
const own = () => tokenFor(place.server, client)
const list = async () =>
  (await call(place.server, contract.getStatements, { as: await own(), params: params() })).answer
const edition = (number: number) => ({ ...params(), month: '2026-08', edition: String(number) })
const csv = async (number: number) =>
  (await call(place.server, contract.statementCsv, { as: await own(), params: edition(number) })).bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(','))
const pdf = async (number: number) =>
  (
    await pdfText((await call(place.server, contract.statementPdf, { as: await own(), params: edition(number) })).bytes)
  ).replaceAll(/\s+/g, ' ')

/** A month with a bonus, a correction, a deposit, and trades over both ends. */
beforeAll(async () => {
  place = await startServerWithPlatform({ now: new Date('2026-07-30T09:00:00Z') })
  await at('2026-07-30T09:00:00Z')
  await readPlatforms(place.server.dependencies)
  client = await makeClient(place.server)
  account = await fundedAccount(place.server, client, 1_000_000n)
  await open({ symbol: 'XAUUSD', profit: '12.00' })
  await read()
  position = await open({ lots: 0.2, commission: '-1.40' })
  for (let day = 1; day < 32; day += 1) {
    await at(`2026-08-${String(day).padStart(2, '0')}T20:30:00Z`)
    await turn('market/move', { position, profit: `${day - 14}.37`, storage: `-0.${String(day).padStart(2, '0')}` })
    if (day === 5) await turn('deals/write', { login: account.login, action: 6, amount: '200.00' })
    if (day === 7) await turn('deals/write', { login: account.login, action: 5, amount: '-3.33' })
    if (day === 9) await credit(place.server, { ...account, ref: 'D000000009' }, money(25_000n, 'EUR'))
    if (day === 12) await turn('market/close', { position, lots: 0.1, commission: '-0.70' })
    await read()
  }
})
afterAll(() => place.stop())

test('a statement is drawn two days after its month’s end, adds up to the cent and equals the daily reports', async () => {
  await at('2026-09-01T09:00:00Z')
  await read()
  await draw()
  // The month in which it was opened is over two days and more.
  expect((await list()).statements).toMatchObject([
    { month: '2026-08', state: 'due', editions: [] },
    { month: '2026-07', state: 'drawn' },
  ])
  await at('2026-09-02T20:00:00Z')
  await draw()
  expect((await list()).statements[0]?.editions).toEqual([])
  // The third of September begins at the platform.
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
  const report = reports?.find(({ day }) => day === '2026-08-31')
  expect(statements[0]?.closingBalance).toBe(report?.balance)
  const rows = await csv(1)
  const [first, last] = [rows[1] ?? [], rows.at(-1) ?? []]
  const cents = (text = '') => BigInt(text.replace('.', ''))
  const [balance, equity] = [15, 16]
  const bonus = 20_000n
  const moved = rows.slice(2, -1).reduce((sum, cells) => sum + cents(cells[14]), 0n)
  // Half of the opening's commission, charged in July, is with the trade that August closed.
  expect(cents(first[balance]) + moved - bonus + 70n).toBe(cents(last[balance]))
  expect(cents(last[equity])).toBe((report?.balance ?? 0n) + (report?.credit ?? 0n) + (report?.floating ?? 0n))
  const text = await pdf(1)
  for (const words of [
    'Account statement, August 2026',
    'UTC+03:00',
    'Open positions at the end of the month (2)',
    '250.00',
    'XAUUSD',
  ])
    expect(text).toContain(words)
  const mails = (await mailsTo(place.server, client.email)).filter(({ kind }) => kind.startsWith('statement'))
  expect(mails.map(({ kind, facts }) => [kind, facts['month']])).toEqual([
    ['statement-ready', '2026-07'],
    ['statement-ready', '2026-08'],
  ])
})

test('a correction makes a second edition beside the first', async () => {
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
  const mails = (await mailsTo(place.server, client.email)).filter(({ kind }) => kind.startsWith('statement'))
  expect(mails.map(({ kind }) => kind)).toEqual(['statement-ready', 'statement-ready', 'statement-corrected'])
})

test('a year has the sums of its months', async () => {
  const named = { ...params(), year: '2026' }
  const file = await call(place.server, contract.yearCsv, { as: await own(), params: named })
  const [heading, july, august, total] = file.bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  expect(heading).toHaveLength(13)
  expect(august?.slice(0, 2)).toEqual(['2026-08', '2'])
  const cents = (text = '') => BigInt(text.replace('.', ''))
  const amounts = (august ?? []).slice(2, 12).map(cents)
  expect(amounts.slice(0, -1).reduce((sum, one) => sum + one, 0n)).toBe(amounts.at(-1))
  expect(july?.[11]).toBe(august?.[2])
  expect([total?.[2], total?.[11]]).toEqual([july?.[2], august?.[11]])
  const paper = await call(place.server, contract.yearPdf, { as: await own(), params: named })
  expect(await pdfText(paper.bytes)).toContain('August 2026')
})

test('statements of others and those that there are not are not found; staff read them, which is logged', async () => {
  const stranger = await makeClient(place.server)
  const staff = (await makeStaff(place.server, ['operations'])).token
  for (const endpoint of [contract.statementPdf, contract.statementCsv, contract.yearPdf, contract.yearCsv]) {
    const theirs = { ...edition(1), year: '2026' }
    expect((await call(place.server, endpoint, { as: stranger, params: theirs })).status).toBe(404)
    const absent = { ...edition(7), year: '2019' }
    expect((await call(place.server, endpoint, { as: await own(), params: absent })).status).toBe(404)
  }
  const shown = await call(place.server, office.getOfficeStatements, { as: staff, params: params() })
  expect(shown.answer).toEqual(await list())
  const paper = await call(place.server, office.officeStatementPdf, { as: staff, params: edition(1) })
  expect((await pdfText(paper.bytes)).replaceAll(/\s+/g, ' ')).toBe(await pdf(1))
})

test('a statement that does not add up is being checked', async () => {
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
})

test('a statement that stays unfinished is a failed operation, which staff look at again', async () => {
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
