/** A TLS endpoint in front of a plain simulator, with the test's own certificate, to prove that adapters verify it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'

export interface TlsProxy {
  readonly port: number
  /** The certificate that the client must trust, PEM. */
  readonly certificate: string
  stop(): void
}

/** Forwards localhost's TLS connections to `port` on loopback. */
export async function tlsProxy(port: number): Promise<TlsProxy> {
  const { key, certificate } = await selfSigned()
  const sockets = new Set<Socket>()
  const server = createServer({ key, cert: certificate }, (secure) => {
    const plain = connect(port, '127.0.0.1')
    sockets.add(secure).add(plain)
    secure.pipe(plain).pipe(secure)
    secure.on('error', () => plain.destroy()).on('close', () => plain.destroy())
    plain.on('error', () => secure.destroy()).on('close', () => secure.destroy())
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port is bound')
  return {
    port: address.port,
    certificate,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns a key and its certificate, PEM, for localhost unless other names are given. */
export async function selfSigned(names = 'DNS:localhost,IP:127.0.0.1'): Promise<{ key: string; certificate: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tls-front-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`]
  try {
    await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', certificate])
    return { key: await readFile(key, 'utf8'), certificate: await readFile(certificate, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
