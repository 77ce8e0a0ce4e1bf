/** Deals of windows that a server cannot return in one response, or not in time. */
import { expect, test } from 'vitest'
import type { Mt5Caller } from './caller.ts'
import { dealsBetween } from './deals.ts'
import { AnswerTooLarge, TimedOut } from './session.ts'

type Query = Readonly<Record<string, string>>

/** Returns a caller that answers lists of deals as `list` does. */
function callerOf(list: (query: Query, bytesMax?: number) => Record<string, unknown>[]) {
  const queries: Query[] = []
  const caller: Pick<Mt5Caller, 'list' | 'texts'> = {
    async list(_path, query, bytesMax) {
      queries.push(query)
      return list(query, bytesMax)
    },
    texts: async (_path, { group }) => [`${group}1`, `${group}2`, `${group}3`],
  }
  return { caller: caller as Mt5Caller, queries }
}

test('a second with too many deals is read with the largest limit, then by groups, then by accounts', async () => {
  const limits = new Set<number | undefined>()
  const { caller, queries } = callerOf(({ login, group, from, to }, bytesMax) => {
    if (from !== to) throw new AnswerTooLarge('')
    limits.add(bytesMax)
    const names = (login ?? group ?? '').split(',')
    if (to !== '1') return []
    if (login === undefined || names.length > 1) throw new AnswerTooLarge('')
    return names.map((name) => ({ Login: name, Time: '1' }))
  })
  const found = await dealsBetween(caller, { group: 'a,b' }, 0, 3)
  expect(found.map(({ Login: login }) => login)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
  expect([...limits]).toEqual([undefined])
  expect(queries.filter(({ group, from, to }) => group === 'a,b' && from === '1' && to === '1')).toHaveLength(1)
})

test('one account with too many deals in one second ends the reading with the failure', async () => {
  const { caller } = callerOf(() => {
    throw new AnswerTooLarge('The response is too large')
  })
  await expect(dealsBetween(caller, { login: '5100001' }, 0, 3)).rejects.toThrow(AnswerTooLarge)
})

test('parts with very many deals are joined', async () => {
  const many = Array.from({ length: 200_000 }, () => ({}))
  const { caller } = callerOf(({ from, to }) => {
    if (from !== to) throw new AnswerTooLarge('')
    return many
  })
  expect(await dealsBetween(caller, { login: '5100001' }, 0, 1)).toHaveLength(400_000)
})

test('a window without a response in time is halved three times at most', async () => {
  const deals = Array.from({ length: 80 }, (_, second) => ({ Time: String(second) }))
  const within = ({ from, to }: Query) =>
    deals.filter(({ Time: time }) => Number(time) >= Number(from) && Number(time) <= Number(to))
  const slow = (secondsMax: number) =>
    callerOf((query) => {
      if (Number(query['to']) - Number(query['from']) >= secondsMax) throw new TimedOut('')
      return within(query)
    })
  expect(await dealsBetween(slow(10).caller, { login: '5100001' }, 0, 79)).toEqual(deals)
  const { caller, queries } = slow(0)
  await expect(dealsBetween(caller, { login: '5100001' }, 0, 79)).rejects.toThrow(TimedOut)
  expect(queries.map(({ from, to }) => `${from}-${to}`)).toEqual(['0-79', '0-39', '0-19', '0-9'])
})
