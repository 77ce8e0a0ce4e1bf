/** Mail over SMTP. TLS is demanded and verified everywhere but on this very machine (ASVS 12.3.1). */
import { createTransport } from 'nodemailer'
import { isLoopback } from '../address.ts'
import { Rejected, silentLog, Unavailable, Unknown } from '../errors.ts'
import type { IntegrationLogger } from '../errors.ts'
import type { MailTransport, OutgoingMail } from './mail-transport.ts'

const addressPattern = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,255}$/
const messageIdPattern = /^<[^\s<>@]{1,120}@[^\s<>@]{1,120}>$/
/** Failures of the connection from before anything of a mail was sent. */
const earlyCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EDNS',
  'ETLS',
  'EAUTH',
  'CONNECT_TIMEOUT',
  'GREETING_TIMEOUT',
])

export interface SmtpOptions {
  /** smtp://[user:password@]host[:port], or smtps://… for TLS from the first byte. */
  url: string
  /** The sender's address. */
  from: string
  /** Certificates to trust besides the system's, PEM. */
  ca?: string
  /** Of the silence that is allowed, ms. */
  timeoutMs?: number
  /** Of the time until a server has greeted, ms; a little less than `timeoutMs` unless told. */
  greetingMs?: number
  log?: IntegrationLogger
}

export function smtpMail(options: SmtpOptions): MailTransport {
  const url = new URL(options.url)
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')
    throw new Error('The mail server is given as smtp:// or smtps://')
  const secure = url.protocol === 'smtps:'
  const here = isLoopback(url.hostname)
  const timeoutMs = options.timeoutMs ?? 10_000
  const greetingMs = options.greetingMs ?? Math.ceil(timeoutMs * 0.8)
  const log = options.log ?? silentLog
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !here,
    ignoreTLS: !secure && here,
    tls: { minVersion: 'TLSv1.2', ...(options.ca !== undefined && { ca: options.ca }) },
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    // Shorter than the silence allowed later: a server that never greets is told apart from one that falls silent.
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      assertValidMail(mail)
      try {
        await transport.sendMail({
          from: { name: mail.fromName ?? '', address: options.from },
          to: { name: '', address: mail.to },
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          messageId: mail.messageId,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        const failure = failureOf(error)
        log.warn({ messageId: mail.messageId, problem: failure.message }, 'mail not accepted')
        throw failure
      }
    },
    async health() {
      try {
        await transport.verify()
      } catch (error) {
        throw new Unavailable(failureOf(error).message, error)
      }
    },
  }
}

/** One recipient and whole header lines, whatever a name or subject carries (ASVS 1.3.11). */
function assertValidMail(mail: OutgoingMail): void {
  const refuse = (what: string) => new Rejected('bad-input', 'smtp:input', `The mail's ${what} cannot be sent`)
  if (!addressPattern.test(mail.to)) throw refuse('recipient')
  if (!messageIdPattern.test(mail.messageId)) throw refuse('message id')
  if (/[\p{Cc}\u2028\u2029]/u.test(mail.subject + (mail.fromName ?? ''))) throw refuse('subject or sender')
}

/** Commands whose rejection is about the mail: its recipient or its content. An earlier one is about us (ADR 96). */
const commandsOfMail = new Set(['RCPT TO', 'DATA'])

interface SmtpError extends Error {
  code?: string
  /** What was being said to the server, such as "MAIL FROM". */
  command?: string
  originalCode?: string
  timeoutType?: string
  responseCode?: number
  response?: string
}

function failureOf(error: unknown): Rejected | Unavailable | Unknown {
  const failure = error instanceof Error ? (error as SmtpError) : new Error('No reason given')
  const { responseCode, code, command = '', originalCode, timeoutType } = failure as SmtpError
  if (code === 'EAUTH') return new Unavailable('The mail server refused our sign-in', error)
  if (responseCode !== undefined) {
    const said = `The mail server answered ${answerOf(failure)}`
    if (!commandsOfMail.has(command))
      return new Unavailable(`${said} to ${command === 'CONN' ? 'the connection' : command}`, error)
    return responseCode >= 500 ? new Rejected('refused', `smtp:${responseCode}`, said) : new Unavailable(said, error)
  }
  const early = [code, originalCode, timeoutType].some((mark) => mark !== undefined && earlyCodes.has(mark))
  if (early || originalCode?.includes('CERT')) return new Unavailable('The mail server could not be reached', error)
  return new Unknown('The mail server gave no answer', error)
}

/** "550 5.7.1": the code and, where there is one, the enhanced one; the words may name the recipient. */
function answerOf({ responseCode, response = '' }: SmtpError): string {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  return [responseCode, enhanced].filter((part) => part !== undefined).join(' ')
}
