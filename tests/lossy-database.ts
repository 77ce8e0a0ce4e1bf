/**
 * A connection to the database that can lose the reply to COMMIT, so that PostgreSQL has committed without the server
 * knowing (requirements 33.6), and that can be interrupted silently: no data pass in either direction (requirements
 * 33.29).
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from './database.ts'

export interface LossyDatabase {
  readonly database: TestDatabase
  /**
   * The connection of the next transaction that writes `text` is lost before the reply to its commit; others are kept.
   */
  loseReply(text: string): void
  /** The connections that are open now silently transfer nothing any more; new ones work. */
  silence(): void
  /** Data sent on these and on new connections are delayed until `heal`. */
  partition(): void
  heal(): void
  /** All connections are lost, for both ends. */
  breakAll(): void
  stop(): void
}

const [begin, commit] = [Buffer.from('begin'), Buffer.from('commit\0')]

/** Gives the server's role a separate database, or a given one, through the lossy connection. */
export async function openLossyDatabase(given?: TestDatabase): Promise<LossyDatabase> {
  const database = given ?? (await testDatabase())
  const direct = new URL(database.url)
  const folder = direct.searchParams.get('host')
  let lost: Buffer | null = null
  let apart = false
  const open = new Set<Socket>()
  const way = createServer((client) => {
    const target = folder
      ? connect(join(folder, `.s.PGSQL.${direct.port}`))
      : connect(Number(direct.port), direct.hostname)
    let [writes, losing] = [false, false]
    for (const socket of [client, target]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => open.delete(socket))
    }
    client.on('data', (bytes: Buffer) => {
      if (bytes.includes(begin)) writes = false
      if (lost && bytes.includes(lost)) writes = true
      if (writes && bytes.includes(commit)) {
        losing = true
        lost = null
      }
      target.write(bytes)
    })
    target.on('data', (bytes: Buffer) => (losing ? client.destroy() : client.write(bytes)))
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
    if (apart) for (const socket of [client, target]) socket.pause()
  })
  await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
  const url = new URL(direct)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String((way.address() as AddressInfo).port)
  const silence = () => {
    for (const socket of open) socket.pause()
  }
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    database: { ...database, url: url.href },
    loseReply(text) {
      lost = Buffer.from(text)
    },
    silence,
    partition() {
      apart = true
      silence()
    },
    heal() {
      apart = false
      for (const socket of open) socket.resume()
    },
    breakAll,
    stop() {
      way.close()
      breakAll()
    },
  }
}
