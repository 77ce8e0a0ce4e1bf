/** A mail server that delivers nowhere: it keeps what it is given, for the demo's mailbox and for the tests. */
import type { Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerAddress, SMTPServerDataStream } from 'smtp-server'
import { faultRoutes, waitingFaults } from '../process/faults.ts'
import { numberField, routeServer, textField } from '../process/http.ts'
import type { Fields } from '../process/http.ts'
import { live } from '../process/shutdown.ts'
import { mailboxSignIn } from './sign-in.ts'
import { openState } from '../process/state.ts'

const mailsMax = 5000
const mailBytesMax = 10_000_000

interface StoredMail {
  readonly id: string
  readonly from: string
  /** The sender in the envelope. */
  readonly returnPath: string
  readonly to: readonly string[]
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly messageId: string
  readonly date: string
  readonly receivedAt: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

const state = openState<{ mails: StoredMail }>(process.env.STATE_FILE)
const faults = waitingFaults()
const sockets = new Set<Socket>()
/** With MAILBOX the server demands a sign-in by access token, and lets that mailbox send under its own address only. */
const mailbox = process.env.MAILBOX
const signIn = mailbox === undefined ? null : mailboxSignIn(mailbox, faults)
let lastId = [...state.rows('mails').keys()].reduce((most, key) => Math.max(most, Number(key)), 0)

const wire = new SMTPServer({
  name: 'mailbox.localhost',
  banner: 'Mailbox simulator',
  disabledCommands: signIn === null ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
  authOptional: signIn === null,
  // On loopback alone; in front of it stands a TLS end where TLS matters.
  allowInsecureAuth: true,
  authMethods: ['XOAUTH2'],
  onAuth: (auth, _session, answer) => signIn?.authenticate(auth, answer),
  disableReverseLookup: true,
  size: mailBytesMax,
  onRcptTo(address, _session, answer) {
    const refuse = refusal('rcpt', [address.address])
    answer(refuse === null ? null : smtpError(refuse))
  },
  onData(stream, session, answer) {
    receive(stream, session.envelope.rcptTo, session.envelope.mailFrom)
      .then((outcome) => {
        if (outcome === 'kept') answer(null, 'Kept')
        else if (typeof outcome === 'number') answer(smtpError(outcome))
        else if (outcome === 'cut') for (const socket of sockets) socket.destroy()
      })
      .catch((error: unknown) => answer(error instanceof Error ? error : new Error(String(error))))
  },
})
wire.on('error', () => undefined)
wire.server.on('connection', (socket) => {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
})

/** Keeps the mail, unless a fault says otherwise; a number is the code to refuse it with. */
async function receive(
  stream: SMTPServerDataStream,
  to: readonly SMTPServerAddress[],
  from: SMTPServerAddress | false,
): Promise<number | 'kept' | 'silent' | 'cut'> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  const recipients = to.map(({ address }) => address)
  const refuse = refusal('data', recipients)
  if (refuse !== null) return refuse
  const raw = Buffer.concat(chunks)
  const sender = (await PostalMime.parse(raw)).from?.address
  const senders = [sender, from === false ? '' : from.address]
  if (mailbox !== undefined && senders.some((address) => address !== mailbox)) throw sendAsDenied(sender)
  const call = { path: '/data', moves: true }
  if (faults.take('hang', call) !== null) return 'silent'
  await faults.holdUp(call)
  await keep(raw, recipients, from === false ? '' : from.address)
  return faults.take('drop-after', call) === null ? 'kept' : 'cut'
}

async function keep(raw: Buffer, to: readonly string[], from: string): Promise<void> {
  const mail = await PostalMime.parse(raw)
  lastId += 1
  const id = String(lastId)
  const stored: StoredMail = {
    id,
    from: mail.from?.address ?? from,
    returnPath: from,
    to,
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    messageId: mail.messageId ?? '',
    date: mail.date ?? '',
    receivedAt: new Date().toISOString(),
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
  }
  const surplus = state.rows('mails').size >= mailsMax ? [...state.rows('mails').keys()].slice(0, 1) : []
  state.commit({ mails: { ...Object.fromEntries(surplus.map((old) => [old, null])), [id]: stored } })
}

function refusal(at: 'rcpt' | 'data', to: readonly string[]): number | null {
  const fields = faults.take('refuse', { path: `/${at}`, moves: true }, (fault) => suits(fault, at, to))
  return fields === null ? null : (numberField(fields, 'code') ?? 451)
}

function suits(fields: Fields, at: string, to: readonly string[]): boolean {
  const recipient = textField(fields, 'to')
  return (textField(fields, 'at') ?? 'rcpt') === at && (recipient === undefined || to.includes(recipient))
}

/** As Exchange Online says it, after the whole mail. */
function sendAsDenied(sender = ''): Error & { responseCode: number } {
  const words = `5.2.252 SendAsDenied; ${mailbox} not allowed to send as ${sender}`
  return Object.assign(new Error(words), { responseCode: 554 })
}

function smtpError(code: number): Error & { responseCode: number } {
  return Object.assign(new Error('Refused by a switch'), { responseCode: code })
}

const switches = routeServer({
  ...faultRoutes(faults, {
    refuse: ['code'],
    hang: [],
    slow: ['ms'],
    'drop-after': [],
    'token-expired': [],
    'token-refused': [],
  }),
  'POST /reset': () => {
    faults.clear()
    return { ok: true }
  },
  'POST /clear': () => {
    state.commit({ mails: Object.fromEntries([...state.rows('mails').keys()].map((id) => [id, null])) })
    return { ok: true }
  },
  'GET /switches': () => ({ faults: faults.list() }),
  'GET /tokens': () => ({ granted: signIn?.granted() ?? 0, signIns: signIn?.signIns() ?? 0 }),
  'GET /mails': ({ query }) => {
    const to = query.get('to')?.toLowerCase()
    const subject = query.get('subject')
    const after = Number(query.get('after') ?? 0)
    return [...state.rows('mails').values()]
      .filter((mail) => to === undefined || mail.to.some((address) => address.toLowerCase() === to))
      .filter((mail) => (subject === null || mail.subject.includes(subject)) && Number(mail.id) > after)
      .reverse()
      .slice(0, Number(query.get('limit') ?? 100))
      .map(({ html: _html, text: _text, headers: _headers, ...shown }) => shown)
  },
  'GET /mails/*': ({ rest }) => state.rows('mails').get(rest),
})

signIn?.serveTokens(switches)

await live(wire.server, switches)
