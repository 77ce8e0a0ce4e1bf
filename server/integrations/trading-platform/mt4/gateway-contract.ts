/** The gateway's contract as a list of checks (docs/mt4-gateway.md): what anybody's gateway must answer. */
import { randomUUID } from 'node:crypto'
import type { HttpClient } from '../../http-client.ts'
import { jsonObject } from '../../http-client.ts'
import { conformanceComment, Differs } from '../../conformance.ts'
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
  /** Signs with another time than now. */
  readonly seconds?: number
}

interface ContractCheck {
  readonly name: string
  /** Throws with a sentence where the gateway does not keep the contract. */
  run(gateway: GatewayUnderTest): Promise<void>
}

interface Answered {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends one signed call and returns the answer, whatever its status. */
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

function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Differs(sentence)
}

/** Asks the gateway and returns its answer. Throws `Differs` for another status or code than the contract names. */
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

/** Returns the code of an answer if it is a word; any other text is not repeated. */
function codeIn({ body: { code } }: Answered): string {
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'without a code'
}

const decimalPattern = /^-?\d{1,15}\.\d{2}$/
const numberPattern = /^[1-9]\d{0,17}$/
const hourMs = 3_600_000
/** The query of a day until now. */
export const aDay = () => {
  const now = Date.now()
  return `from=${new Date(now - 24 * hourMs).toISOString()}&to=${new Date(now + hourMs).toISOString()}`
}

function listIn(answer: Answered, name: string): Record<string, unknown>[] {
  const list = answer.body[name]
  must(Array.isArray(list), `${name} is no list`)
  return list as Record<string, unknown>[]
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
      const many = await answers(gateway, { path: '/v2/accounts?logins=999999999' }, 200)
      must(listIn(many, 'accounts').length === 0, 'An unknown login is listed')
    },
  },
  {
    name: 'takes at most a hundred logins',
    async run(gateway) {
      const logins = Array.from({ length: 101 }, (_, place) => String(999_000_000 + place)).join(',')
      await answers(gateway, { path: `/v2/accounts?logins=${logins}` }, 400, 'bad_request')
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
      const tickets = told.map(({ ticket }) => Number(ticket))
      must(
        tickets.every((ticket, place) => place === 0 || ticket > (tickets[place - 1] ?? 0)),
        'Operations are not in the order of their tickets',
      )
    },
  },
]

/** Checks that open one account in `group`, move 0.01 on it and disable it. */
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
          answers(gateway, { ...post, body, key: randomUUID() }, status, code)
        await send({ ...opening, Email: 'x' }, 'bad_request')
        await send({ ...opening, email: `${'e'.repeat(48)}@example.com` }, 'bad_request')
        await send({ ...opening, group: 'no-such-group' }, 'bad_group', 422)
        await answers(gateway, { ...post, body: opening }, 400, 'bad_request')
      },
    },
    {
      name: 'opens an account once under one key, and finds it by its comment',
      async run(gateway) {
        const call = { method: 'POST', path: '/v2/accounts', body: opening, key: randomUUID() } as const
        login = String((await answers(gateway, call, 201)).body.login)
        must(numberPattern.test(login), 'The answer has no login')
        must(String((await answers(gateway, call, 201)).body.login) === login, 'The same key opened another account')
        await answers(gateway, { ...call, body: { ...opening, leverage: 20 } }, 409, 'conflict')
        const found = listIn(await answers(gateway, { path: `/v2/accounts?ref=${comment}` }, 200), 'accounts')
        must(found.length === 1 && found[0]?.login === login, 'The account is not found by its comment')
      },
    },
    {
      name: 'shows its figures, alone and among many',
      async run(gateway) {
        const alone = (await answers(gateway, { path: account() }, 200)).body
        for (const name of ['balance', 'credit', 'equity', 'margin', 'freeMargin', 'profit'])
          must(decimalPattern.test(String(alone[name])), `${name} is no decimal with two places`)
        must(alone.group === group && alone.leverage === 30 && alone.enabled === true, 'The account is not as opened')
        must(alone.openPositions === 0, 'The account has open positions')
        const [many] = listIn(
          await answers(gateway, { path: `/v2/accounts?logins=${login},999999999` }, 200),
          'accounts',
        )
        must(JSON.stringify(many) === JSON.stringify(alone), 'Among many the account is another one than alone')
        for (const [name, list] of [
          ['positions', 'positions'],
          ['orders', 'orders'],
          [`trades?${aDay()}`, 'trades'],
        ] as const)
          must(
            listIn(await answers(gateway, { path: `${account()}/${name}` }, 200), list).length === 0,
            `${list}: some`,
          )
      },
    },
    {
      name: 'books an amount once under one key, refuses more than there is, and tells what it booked',
      async run(gateway) {
        const [there, back] = [conformanceComment(), conformanceComment()]
        const deposit = book('0.01', there, there)
        const { ticket } = (await answers(gateway, deposit, 200)).body
        must(numberPattern.test(String(ticket)), 'The answer has no ticket')
        must((await answers(gateway, deposit, 200)).body.ticket === ticket, 'The same key booked again')
        await answers(gateway, book('0.02', there, there), 409, 'conflict')
        await answers(gateway, book('-1000000.00', back, randomUUID()), 422, 'no_money')
        await answers(gateway, book('0.01', 'c'.repeat(32), randomUUID()), 400, 'bad_request')
        await answers(gateway, book('-0.01', back, back), 200)
        for (const path of [`${account()}/balance-operations?`, `/v2/balance-operations?logins=${login}&`]) {
          const told = listIn(await answers(gateway, { path: `${path}${aDay()}` }, 200), 'operations')
          const shown = told.map((one) => `${String(one.comment)} ${String(one.amount)}`)
          must(shown.join() === `${there} 0.01,${back} -0.01`, `${path} tells ${shown.join()}`)
        }
        const byRef = `${account()}/balance-operations?${aDay()}&ref=${back}`
        must(listIn(await answers(gateway, { path: byRef }, 200), 'operations').length === 1, 'ref finds none or more')
      },
    },
    {
      name: 'changes leverage, password and being enabled, and answers the account',
      async run(gateway) {
        const change = async (body: object) =>
          (await answers(gateway, { method: 'PATCH', path: account(), body, key: randomUUID() }, 200)).body
        must((await change({ leverage: 20 })).leverage === 20, 'The leverage is not 20')
        must((await change({ leverage: 30 })).leverage === 30, 'The leverage is not 30 again')
        await answers(
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
        must((await change({ enabled: false })).enabled === false, 'The account is still enabled')
      },
    },
  ]
}
