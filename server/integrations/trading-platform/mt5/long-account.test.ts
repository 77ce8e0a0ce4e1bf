/** All deals and daily reports of one account over many years, with a bounded response to each call. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tradingDay } from '#rules/trading-days.ts'
import { Rejected } from '../../errors.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import type { TradingServer } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import { dealsOfAccount } from './deals.ts'
import { mt5 } from './mt5.ts'

const login = '5100001'
const count = 14_000
const everySeconds = 3 * 3_600
/** The last midnight: the simulator's clock is the real one. */
const end = Math.floor(Date.now() / 86_400_000) * 86_400
const begin = end - count * everySeconds

let simulator: RunningSimulator
let platform: TradingServer
const folder = mkdtempSync(join(tmpdir(), 'long-account-'))

beforeAll(async () => {
  writeFileSync(
    join(folder, 'state.jsonl'),
    `${[account(), ...deals()].map((row) => JSON.stringify(row)).join('\n')}\n`,
  )
  simulator = await startSimulator('mt5', {}, folder)
  platform = mt5({ url: `http://127.0.0.1:${simulator.port}`, login: '1000', password: 'Simulator-1' })
})
afterAll(async () => {
  await platform.close()
  await simulator.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Enabled and with daily reports. */
const rights = 483

function account(): object {
  const facts = { group: 'real\\standard-EUR', name: 'Client 1', email: '', country: 'Germany', leverage: 30, rights }
  const more = { comment: '', id: '', balance: count * 100, credit: 0, registeredAt: begin, passwords: {} }
  return { accounts: { [login]: { login, ...facts, ...more } } }
}

function deals(): object[] {
  return Array.from({ length: count }, (_, index) => {
    const ticket = String(500_000 + index)
    const time = begin + index * everySeconds
    return {
      deals: { [ticket]: { ticket, login, action: 2, amount: 100, comment: '', time, symbol: '', position: '0' } },
    }
  })
}

interface SeenCall {
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly session: number
}

function historyOf({ bulk: { history } }: TradingServer) {
  if (history === null) throw new Error('MetaTrader 5 has trade history')
  return history
}

test('an account with more deals than one response may contain is read without an oversized response', async () => {
  await simulator.turn('reset')
  // Together they have twice the size that is read in one response.
  await simulator.turn('pad-deals', { bytes: 600 })
  const found = await historyOf(platform).deals([login], 0, (end + 86_400) * 1000)
  expect(new Set(found.map(({ ticket }) => ticket)).size).toBe(count)
  expect(found).toHaveLength(count)
  const calls = await simulator.read<SeenCall[]>('calls')
  // A response that is too large ends the session.
  expect(new Set(calls.map(({ session }) => session)).size).toBe(1)
})

test('daily reports are read a year at a time, and each day has one closing balance', async () => {
  await simulator.turn('reset')
  const ends = await historyOf(platform).dayEnds([login], begin * 1000, end * 1000)
  const days = count / (86_400 / everySeconds)
  expect(ends.map(({ day }) => day)).toEqual(
    Array.from({ length: days }, (_, index) => tradingDay((begin + index * 86_400) * 1000)),
  )
  expect(ends.at(-1)?.balance).toBe(BigInt(count) * 100n)
  const calls = (await simulator.read<SeenCall[]>('calls')).filter(({ path }) => path.includes('/daily/'))
  const spans = calls.map(({ parameters: { from, to } }) => (Number(to) - Number(from)) / 86_400)
  expect(spans.length).toBeGreaterThan(1)
  expect(Math.max(...spans)).toBeLessThanOrEqual(366)
})

test('wrong or rejected deal counts do not leave out any period', async () => {
  for (const total of ['0', '20000', 'many', null]) {
    const windows: [number, number][] = []
    const caller: Pick<Mt5Caller, 'list' | 'recordIfAny'> = {
      recordIfAny: () =>
        total === null ? Promise.reject(new Rejected('no-permission', 'mt5:8', '')) : Promise.resolve({ Total: total }),
      list: (_path, { from, to }) => {
        windows.push([Number(from), Number(to)])
        return Promise.resolve([])
      },
    }
    await dealsOfAccount(caller as Mt5Caller, login, 0, end)
    const sorted = windows.toSorted(([one], [other]) => one - other)
    expect([sorted.at(0)?.[0], sorted.at(-1)?.[1]]).toEqual([0, end])
    for (const [index, [from]] of sorted.entries()) if (index > 0) expect(from).toBe((sorted[index - 1]?.[1] ?? 0) + 1)
  }
})
