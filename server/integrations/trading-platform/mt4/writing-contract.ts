/** The writing part of the gateway's contract: an account is opened, changed and disabled. */
import { randomUUID } from 'node:crypto'
import { conformanceComment } from '../../conformance.ts'
import {
  lastDayQuery,
  expectAnswer,
  decimalPattern,
  listIn,
  assertContract,
  numberPattern,
  openTradesRequest,
  readAccountsRequest,
  hasTradeHistory,
  sendSigned,
  type ContractCheck,
} from './gateway-contract.ts'

/** Returns checks that open one account in `group`, deposit and withdraw 0.01 and disable it. */
export function writingChecks(group: string): readonly ContractCheck[] {
  const comment = conformanceComment()
  const opening = {
    group,
    name: 'Conformance Check',
    email: 'conformance@example.com',
    country: 'Germany',
    leverage: 30,
    comment,
    passwords: { main: 'Quince-71a', investor: 'Harbour-71a' },
  }
  let login = ''
  const account = () => `/v2/accounts/${login}`
  const book = (amount: string, text: string, key: string) => ({
    method: 'POST' as const,
    path: `${account()}/balance`,
    body: { amount, comment: text, checkMargin: true },
    key,
  })
  return [
    {
      name: 'refuses a misspelt property, a text that is too long and an unknown group',
      async run(gateway) {
        const post = { method: 'POST', path: '/v2/accounts' } as const
        const send = (body: object, code: string, status = 400) =>
          expectAnswer(gateway, { ...post, body, key: randomUUID() }, status, code)
        await send({ ...opening, Email: 'x' }, 'bad_request')
        await send({ ...opening, email: `${'e'.repeat(48)}@example.com` }, 'bad_request')
        await send({ ...opening, group: 'no-such-group' }, 'bad_group', 422)
        await expectAnswer(gateway, { ...post, body: opening }, 400, 'bad_request')
      },
    },
    {
      name: 'opens an account once under one key, and finds it by its comment',
      async run(gateway) {
        const call = { method: 'POST', path: '/v2/accounts', body: opening, key: randomUUID() } as const
        login = String((await expectAnswer(gateway, call, 201)).body.login)
        assertContract(numberPattern.test(login), 'The answer has no login')
        assertContract(
          String((await expectAnswer(gateway, call, 201)).body.login) === login,
          'The same key opened another account',
        )
        await expectAnswer(gateway, { ...call, body: { ...opening, leverage: 20 } }, 409, 'conflict')
        const found = listIn(await expectAnswer(gateway, { path: `/v2/accounts?ref=${comment}` }, 200), 'accounts')
        assertContract(found.length === 1 && found[0]?.login === login, 'The account is not found by its comment')
      },
    },
    {
      name: 'shows its figures, alone and among many',
      async run(gateway) {
        const alone = (await expectAnswer(gateway, { path: account() }, 200)).body
        for (const name of ['balance', 'credit', 'equity', 'margin', 'freeMargin', 'profit'])
          assertContract(decimalPattern.test(String(alone[name])), `${name} is not a decimal with two places`)
        assertContract(
          alone.group === group && alone.leverage === 30 && alone.enabled === true,
          'The account is not as opened',
        )
        assertContract(alone.openPositions === 0, 'The account has open positions')
        const [many] = listIn(await expectAnswer(gateway, readAccountsRequest([login, '999999999']), 200), 'accounts')
        assertContract(
          JSON.stringify(many) === JSON.stringify(alone),
          'Among many the account is another one than alone',
        )
        if (!(await hasTradeHistory(gateway))) return
        const open = await expectAnswer(gateway, openTradesRequest([login]), 200)
        assertContract(listIn(open, 'positions').length + listIn(open, 'orders').length === 0, 'Something is open')
        const trades = await expectAnswer(gateway, { path: `/v2/trades?logins=${login}&${lastDayQuery()}` }, 200)
        assertContract(listIn(trades, 'trades').length === 0, 'The account has trades')
      },
    },
    {
      name: 'books an amount once under one key, refuses more than there is, and tells what it booked',
      async run(gateway) {
        const [there, back] = [conformanceComment(), conformanceComment()]
        const deposit = book('0.01', there, there)
        const atOnce = await Promise.all([deposit, deposit].map((call) => sendSigned(gateway, call)))
        assertContract(
          atOnce.every(({ status, body }) => status === 200 || (status === 504 && body.code === 'timeout')),
          'Of two calls at once under one key, one was neither carried out nor ended as timeout',
        )
        const { ticket } = (await expectAnswer(gateway, deposit, 200)).body
        assertContract(numberPattern.test(String(ticket)), 'The answer has no ticket')
        assertContract((await expectAnswer(gateway, deposit, 200)).body.ticket === ticket, 'The same key booked again')
        await expectAnswer(gateway, book('0.02', there, there), 409, 'conflict')
        await expectAnswer(gateway, book('-1000000.00', back, randomUUID()), 422, 'no_money')
        for (const wrong of ['', 'c'.repeat(32)])
          await expectAnswer(gateway, book('0.01', wrong, randomUUID()), 400, 'bad_request')
        await expectAnswer(gateway, book('-0.01', back, back), 200)
        for (const path of [`${account()}/balance-operations?`, `/v2/balance-operations?logins=${login}&`]) {
          const operations = listIn(
            await expectAnswer(gateway, { path: `${path}${lastDayQuery()}` }, 200),
            'operations',
          )
          const shown = operations.map((one) => `${String(one.comment)} ${String(one.amount)}`)
          assertContract(shown.join() === `${there} 0.01,${back} -0.01`, `${path} tells ${shown.join()}`)
        }
        if (await hasTradeHistory(gateway)) {
          const trades = await expectAnswer(gateway, { path: `/v2/trades?logins=${login}&${lastDayQuery()}` }, 200)
          const booked = listIn(trades, 'trades').map((one) => `${String(one.kind)} ${String(one.profit)}`)
          assertContract(booked.join() === 'balance 0.01,balance -0.01', `/v2/trades tells ${booked.join()}`)
        }
      },
    },
    {
      name: 'changes leverage, password and being enabled, and answers the account',
      async run(gateway) {
        const change = async (body: object) =>
          (await expectAnswer(gateway, { method: 'PATCH', path: account(), body, key: randomUUID() }, 200)).body
        assertContract((await change({ leverage: 20 })).leverage === 20, 'The leverage is not 20')
        assertContract((await change({ leverage: 30 })).leverage === 30, 'The leverage is not 30 again')
        await expectAnswer(
          gateway,
          {
            method: 'POST',
            path: `${account()}/password`,
            body: { type: 'main', password: 'a' },
            key: randomUUID(),
          },
          422,
          'bad_password',
        )
        assertContract((await change({ enabled: false })).enabled === false, 'The account is still enabled')
      },
    },
  ]
}
