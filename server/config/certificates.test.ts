import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates, TLSSocket, createSecureContext } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectionTo } from '../db/connection-config.ts'
import { httpClient } from '../integrations/http-client.ts'
import { smtpMail } from '../integrations/mail/smtp.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { selfSigned, tlsProxy, type TlsProxy } from '#tests/tls-proxy.ts'
import { readConfig } from './config.ts'

const standard = getCACertificates('default')
let mailbox: RunningSimulator
let folder: string
/** A TLS endpoint whose certificate Node trusts, and one whose certificate only the configured file contains. */
let trustedProxy: TlsProxy
let ownAuthorityProxy: TlsProxy

beforeAll(async () => {
  mailbox = await startSimulator('mailbox')
  folder = await mkdtemp(join(tmpdir(), 'certificates-'))
  trustedProxy = await tlsProxy(mailbox.port)
  ownAuthorityProxy = await tlsProxy(mailbox.port)
  setDefaultCACertificates([...standard, trustedProxy.certificate])
})
afterAll(async () => {
  setDefaultCACertificates(standard)
  trustedProxy.stop()
  ownAuthorityProxy.stop()
  await mailbox.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a configured certificate is trusted for mail in addition to those of Node', async () => {
  const to = (port: number, ca?: string) =>
    smtpMail({
      url: `smtps://localhost:${port}`,
      from: 'portal@firm.example',
      ...(ca !== undefined && { ca }),
    }).health()
  await to(ownAuthorityProxy.port, ownAuthorityProxy.certificate)
  await to(trustedProxy.port, ownAuthorityProxy.certificate)
  await to(trustedProxy.port)
  await expect(to(ownAuthorityProxy.port)).rejects.toThrow(/certificate is not trusted \(.*\)\. .*SMTP_CA_FILE/)
})

test('a configured certificate is trusted over HTTPS in addition to those of Node', async () => {
  const ends = await Promise.all([tlsProxy(mailbox.switchPort), tlsProxy(mailbox.switchPort)])
  setDefaultCACertificates([...standard, trustedProxy.certificate, ends[0].certificate])
  for (const end of ends) {
    const url = new URL(`https://localhost:${end.port}`)
    const client = httpClient({ url, timeoutMs: 10_000, connectionsMax: 1, publicOnly: false, ca: ends[1].certificate })
    expect(await client.send({ method: 'GET', path: '/switches', headers: {} })).toMatchObject({ status: 200 })
    client.close()
    end.stop()
  }
})

/** Puts PostgreSQL behind a TLS proxy. A PostgreSQL client requests TLS with eight bytes, answered by `S`. */
async function databaseOverTls() {
  const { key, certificate } = await selfSigned()
  const { host, port, user, password, database } = new pg.Client({ connectionString: inject('cluster').superuserUrl })
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S')
      const secureContext = createSecureContext({ key, cert: certificate })
      const secure = new TLSSocket(socket, { isServer: true, secureContext })
      const plain = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
      secure.pipe(plain).pipe(secure)
      secure.on('error', () => plain.destroy())
      plain.on('error', () => secure.destroy())
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const end = `localhost:${(server.address() as AddressInfo).port}`
  const url = `postgres://${user}:${encodeURIComponent(String(password))}@${end}/${database}`
  return { url, certificate, close: () => server.close() }
}

test('a configured certificate is trusted for the database in addition to those of Node', async () => {
  const [known, unknown] = await Promise.all([databaseOverTls(), databaseOverTls()])
  setDefaultCACertificates([...standard, trustedProxy.certificate, known.certificate])
  const file = join(folder, 'database.pem')
  await writeFile(file, unknown.certificate)
  const ask = async (url: string) => {
    const client = new pg.Client(connectionTo(url))
    await client.connect()
    await client.query('select 1')
    await client.end()
  }
  const trusting = `?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`
  for (const { url } of [known, unknown]) await ask(url + trusting)
  await ask(`${known.url}?sslmode=verify-full`)
  await expect(ask(`${unknown.url}?sslmode=verify-full`)).rejects.toThrow(/self-signed/)
  for (const { close } of [known, unknown]) close()
})

test('a certificate file that is missing, empty or damaged is reported by one sentence at start', async () => {
  const set = (file: string) => ({
    SMTP_CA_FILE: file,
    MT5_URL: 'https://mt5.example',
    MT5_LOGIN: '1000',
    MT5_PASSWORD: 'secret',
  })
  const file = join(folder, 'own.pem')
  expect(() => readConfig(set(file))).toThrow(/^SMTP_CA_FILE is .*, which cannot be read \(ENOENT\)\. Give [^\n]*\.$/)
  const database = `postgres://app:secret@db.example/portal?sslrootcert=${file}`
  expect(() => readConfig({ DATABASE_URL: database })).toThrow(/^sslrootcert in DATABASE_URL is .*cannot be read/)
  await writeFile(file, 'certificate')
  expect(() => readConfig(set(file))).toThrow(/^SMTP_CA_FILE is .*, which contains no certificate\. /)
  await writeFile(file, ownAuthorityProxy.certificate.replace('\nMII', '\nAAA'))
  expect(() => readConfig(set(file))).toThrow(/^SMTP_CA_FILE is .*, which contains a damaged certificate/)
  await writeFile(file, ownAuthorityProxy.certificate + trustedProxy.certificate)
  const config = readConfig({ ...set(file), MT5_CA_FILE: file })
  for (const { ca } of [config.mail, { ...config.mt5 }]) expect(ca?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
})
