/** A mail server that delivers nothing: it stores what it receives, for the demo's mailbox and for the tests. */
import type { Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { faultRoutes, createFaults, numberField, routeServer, textField, type Fields } from '../process/http.ts'
import { listenAndAnnounce } from '../process/shutdown.ts'
import { mailboxSignIn, passwordSignIn, type SignIn } from './sign-in.ts'
import { openState } from '../process/state.ts'

const mailsMax = 5000
const mailBytesMax = 10_000_000

type Env = Readonly<Record<string, string | undefined>>

interface StoredMail {
  readonly id: string
  readonly from: string
  /** The sender in the envelope. */
  readonly returnPath: string
  /** The signed-in user, and whether the connection was encrypted. */
  readonly user: string | null
  readonly tls: boolean
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
const faults = createFaults()
const sockets = new Set<Socket>()
/**
 * With MAILBOX the server requires a sign-in by access token, and lets that mailbox send only under its own address.
 */
const mailbox = process.env.MAILBOX
const tokens = mailbox === undefined ? null : mailboxSignIn(mailbox, faults)
const signIn: SignIn | null = tokens ?? passwordSignInFrom(process.env)
/** With a certificate it accepts only TLS: from the first byte, or after STARTTLS. */
const tls = tlsFrom(process.env)
let lastId = [...state.rows('mails').keys()].reduce((most, key) => Math.max(most, Number(key)), 0)

const wire = new SMTPServer({
  name: 'mailbox.localhost',
  banner: 'Mailbox simulator',
  ...tls,
  disabledCommands: [...(signIn === null ? ['AUTH'] : []), ...(tls === null || tls.secure ? ['STARTTLS'] : [])],
  authOptional: signIn === null,
  allowInsecureAuth: tls === null,
  authMethods: [...(signIn?.methods ?? [])],
  onMailFrom(_address, session, answer) {
    if (tls === null || session.secure) answer()
    else answer(Object.assign(new Error('5.7.0 Must issue a STARTTLS command first'), { responseCode: 530 }))
  },
  onAuth: (auth, _session, answer) => signIn?.authenticate(auth, answer),
  disableReverseLookup: true,
  size: mailBytesMax,
  onRcptTo(address, _session, answer) {
    const refuse = refusalCode('rcpt', [address.address])
    answer(refuse === null ? null : smtpError(refuse))
  },
  onData(stream, session, answer) {
    receive(stream, session)
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

function passwordSignInFrom({
  SMTP_USER: user,
  SMTP_PASSWORD: password = '',
  AUTH_METHODS: methods = 'PLAIN LOGIN',
}: Env) {
  return user === undefined ? null : passwordSignIn(user, password, methods.split(' '))
}

function tlsFrom({ TLS_KEY: key, TLS_CERTIFICATE: cert, TLS: kind }: Env) {
  return key === undefined ? null : { key, cert, secure: kind === 'first-byte' }
}

/** Stores the mail, unless a fault applies; a number is the code of its rejection. */
async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<number | 'kept' | 'silent' | 'cut'> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  const { rcptTo, mailFrom } = session.envelope
  const recipients = rcptTo.map(({ address }) => address)
  const from = mailFrom === false ? '' : mailFrom.address
  const refuse = refusalCode('data', recipients)
  if (refuse !== null) return refuse
  const raw = Buffer.concat(chunks)
  const sender = (await PostalMime.parse(raw)).from?.address
  const senders = [sender, from]
  if (mailbox !== undefined && senders.some((address) => address !== mailbox)) throw sendAsDenied(sender)
  const call = { path: '/data', moves: true }
  if (faults.take('hang', call) !== null) return 'silent'
  await faults.holdUp(call)
  await storeMail(raw, recipients, from, session)
  return faults.take('drop-after', call) === null ? 'kept' : 'cut'
}

async function storeMail(raw: Buffer, to: readonly string[], from: string, { user, secure }: SMTPServerSession) {
  const mail = await PostalMime.parse(raw)
  lastId += 1
  const id = String(lastId)
  const stored: StoredMail = {
    id,
    from: mail.from?.address ?? from,
    returnPath: from,
    user: user ?? null,
    tls: secure,
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

function refusalCode(at: 'rcpt' | 'data', to: readonly string[]): number | null {
  const fields = faults.take('refuse', { path: `/${at}`, moves: true }, (fault) => doesFaultApply(fault, at, to))
  return fields === null ? null : (numberField(fields, 'code') ?? 451)
}

function doesFaultApply(fields: Fields, at: string, to: readonly string[]): boolean {
  const recipient = textField(fields, 'to')
  return (textField(fields, 'at') ?? 'rcpt') === at && (recipient === undefined || to.includes(recipient))
}

/** Exchange Online's rejection, after the whole mail. */
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
  },
  'POST /clear': () => {
    state.commit({ mails: Object.fromEntries([...state.rows('mails').keys()].map((id) => [id, null])) })
  },
  'GET /switches': () => ({ faults: faults.list() }),
  'GET /tokens': () => ({ granted: tokens?.granted() ?? 0, signIns: tokens?.signIns() ?? 0 }),
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

tokens?.serveTokens(switches)

await listenAndAnnounce(wire.server, switches)
