/** A way to the database that can lose the reply to COMMIT: PostgreSQL has committed, and nobody hears of it (K6). */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from './database.ts'

export interface LossyDatabase {
  readonly database: TestDatabase
  /** The connections of the next `count` commits break before their replies. */
  loseReplies(count: number): void
  stop(): void
}

const commit = Buffer.from('commit\0')

/** A database of its own, whose server's role is let in through the lossy way. */
export async function lossyDatabase(): Promise<LossyDatabase> {
  const database = await testDatabase()
  const direct = new URL(database.url)
  const folder = direct.searchParams.get('host')
  let toLose = 0
  const open = new Set<Socket>()
  const way = createServer((client) => {
    const target = folder
      ? connect(join(folder, `.s.PGSQL.${direct.port}`))
      : connect(Number(direct.port), direct.hostname)
    let losing = false
    for (const socket of [client, target]) {
      open.add(socket)
      socket.on('error', () => undefined)
    }
    client.on('data', (bytes: Buffer) => {
      if (toLose > 0 && bytes.includes(commit)) {
        toLose -= 1
        losing = true
      }
      target.write(bytes)
    })
    target.on('data', (bytes: Buffer) => (losing ? client.destroy() : client.write(bytes)))
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  })
  await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
  const url = new URL(direct)
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String((way.address() as AddressInfo).port)
  return {
    database: { ...database, url: url.href },
    loseReplies(count) {
      toLose = count
    },
    stop() {
      way.close()
      for (const socket of open) socket.destroy()
    },
  }
}
