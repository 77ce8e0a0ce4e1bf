/** Sign-in by password, and TLS: after STARTTLS and from the first byte, as real servers support it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Unavailable } from '../errors.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { selfSigned } from '#tests/tls-proxy.ts'
import { smtpMail } from './smtp.ts'

/** This machine by an address that does not count as local: TLS is required as for any other server. */
const elsewhere = '0.0.0.0'
const user = 'portal@firm.example'
const credentials = { SMTP_USER: user, SMTP_PASSWORD: 'p@ss:word/1' }
const signedIn = `${encodeURIComponent(user)}:${encodeURIComponent(credentials.SMTP_PASSWORD)}@`
const started: RunningSimulator[] = []
let trustedPair: { key: string; certificate: string }
let foreignPair: { key: string; certificate: string }

beforeAll(async () => {
  trustedPair = await selfSigned(`IP:${elsewhere}`)
  foreignPair = await selfSigned('DNS:another.example')
})
afterAll(() => Promise.all(started.map((one) => one.stop())))

async function server(environment: Record<string, string> = {}): Promise<RunningSimulator> {
  const one = await startSimulator('mailbox', environment)
  started.push(one)
  return one
}

const withTls = ({ key, certificate } = trustedPair) => ({ TLS_KEY: key, TLS_CERTIFICATE: certificate })

/** Sends one mail; returns the signed-in user and whether TLS was used, or the reason why it was not sent. */
async function send(to: RunningSimulator, url: string, ca?: string): Promise<unknown> {
  const transport = smtpMail({ url, from: user, ...(ca !== undefined && { ca }) })
  const message = { to: 'client@example.com', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' }
  try {
    await transport.health()
    await transport.send({ ...message, messageId: '<mail-1@firm.example>' })
  } catch (error) {
    expect(error).toBeInstanceOf(Unavailable)
    expect(await to.read('mails')).toEqual([])
    return (error as Error).message
  }
  const [mail] = await to.read<{ user: string | null; tls: boolean }[]>('mails')
  return mail === undefined ? 'not arrived' : { user: mail.user, tls: mail.tls }
}

describe('a mail server that requires a password', () => {
  test.each(['PLAIN', 'LOGIN', 'LOGIN PLAIN'])('accepts the configured one by AUTH %s', async (methods) => {
    const one = await server({ ...credentials, AUTH_METHODS: methods })
    expect(await send(one, `smtp://${signedIn}127.0.0.1:${one.port}`)).toEqual({ user, tls: false })
  })

  test('rejects another one and a missing sign-in', async () => {
    const one = await server(credentials)
    const refusal = 'The mail server rejected our sign-in (535 5.7.8). Check user and password in SMTP_URL.'
    expect(await send(one, `smtp://${encodeURIComponent(user)}:other@127.0.0.1:${one.port}`)).toBe(refusal)
    expect(await send(one, `smtp://127.0.0.1:${one.port}`)).toBe('The mail server answered 530 to MAIL FROM')
  })

  test('receives no email if it offers no sign-in', async () => {
    const one = await server()
    expect(await send(one, `smtp://${signedIn}127.0.0.1:${one.port}`)).toMatch(/^The mail server rejected our sign-in/)
  })
})

describe('a mail server on another machine', () => {
  test('receives emails after STARTTLS and a sign-in over TLS', async () => {
    const one = await server({ ...credentials, ...withTls() })
    expect(await send(one, `smtp://${signedIn}${elsewhere}:${one.port}`, trustedPair.certificate)).toEqual({
      user,
      tls: true,
    })
  })

  test('that is mistaken for this machine rejects a sign-in without TLS', async () => {
    const one = await server({ ...credentials, ...withTls() })
    expect(await send(one, `smtp://${signedIn}127.0.0.1:${one.port}`)).toMatch(/rejected our sign-in \(538/)
  })

  test('receives emails over TLS from the first byte', async () => {
    const one = await server({ ...credentials, ...withTls(), TLS: 'first-byte' })
    expect(await send(one, `smtps://${signedIn}${elsewhere}:${one.port}`, trustedPair.certificate)).toEqual({
      user,
      tls: true,
    })
  })

  test('without STARTTLS receives neither a password nor an email', async () => {
    const one = await server(credentials)
    expect(await send(one, `smtp://${signedIn}${elsewhere}:${one.port}`, trustedPair.certificate)).toBe(
      'The mail server answered 500 to STARTTLS: it offers no TLS there. Use its port for smtps:// in SMTP_URL.',
    )
  })

  test.each(['starttls', 'first-byte'])('with an untrusted certificate receives neither: %s', async (kind) => {
    const scheme = kind === 'starttls' ? 'smtp' : 'smtps'
    const one = await server({ ...credentials, ...withTls(), TLS: kind })
    const url = `${scheme}://${signedIn}${elsewhere}:${one.port}`
    const refusal = /^The mail server's certificate is not trusted \(\w+\)\. .*SMTP_CA_FILE/
    expect(await send(one, url)).toMatch(refusal)
    expect(await send(one, url, foreignPair.certificate)).toMatch(refusal)
    const ofAnother = await server({ ...credentials, ...withTls(foreignPair), TLS: kind })
    expect(
      await send(ofAnother, `${scheme}://${signedIn}${elsewhere}:${ofAnother.port}`, foreignPair.certificate),
    ).toMatch(refusal)
  })
})
