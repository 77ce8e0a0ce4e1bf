/** The gateway's contract as a list of checks (docs/mt4-gateway.md), which every gateway must pass. */
import { hourMs } from '#rules/dates.ts'
import { type HttpClient, jsonObject } from '../../http-client.ts'
import { ConformanceError, CheckNotRun } from '../../conformance.ts'
import { signedRequest, type UnsignedCall } from './signature.ts'

export interface GatewayUnderTest {
  readonly line: HttpClient
  readonly key: string
  readonly secret: string
}

interface ContractRequest extends Omit<UnsignedCall, 'method'> {
  /** GET if absent. */
  readonly method?: UnsignedCall['method']
  /** Signs with another time than the current one. */
  readonly seconds?: number
}

export interface ContractCheck {
  readonly name: string
  /** Throws a sentence if the gateway violates the contract. */
  run(gateway: GatewayUnderTest): Promise<void>
}

interface ContractResponse {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends one signed call and returns the response, whatever its status. */
export async function sendSigned(gateway: GatewayUnderTest, asked: ContractRequest): Promise<ContractResponse> {
  const answer = await gateway.line.send(signedRequest(gateway, { method: 'GET', ...asked }, asked.seconds))
  return { status: answer.status, body: jsonObject(answer.body) ?? {} }
}

export function assertContract(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new ConformanceError(sentence)
}

/**
 * Calls the gateway and returns its response. Throws `ConformanceError` for another status or code than the contract
 * requires.
 */
export async function expectAnswer(
  gateway: GatewayUnderTest,
  asked: ContractRequest,
  status: number,
  code?: string,
): Promise<ContractResponse> {
  const answer = await sendSigned(gateway, asked)
  const message = `${asked.method ?? 'GET'} ${pathWithoutAccount(asked.path)} answered ${answer.status} ${codeIn(answer)}`
  assertContract(answer.status === status && (code === undefined || answer.body.code === code), message)
  return answer
}

/** Returns a path without the parts that identify an account. */
export function pathWithoutAccount(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/accounts\/\d+/, '/accounts/{login}')
}

/** Returns the code of a response if it is a word; any other text is not repeated. */
function codeIn({ body: { code } }: ContractResponse): string {
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'without a code'
}

export const decimalPattern = /^-?\d{1,15}\.\d{2}$/
export const numberPattern = /^[1-9]\d{0,17}$/
/** Returns the query for the last day. */
export const lastDayQuery = () => {
  const now = Date.now()
  return `from=${new Date(now - 24 * hourMs).toISOString()}&to=${new Date(now + hourMs).toISOString()}`
}

export function listIn(answer: ContractResponse, name: string): Record<string, unknown>[] {
  const list = answer.body[name]
  assertContract(Array.isArray(list), `${name} is not a list`)
  return list as Record<string, unknown>[]
}

/** Returns the call that reads many accounts. */
export const readAccountsRequest = (logins: readonly string[]): ContractRequest => ({
  method: 'POST',
  path: '/v2/accounts/read',
  body: { logins },
})

/** Returns the call that reads the open trades of many accounts. */
export const openTradesRequest = (logins: readonly string[]): ContractRequest => ({
  method: 'POST',
  path: '/v2/open-trades',
  body: { logins },
})

/** Throws `CheckNotRun` for a gateway of the contract's first edition, which has no trades of all accounts. */
export async function assertTradeHistory(gateway: GatewayUnderTest): Promise<void> {
  if (!(await hasTradeHistory(gateway)))
    throw new CheckNotRun('it names no tradeHistory: pages of accounts will name the terminal')
}

export async function hasTradeHistory({ line }: GatewayUnderTest): Promise<boolean> {
  const answer = await line.send({ method: 'GET', path: '/healthz', headers: {} })
  return jsonObject(answer.body)?.tradeHistory === true
}

function isInTicketOrder(rows: readonly Record<string, unknown>[]): boolean {
  const tickets = rows.map(({ ticket }) => Number(ticket))
  return tickets.every((ticket, place) => place === 0 || ticket > (tickets[place - 1] ?? 0))
}

/** Checks that change nothing. */
export const readingChecks: readonly ContractCheck[] = [
  {
    name: 'names its version without a signature',
    async run({ line }) {
      const answer = await line.send({ method: 'GET', path: '/healthz', headers: {} })
      const body = jsonObject(answer.body)
      assertContract(
        answer.status === 200 && body?.ok === true && body.contract === 2,
        'GET /healthz names no contract 2',
      )
    },
  },
  {
    name: 'says that it treats repeated writes as agreed',
    async run({ line }) {
      const answer = await line.send({ method: 'GET', path: '/healthz', headers: {} })
      assertContract(
        jsonObject(answer.body)?.repeats === true,
        'GET /healthz names no repeats: an operation may be blocked by its first answer, busy or timeout',
      )
    },
  },
  {
    name: 'answers a bare 403 to another secret and to a signature of an hour ago',
    async run(gateway) {
      await expectAnswer({ ...gateway, secret: `${gateway.secret}x` }, { path: '/v2/time' }, 403)
      await expectAnswer(gateway, { path: '/v2/time', seconds: Math.floor(Date.now() / 1000) - 3600 }, 403)
    },
  },
  {
    name: 'tells the time in UTC',
    async run(gateway) {
      const { time } = (await expectAnswer(gateway, { path: '/v2/time' }, 200)).body
      assertContract(typeof time === 'string' && /(Z|\+00:00)$/.test(time), 'The time is not ISO 8601 in UTC')
      assertContract(Math.abs(Date.parse(time) - Date.now()) < hourMs, 'The time is more than an hour off')
    },
  },
  {
    name: 'names the rights that it lacks',
    async run(gateway) {
      const { missing } = (await expectAnswer(gateway, { path: '/v2/rights' }, 200)).body
      assertContract(Array.isArray(missing), 'missing is not a list')
      const known = ['accounts', 'money', 'personal-data', 'deals']
      assertContract(
        missing.every((right) => known.includes(String(right))),
        'missing names a right that the contract does not have',
      )
    },
  },
  {
    name: 'lists its groups with currency and shortest password',
    async run(gateway) {
      for (const group of listIn(await expectAnswer(gateway, { path: '/v2/groups' }, 200), 'groups')) {
        const { name, currency, passwordMin } = group
        assertContract(
          typeof name === 'string' && Buffer.byteLength(name) <= 15,
          'A group has no name of up to 15 bytes',
        )
        assertContract(
          typeof currency === 'string' && typeof passwordMin === 'number',
          `The group ${name} says too little`,
        )
      }
    },
  },
  {
    name: 'has no account 999999999, alone or among others',
    async run(gateway) {
      await expectAnswer(gateway, { path: '/v2/accounts/999999999' }, 404, 'not_found')
      const many = await expectAnswer(gateway, readAccountsRequest(['999999999']), 200)
      assertContract(listIn(many, 'accounts').length === 0, 'An unknown login is listed')
    },
  },
  {
    name: 'takes a thousand logins in a body, and no more',
    async run(gateway) {
      const logins = Array.from({ length: 1001 }, (_, place) => String(999_000_000 + place))
      const most = await expectAnswer(gateway, readAccountsRequest(logins.slice(0, -1)), 200)
      assertContract(listIn(most, 'accounts').length === 0, 'Unknown logins are listed')
      await expectAnswer(gateway, readAccountsRequest(logins), 400, 'bad_request')
    },
  },
  {
    name: 'tells balance operations over all accounts, by ticket',
    async run(gateway) {
      const answer = await expectAnswer(gateway, { path: `/v2/balance-operations?${lastDayQuery()}` }, 200)
      const listed = listIn(answer, 'operations')
      assertContract(listed.length <= 100 && 'next' in answer.body, 'A page has more than 100 operations, or no next')
      for (const one of listed) {
        assertContract(
          numberPattern.test(String(one.ticket)) && numberPattern.test(String(one.login)),
          'Ticket or login is wrong',
        )
        assertContract(
          decimalPattern.test(String(one.amount)) && typeof one.currency === 'string',
          'Amount or currency is wrong',
        )
      }
      assertContract(isInTicketOrder(listed), 'Operations are not in the order of their tickets')
    },
  },
  {
    name: 'tells what was opened, closed, booked or changed over all accounts, by ticket',
    async run(gateway) {
      await assertTradeHistory(gateway)
      const day = lastDayQuery()
      const answer = await expectAnswer(gateway, { path: `/v2/trades?${day}` }, 200)
      const trades = listIn(answer, 'trades')
      assertContract(trades.length <= 1000 && 'next' in answer.body, 'A page has more than 1000 trades, or no next')
      assertContract(isInTicketOrder(trades), 'Trades are not in the order of their tickets')
      const query = new URLSearchParams(day)
      const [from = 0, to = 0] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''))
      for (const { changedAt, closedAt, closePrice } of trades) {
        const changed = Date.parse(String(changedAt))
        assertContract(
          changed >= from - 1000 && changed <= to + 1000,
          'A trade was changed at another time than was asked for',
        )
        assertContract(
          (closedAt === null) === (closePrice === null),
          'A trade has one of closedAt and closePrice alone',
        )
      }
      const operations = await expectAnswer(gateway, { path: `/v2/balance-operations?${day}` }, 200)
      if (answer.body.next !== null || operations.body.next !== null) return
      const booked = new Set(trades.flatMap(({ kind, ticket }) => (kind === 'balance' ? [ticket] : [])))
      assertContract(
        listIn(operations, 'operations').every(({ ticket }) => booked.has(ticket)),
        'A balance operation is not among the trades',
      )
    },
  },
  {
    name: 'refuses lists of trades without a time or with too many names',
    async run(gateway) {
      await assertTradeHistory(gateway)
      const logins = Array.from({ length: 101 }, (_, place) => String(999_000_000 + place)).join(',')
      for (const path of [
        '/v2/trades',
        `/v2/trades?${lastDayQuery()}&logins=1&groups=a`,
        `/v2/trades?${lastDayQuery()}&logins=${logins}`,
      ])
        await expectAnswer(gateway, { path }, 400, 'bad_request')
      await expectAnswer(gateway, { method: 'POST', path: '/v2/open-trades', body: {} }, 400, 'bad_request')
      const tooMany = Array.from({ length: 1001 }, (_, place) => String(999_000_000 + place))
      await expectAnswer(gateway, openTradesRequest(tooMany), 400, 'bad_request')
    },
  },
]
