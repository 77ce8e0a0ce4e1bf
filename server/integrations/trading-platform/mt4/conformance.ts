/** Conformance checks of a gateway: those of its contract, and the fields of existing accounts. They only read. */
import * as z from 'zod/mini'
import { integrationUrl } from '../../address.ts'
import { ConformanceError, CheckNotRun, requireShape, type ConformanceCheck } from '../../conformance.ts'
import { Unavailable } from '../../errors.ts'
import { callTimeoutMs, httpClient, type HttpClient } from '../../http-client.ts'
import type { PlatformRight } from '../trading-server.ts'
import { openTradesAnswer, rightsAnswer, tradesAnswer } from './answers.ts'
import type { Mt4Options } from './caller.ts'
import {
  lastDayQuery,
  expectAnswer,
  openTradesRequest,
  pathWithoutAccount,
  readingChecks,
  readAccountsRequest,
  assertTradeHistory,
  type GatewayUnderTest,
} from './gateway-contract.ts'
import { writingChecks } from './writing-contract.ts'

const loginsTried = 3

const number = z.string().check(z.regex(/^[1-9]\d{0,17}$/))
const amount = z.string().check(z.regex(/^-?\d{1,15}\.\d{2}$/))

/** The complete shape of docs/mt4-gateway.md. */
const accounts = z.array(
  z.object({
    login: number,
    group: z.string(),
    currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
    name: z.string(),
    comment: z.string(),
    leverage: z.int(),
    enabled: z.boolean(),
    readOnly: z.boolean(),
    openPositions: z.int(),
    balance: amount,
    credit: amount,
    equity: amount,
    margin: amount,
    freeMargin: amount,
    profit: amount,
  }),
)
interface Mt4ConformanceOptions extends Mt4Options {
  /** The text for missing permissions. */
  readonly rightsText: (missing: readonly PlatformRight[]) => string
}

export function mt4Conformance(options: Mt4ConformanceOptions): {
  checks: readonly ConformanceCheck[]
  /** Returns the checks that open an account in a group, like the contract's own checks. */
  opening(group: string): readonly ConformanceCheck[]
  close(): void
} {
  const line = withUnavailableErrors(
    httpClient({
      url: integrationUrl(options.url, 'The MT4 gateway'),
      timeoutMs: options.timeoutMs ?? callTimeoutMs,
      connectionsMax: 2,
      publicOnly: false,
      ...(options.ca !== undefined && { ca: options.ca }),
    }),
  )
  const gateway: GatewayUnderTest = { line, key: options.key, secret: options.secret }
  const [version, ...others] = readingChecks.map(({ name, run }) => ({ name, run: () => run(gateway) }))
  return {
    checks: [
      ...(version === undefined ? [] : [{ ...version, gate: 'run' as const }]),
      {
        name: 'signature',
        gate: 'run',
        async run() {
          await expectAnswer(gateway, { path: '/v2/time' }, 200)
        },
      },
      ...others,
      rightsCheck(gateway, options.rightsText),
      ...accountChecks(gateway),
    ],
    opening: (group) =>
      writingChecks(group).map(({ name, run }, place) => ({
        name,
        run: () => run(gateway),
        // The second opens the account that the others change.
        ...(place === 1 && { gate: 'list' as const }),
      })),
    close: () => line.close(),
  }
}

/** Returns a client for which a call without a response is a failure of the gateway. */
function withUnavailableErrors(line: HttpClient): HttpClient {
  const send: HttpClient['send'] = (request) =>
    line.send(request).catch((error: unknown) => {
      throw new Unavailable(`${request.method} ${pathWithoutAccount(request.path)}: no response`, error)
    })
  return { send, close: () => line.close() }
}

function rightsCheck(gateway: GatewayUnderTest, rightsText: Mt4ConformanceOptions['rightsText']): ConformanceCheck {
  return {
    name: 'permissions of our login',
    async run() {
      const answer = await expectAnswer(gateway, { path: '/v2/rights' }, 200)
      const { missing } = requireShape(rightsAnswer, answer.body, 'rights')
      if (missing.length > 0) throw new ConformanceError(rightsText(missing))
    },
  }
}

/** Returns the checks of accounts with a balance operation in the last day, because the gateway lists no others. */
function accountChecks(gateway: GatewayUnderTest): ConformanceCheck[] {
  let logins: readonly string[] = []
  return [
    {
      name: 'accounts by login',
      gate: 'list',
      async run() {
        const answerBody = (await expectAnswer(gateway, { path: `/v2/balance-operations?${lastDayQuery()}` }, 200)).body
          .operations
        const operations = requireShape(z.array(z.object({ login: number })), answerBody, 'balance-operations')
        logins = [...new Set(operations.map(({ login }) => login))].slice(0, loginsTried)
        if (logins.length === 0) throw new CheckNotRun('no balance operation in the last day names an account')
        const { body } = await expectAnswer(gateway, readAccountsRequest(logins), 200)
        const found = requireShape(accounts, body.accounts, 'accounts')
        if (found.length !== logins.length || found.some(({ login }) => !logins.includes(login)))
          throw new ConformanceError('the response contains accounts that were not requested')
      },
    },
    tradeCheck('positions', async () => {
      return requireShape(openTradesAnswer, await open(), 'open-trades').positions
    }),
    tradeCheck('orders', async () => {
      return requireShape(openTradesAnswer, await open(), 'open-trades').orders
    }),
    tradeCheck('trades', async () => {
      const path = `/v2/trades?logins=${logins.join(',')}&${lastDayQuery()}`
      const { trades } = requireShape(tradesAnswer, (await expectAnswer(gateway, { path }, 200)).body, 'trades')
      return trades.filter(({ kind }) => kind === 'buy' || kind === 'sell')
    }),
  ]

  async function open(): Promise<unknown> {
    return (await expectAnswer(gateway, openTradesRequest(logins), 200)).body
  }

  function tradeCheck(name: string, read: () => Promise<readonly unknown[]>): ConformanceCheck {
    return {
      name,
      async run() {
        await assertTradeHistory(gateway)
        if ((await read()).length === 0)
          throw new CheckNotRun('it answers, but there are none whose fields could be seen')
      },
    }
  }
}
