/** The gateway's contract as a list of checks (docs/mt4-gateway.md), which every gateway must pass. */
import { type HttpClient, jsonObject } from '../../http-client.ts'
import { Differs, NotTried } from '../../conformance.ts'
import { gatewaySignature } from './signature.ts'

export interface GatewayUnderTest {
  readonly line: HttpClient
  readonly key: string
  readonly secret: string
}

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
  readonly key?: string
  /** Signs with another time than the current one. */
  readonly seconds?: number
}

export interface ContractCheck {
  readonly name: string
  /** Throws a sentence if the gateway violates the contract. */
  run(gateway: GatewayUnderTest): Promise<void>
}

interface Answered {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends one signed call and returns the response, whatever its status. */
export async function ask({ line, key, secret }: GatewayUnderTest, asked: Asked): Promise<Answered> {
  const { method = 'GET', path } = asked
  const body = asked.body === undefined ? undefined : Buffer.from(JSON.stringify(asked.body))
  const seconds = String(asked.seconds ?? Math.floor(Date.now() / 1000))
  const answer = await line.send({
    method,
    path,
    headers: {
      accept: 'application/json',
      'x-gateway-key': key,
      'x-gateway-time': seconds,
      'x-gateway-signature': gatewaySignature(secret, { seconds, method, path, body: body ?? Buffer.alloc(0) }),
      ...(asked.key !== undefined && { 'idempotency-key': asked.key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  return { status: answer.status, body: jsonObject(answer.body) ?? {} }
}

export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Differs(sentence)
}

/**
 * Calls the gateway and returns its response. Throws `Differs` for another status or code than the contract requires.
 */
export async function answers(
  gateway: GatewayUnderTest,
  asked: Asked,
  status: number,
  code?: string,
): Promise<Answered> {
  const answer = await ask(gateway, asked)
  const said = `${asked.method ?? 'GET'} ${pathShown(asked.path)} answered ${answer.status} ${codeIn(answer)}`
  must(answer.status === status && (code === undefined || answer.body.code === code), said)
  return answer
}

/** Returns a path without the parts that identify an account. */
export function pathShown(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/accounts\/\d+/, '/accounts/{login}')
}

/** Returns the code of a response if it is a word; any other text is not repeated. */
function codeIn({ body: { code } }: Answered): string {
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'without a code'
}

export const decimalPattern = /^-?\d{1,15}\.\d{2}$/
export const numberPattern = /^[1-9]\d{0,17}$/
const hourMs = 3_600_000
/** Returns the query for the last day. */
export const aDay = () => {
  const now = Date.now()
  return `from=${new Date(now - 24 * hourMs).toISOString()}&to=${new Date(now + hourMs).toISOString()}`
}

export function listIn(answer: Answered, name: string): Record<string, unknown>[] {
  const list = answer.body[name]
  must(Array.isArray(list), `${name} is no list`)
  return list as Record<string, unknown>[]
}

/** Returns the call that reads many accounts. */
export const readingOf = (logins: readonly string[]): Asked => ({
  method: 'POST',
  path: '/v2/accounts/read',
  body: { logins },
})

/** Returns the call that reads the open trades of many accounts. */
export const openTradesOf = (logins: readonly string[]): Asked => ({
  method: 'POST',
  path: '/v2/open-trades',
  body: { logins },
})

/** Throws `NotTried` for a gateway of the contract's first edition, which has no trades of all accounts. */
export async function tradesTold(gateway: GatewayUnderTest): Promise<void> {
  if (!(await tellsTrades(gateway)))
    throw new NotTried('it names no tradeHistory: pages of accounts will name the terminal')
}

export async function tellsTrades({ line }: GatewayUnderTest): Promise<boolean> {
  const answer = await line.send({ method: 'GET', path: '/healthz', headers: {} })
  return jsonObject(answer.body)?.tradeHistory === true
}

function inOrder(rows: readonly Record<string, unknown>[]): boolean {
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
      must(answer.status === 200 && body?.ok === true && body.contract === 2, 'GET /healthz names no contract 2')
    },
  },
  {
    name: 'answers a bare 403 to another secret and to a signature of an hour ago',
    async run(gateway) {
      await answers({ ...gateway, secret: `${gateway.secret}x` }, { path: '/v2/time' }, 403)
      await answers(gateway, { path: '/v2/time', seconds: Math.floor(Date.now() / 1000) - 3600 }, 403)
    },
  },
  {
    name: 'tells the time in UTC',
    async run(gateway) {
      const { time } = (await answers(gateway, { path: '/v2/time' }, 200)).body
      must(typeof time === 'string' && /(Z|\+00:00)$/.test(time), 'The time is not ISO 8601 in UTC')
      must(Math.abs(Date.parse(time) - Date.now()) < hourMs, 'The time is more than an hour off')
    },
  },
  {
    name: 'names the rights that it lacks',
    async run(gateway) {
      const { missing } = (await answers(gateway, { path: '/v2/rights' }, 200)).body
      must(Array.isArray(missing), 'missing is no list')
      const known = ['accounts', 'money', 'personal-data', 'deals']
      must(
        missing.every((right) => known.includes(String(right))),
        'missing names a right that the contract does not have',
      )
    },
  },
  {
    name: 'lists its groups with currency and shortest password',
    async run(gateway) {
      for (const group of listIn(await answers(gateway, { path: '/v2/groups' }, 200), 'groups')) {
        const { name, currency, passwordMin } = group
        must(typeof name === 'string' && Buffer.byteLength(name) <= 15, 'A group has no name of up to 15 bytes')
        must(typeof currency === 'string' && typeof passwordMin === 'number', `The group ${name} says too little`)
      }
    },
  },
  {
    name: 'has no account 999999999, alone or among others',
    async run(gateway) {
      await answers(gateway, { path: '/v2/accounts/999999999' }, 404, 'not_found')
      const many = await answers(gateway, readingOf(['999999999']), 200)
      must(listIn(many, 'accounts').length === 0, 'An unknown login is listed')
    },
  },
  {
    name: 'takes a thousand logins in a body, and no more',
    async run(gateway) {
      const logins = Array.from({ length: 1001 }, (_, place) => String(999_000_000 + place))
      const most = await answers(gateway, readingOf(logins.slice(0, -1)), 200)
      must(listIn(most, 'accounts').length === 0, 'Unknown logins are listed')
      await answers(gateway, readingOf(logins), 400, 'bad_request')
    },
  },
  {
    name: 'tells balance operations over all accounts, by ticket',
    async run(gateway) {
      const answer = await answers(gateway, { path: `/v2/balance-operations?${aDay()}` }, 200)
      const told = listIn(answer, 'operations')
      must(told.length <= 100 && 'next' in answer.body, 'A page has more than 100 operations, or no next')
      for (const one of told) {
        must(
          numberPattern.test(String(one.ticket)) && numberPattern.test(String(one.login)),
          'Ticket or login is wrong',
        )
        must(decimalPattern.test(String(one.amount)) && typeof one.currency === 'string', 'Amount or currency is wrong')
      }
      must(inOrder(told), 'Operations are not in the order of their tickets')
    },
  },
  {
    name: 'tells what was opened, closed, booked or changed over all accounts, by ticket',
    async run(gateway) {
      await tradesTold(gateway)
      const day = aDay()
      const answer = await answers(gateway, { path: `/v2/trades?${day}` }, 200)
      const told = listIn(answer, 'trades')
      must(told.length <= 1000 && 'next' in answer.body, 'A page has more than 1000 trades, or no next')
      must(inOrder(told), 'Trades are not in the order of their tickets')
      const query = new URLSearchParams(day)
      const [from = 0, to = 0] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''))
      for (const { changedAt, closedAt, closePrice } of told) {
        const changed = Date.parse(String(changedAt))
        must(changed >= from - 1000 && changed <= to + 1000, 'A trade was changed at another time than was asked for')
        must((closedAt === null) === (closePrice === null), 'A trade has one of closedAt and closePrice alone')
      }
      const operations = await answers(gateway, { path: `/v2/balance-operations?${day}` }, 200)
      if (answer.body.next !== null || operations.body.next !== null) return
      const booked = new Set(told.flatMap(({ kind, ticket }) => (kind === 'balance' ? [ticket] : [])))
      must(
        listIn(operations, 'operations').every(({ ticket }) => booked.has(ticket)),
        'A balance operation is not among the trades',
      )
    },
  },
  {
    name: 'refuses lists of trades without a time or with too many names',
    async run(gateway) {
      await tradesTold(gateway)
      const logins = Array.from({ length: 101 }, (_, place) => String(999_000_000 + place)).join(',')
      for (const path of [
        '/v2/trades',
        `/v2/trades?${aDay()}&logins=1&groups=a`,
        `/v2/trades?${aDay()}&logins=${logins}`,
      ])
        await answers(gateway, { path }, 400, 'bad_request')
      await answers(gateway, { method: 'POST', path: '/v2/open-trades', body: {} }, 400, 'bad_request')
      const tooMany = Array.from({ length: 1001 }, (_, place) => String(999_000_000 + place))
      await answers(gateway, openTradesOf(tooMany), 400, 'bad_request')
    },
  },
]
