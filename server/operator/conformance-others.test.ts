/** `npm run conformance` for the MT4 gateway, the card provider and the mail server, and its argument errors. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { mt4 } from '#server/integrations/trading-platform/mt4/mt4.ts'
import { selfSigned, tlsProxy } from '#tests/tls-proxy.ts'
import { money } from '#rules/money.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { conformanceTable } from '../../tests/conformance-table.ts'

const secrets = {
  MT4_KEY: 'portal',
  MT4_SECRET: 'simulator-gateway-secret',
  CARD_MERCHANT: '1234',
  CARD_KEY: 'simulator-key',
  CARD_SECRET: 'simulator-api-secret',
  CARD_WEBHOOK_KEY: 'simulator-webhook-key',
  CARD_WEBHOOK_SECRET: 'simulator-webhook-secret',
}

describe('the MT4 gateway', () => {
  let gateway: RunningSimulator
  beforeAll(async () => {
    gateway = await startSimulator('mt4-gateway')
  })
  afterEach(() => gateway.turn('reset'))
  afterAll(() => gateway.stop())

  const address = () => `http://127.0.0.1:${gateway.port}`
  const ask = (...more: string[]) => conformanceTable(secrets, 'mt4', address(), ...more)

  /** Makes an account with a deposit, an open position, a pending order and a closed trade. */
  const traded = async (): Promise<string> => {
    const adapter = mt4({ url: address(), key: secrets.MT4_KEY, secret: secrets.MT4_SECRET })
    const { login } = await adapter.createAccount(platformAccount('CONFORMANCE-TRADES', 'demo-std-EUR'))
    await adapter.applyBalance({ ref: 'OPENING', login, amount: money(123_456n, 'EUR'), checkMargin: false })
    await adapter.close()
    await gateway.turn('market/open', { login })
    await gateway.turn('market/close', { login })
    await gateway.turn('market/open', { login })
    await gateway.turn('market/order', { login, kind: 'buy-stop', price: 1.2 })
    return login
  }

  test('conforms with accounts that trade, and opens an account on request', async () => {
    const login = await traded()
    const table = await ask('--create', 'demo-std-EUR')
    expect(table.text).not.toMatch(/^differed/m)
    expect(table.isWell).toBe(true)
    const untried = Object.keys(table.rows).filter((name) => table.rows[name]?.startsWith('not tested'))
    expect(untried).toEqual(['groups of our settings'])
    expect(Object.keys(table.rows)).toHaveLength(23)
    expect(table.text).not.toMatch(new RegExp(`Hannah|Brandt|example\\.com|1234\\.56|${login}`))
    const opened = await gateway.read<{ comment: string }[]>('accounts')
    expect(opened.map(({ comment }) => comment)).toContainEqual(expect.stringMatching(/^conformance-[a-z]{10}$/))
  })

  test.each<[string, string, object, string, RegExp]>([
    [
      'a missing permission',
      'rights',
      { missing: ['money'] },
      'permissions of our login',
      /^differed: MT4: missing permissions: Balance operations/,
    ],
    [
      'numbers instead of strings',
      'garble',
      { kind: 'number', path: '/v2/accounts', count: 0 },
      'accounts by login',
      /^differed: accounts: login is number, .*balance is number/,
    ],
    [
      'a missing response',
      'drop-before',
      { path: '/v2/groups' },
      'lists its groups with currency and shortest password',
      /no response/,
    ],
    [
      'numbers instead of strings in trades',
      'garble',
      { kind: 'number', path: '/v2/trades', count: 0 },
      'trades',
      /^differed: trades: trades\.ticket is number/,
    ],
    [
      'its treatment of repeated writes',
      'edition',
      { repeats: false },
      'says that it treats repeated writes as agreed',
      /^differed: GET \/healthz names no repeats/,
    ],
    [
      'another error',
      'refuse',
      { code: 'busy', path: '/v2/time' },
      'signature',
      /^differed: GET \/v2\/time answered 503 busy/,
    ],
  ])('differs in %s', async (_title, name, fields, row, words) => {
    await traded()
    await gateway.turn(name, fields)
    const table = await ask()
    expect(table.rows[row]).toMatch(words)
    expect(table.isWell).toBe(false)
    expect(table.text).not.toMatch(/Hannah|1234\.56|accounts\/\d/)
  })

  test('of the first edition reports that it has no trades, and conforms otherwise', async () => {
    await traded()
    await gateway.turn('edition', { tradeHistory: false })
    const table = await ask()
    expect(table.text).not.toMatch(/^differed/m)
    for (const row of ['positions', 'orders', 'trades']) expect(table.rows[row]).toMatch(/^not tested: .*tradeHistory/)
    expect(table.rows['accounts by login']).toBe('matched')
  })

  test('with another secret is not checked beyond the signature', async () => {
    const { isWell, rows } = await conformanceTable({ ...secrets, MT4_SECRET: 'other' }, 'mt4', address())
    expect(isWell).toBe(false)
    expect(rows.signature).toBe('differed: GET /v2/time answered 403 without a code')
    expect(rows['permissions of our login']).toBe('not tested: because of: signature')
  })
})

describe('the card provider', () => {
  let provider: RunningSimulator
  beforeAll(async () => {
    provider = await startSimulator('card-provider')
  })
  afterEach(() => provider.turn('reset'))
  afterAll(() => provider.stop())

  const ask = (env = secrets) => conformanceTable(env, 'card', `http://127.0.0.1:${provider.port}`)

  test('accepts our signature and returns unknown for a made-up checkout and payment', async () => {
    const { isWell, rows } = await ask()
    expect([isWell, Object.values(rows)]).toEqual([true, ['matched', 'matched']])
  })

  test('of the other product is checked through its own interface', async () => {
    const direct = await startSimulator('card-provider', { KIND: 'direct' })
    const env = { ...secrets, CARD_KIND: 'worldline-direct', CARD_PRODUCTS: '114:1,119:3' }
    const address = `http://127.0.0.1:${direct.port}`
    const { isWell, rows } = await conformanceTable(env, 'card', address)
    expect([isWell, Object.values(rows)]).toEqual([true, ['matched', 'matched']])
    // Called as if it were Connect, it does not know the path.
    expect((await conformanceTable(secrets, 'card', address)).isWell).toBe(false)
    await direct.stop()
  })

  test('differs with another secret, with an error and with a page instead of JSON', async () => {
    expect((await ask({ ...secrets, CARD_SECRET: 'other' })).text).toContain('The card provider answered 403')
    await provider.turn('refuse', { status: 500, path: '/' })
    expect((await ask()).text).toContain('The card provider answered 500')
    await provider.turn('garble', { kind: 'html', path: '/' })
    const { isWell, rows } = await ask()
    expect(isWell).toBe(false)
    expect(rows['signed query for an unknown payment']).toMatch(/^not tested: because of/)
  })
})

describe('the mail server', () => {
  const mailbox = 'portal@firm.example'
  let server: RunningSimulator
  let strict: RunningSimulator
  let oauth: Record<string, string>
  beforeAll(async () => {
    server = await startSimulator('mailbox')
    strict = await startSimulator('mailbox', { MAILBOX: mailbox })
    oauth = {
      SMTP_AUTH: 'oauth2',
      SMTP_OAUTH_TOKEN_URL: `http://127.0.0.1:${strict.switchPort}/oauth2/v2.0/token`,
      SMTP_OAUTH_CLIENT_ID: 'portal',
      SMTP_OAUTH_CLIENT_SECRET: 'simulator-client-secret',
      SMTP_OAUTH_SCOPE: 'https://outlook.office365.com/.default',
      SMTP_OAUTH_USER: mailbox,
    }
  })
  afterEach(() => strict.turn('reset'))
  afterAll(() => Promise.all([server.stop(), strict.stop()]))

  const strictly = (change: Record<string, string> = {}) =>
    conformanceTable({ ...oauth, ...change }, 'mail', `smtp://127.0.0.1:${strict.port}`)

  test('responds to EHLO, and the sign-in is skipped if none is configured', async () => {
    const { isWell, rows } = await conformanceTable({}, 'mail', `smtp://127.0.0.1:${server.port}`)
    expect(isWell).toBe(true)
    expect(rows).toEqual({
      EHLO: expect.stringMatching(/^matched: .*8BITMIME/),
      STARTTLS: 'not tested: this very machine is spoken to without TLS',
      'AUTH is offered': 'not tested: SMTP_URL has no user',
      'AUTH by password': 'not tested: SMTP_URL has no user',
    })
  })

  test('is checked over TLS only with a trusted certificate, here that in SMTP_CA_FILE', async () => {
    const front = await tlsProxy(server.port)
    const file = join(mkdtempSync(join(tmpdir(), 'conformance-')), 'ca.pem')
    writeFileSync(file, front.certificate)
    const address = `smtps://localhost:${front.port}`
    const { rows } = await conformanceTable({ SMTP_CA_FILE: file }, 'mail', address)
    expect(rows['TLS from the first byte']).toBe('matched: with a certificate that is trusted')
    expect((await conformanceTable({}, 'mail', address)).rows.EHLO).toMatch(/^differed: .*certificate is not trusted/)
    front.stop()
  })

  test('accepts an access token, and no email is sent', async () => {
    const { isWell, rows } = await strictly()
    expect(isWell).toBe(true)
    expect(rows).toMatchObject({
      'AUTH is offered': 'matched: XOAUTH2',
      'access token': 'matched',
      'AUTH by access token': 'matched',
    })
    expect(await strict.read<unknown[]>('mails')).toEqual([])
  })

  test('differs with a rejected token, a rejected sign-in and an unsupported sign-in', async () => {
    await strict.turn('token-refused', { count: 0 })
    expect((await strictly()).rows).toMatchObject({
      'access token': expect.stringMatching(/^differed: .*401 invalid_client/),
      'AUTH by access token': 'not tested: because of: access token',
    })
    await strict.turn('reset')
    await strict.turn('token-expired', { count: 0 })
    expect((await strictly()).rows['AUTH by access token']).toMatch(/^differed: .*rejected our sign-in/)
    await strict.turn('reset')
    const env = { SMTP_URL: 'smtp://user:secret-word@elsewhere.example:587' }
    const table = await conformanceTable(env, 'mail', `smtp://127.0.0.1:${strict.port}`)
    expect(table.isWell).toBe(false)
    expect(table.rows['AUTH is offered']).toBe('differed: offers none of PLAIN, LOGIN, CRAM-MD5')
    expect(table.text).not.toContain('secret-word')
  })

  test('on another machine accepts a password after STARTTLS, and differs if either fails', async () => {
    // This machine by an address that does not count as local.
    const { key, certificate } = await selfSigned('IP:0.0.0.0')
    const file = join(mkdtempSync(join(tmpdir(), 'conformance-')), 'ca.pem')
    writeFileSync(file, certificate)
    const credentials = { SMTP_USER: mailbox, SMTP_PASSWORD: 'secret-word' }
    const secure = await startSimulator('mailbox', { ...credentials, TLS_KEY: key, TLS_CERTIFICATE: certificate })
    const plain = await startSimulator('mailbox', credentials)
    const ask = (
      to: RunningSimulator,
      password = 'secret-word',
      ca: Record<string, string> = { SMTP_CA_FILE: file },
    ) => {
      const SMTP_URL = `smtp://${encodeURIComponent(mailbox)}:${password}@elsewhere.example:587`
      return conformanceTable({ ...ca, SMTP_URL }, 'mail', `smtp://0.0.0.0:${to.port}`)
    }
    const { isWell, rows, text } = await ask(secure)
    expect(isWell).toBe(true)
    expect(rows).toMatchObject({
      STARTTLS: 'matched: with a certificate that is trusted',
      'AUTH is offered': 'matched: PLAIN, LOGIN',
      'AUTH by password': 'matched',
    })
    expect(text).not.toContain('secret-word')
    expect(await secure.read('mails')).toEqual([])
    expect((await ask(secure, 'another')).rows['AUTH by password']).toMatch(
      /^differed: .*rejected our sign-in \(535 5\.7\.8\)/,
    )
    expect((await ask(secure, 'secret-word', {})).rows.EHLO).toMatch(/^differed: .*certificate is not trusted/)
    expect((await ask(plain)).rows.EHLO).toMatch(/^differed: .*500 to STARTTLS/)
    await Promise.all([secure.stop(), plain.stop()])
  })

  test('differs if it does not support EHLO', async () => {
    const old = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (line) => socket.write(line.toString().startsWith('EHLO') ? '500 what?\r\n' : '250 hello\r\n'))
      socket.write('220 here\r\n')
    })
    await new Promise<void>((resolve) => void old.listen(0, '127.0.0.1', resolve))
    const { port } = old.address() as { port: number }
    const { rows } = await conformanceTable({}, 'mail', `smtp://127.0.0.1:${port}`)
    expect(rows.EHLO).toBe('differed: the server accepts only HELO, not EHLO')
    old.close()
  })
})

describe('the command rejects before any call', () => {
  const nowhere = 'http://127.0.0.1:1'
  test.each<[readonly string[], string]>([
    [[], 'Choose an integration: mt5, mt4, card, mail.'],
    [['fax', nowhere], 'Choose an integration'],
    [['s3', nowhere], 'The word s3 is reserved: no file store on S3 is supported yet.'],
    [['mt4'], 'Enter the address of the MetaTrader 4 gateway, as in MT4_URL.'],
    [['mt4', 'nowhere'], '"nowhere" is not an address.'],
    [['mt4', 'http://user:word@127.0.0.1:1'], 'The address has a user or password.'],
    [['mt4', 'http://gateway.example'], 'MT4_URL is "http://gateway.example"'],
    [['mt4', nowhere, 'more'], '"more" is not an argument of this command.'],
    [['mt4', nowhere, '--send'], "Unknown option '--send'"],
    [['mt4', nowhere, '--write', 'all'], '--write needs a numeric login.'],
    [['card', nowhere, '--write', '1'], '--write and --create are for mt5 and mt4.'],
    [['mail', 'smtp://127.0.0.1:1', '--create', 'real'], '--write and --create are for mt5 and mt4.'],
  ])('the arguments %j', async (args, sentence) => {
    await expect(conformanceTable(secrets, ...args)).rejects.toThrow(sentence)
  })

  test('a missing secret', async () => {
    await expect(conformanceTable({}, 'mt4', nowhere)).rejects.toThrow('MT4_KEY is missing. MT4_URL requires it')
  })

  test('nothing with --help, but prints the usage', async () => {
    expect((await conformanceTable(secrets, 'mt4', nowhere, '--help')).text).toContain(
      'conformance <integration> <address>',
    )
  })
})
