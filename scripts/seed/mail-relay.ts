/**
 * A relay to the demo's mailbox over connections on which it has already greeted. Its mail server greets only after a
 * tenth of a second (smtp-server detects clients that talk too soon), and the history awaits its mails.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** As many as one action of the history sends mails. */
const readyMax = 8
/** Less than the time after which the mail server closes a silent connection. */
const readyMsMax = 30_000

interface ReadyConnection {
  readonly socket: Socket
  readonly since: number
}

export interface MailRelay {
  /** The address to use instead of the mail server's. */
  readonly url: string
  close(): void
}

/** Starts a relay to the mail server at `smtpUrl`, on this machine. */
export async function openMailRelay(smtpUrl: string): Promise<MailRelay> {
  const { hostname, port } = new URL(smtpUrl)
  const open = (): Socket =>
    // A relayed part of a mail must not wait until the part before it has been acknowledged.
    connect({ host: hostname, port: Number(port), noDelay: true }).on('error', () => undefined)
  const ready: ReadyConnection[] = []
  const fill = () => {
    while (ready.length < readyMax) ready.push({ socket: open(), since: performance.now() })
  }
  const take = (): Socket => {
    for (let one = ready.shift(); one; one = ready.shift()) {
      if (!one.socket.destroyed && performance.now() - one.since < readyMsMax) return one.socket
      one.socket.destroy()
    }
    return open()
  }
  const server = createServer({ noDelay: true }, (mail) => {
    const onward = take()
    fill()
    mail.on('error', () => onward.destroy()).once('close', () => onward.destroy())
    onward.once('close', () => mail.destroy())
    mail.pipe(onward).pipe(mail)
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  fill()
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      for (const { socket } of ready.splice(0)) socket.destroy()
    },
  }
}
