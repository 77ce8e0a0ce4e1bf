/** Mail over SMTP. TLS is required and verified except on this machine (ASVS 12.3.1). */
import type { SMTPTransportOptions, Transporter } from 'nodemailer'
import { tlsOptions } from '../../config/certificates.ts'
import { isLoopback } from '../address.ts'
import { countCall, noCallCount, type CallCount } from '../call-counts.ts'
import { Deferred, Rejected, silentLog, Unavailable, Unknown, type IntegrationLogger } from '../errors.ts'
import { accessTokens } from './access-token.ts'
import type { MailTransport, OutgoingMail } from './mail-transport.ts'

const addressPattern = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,255}$/
const messageIdPattern = /^<[^\s<>@]{1,120}@[^\s<>@]{1,120}>$/
/** Connection failures before any part of a mail was sent. */
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

/** Sign-in with an access token instead of a password. */
interface SmtpOAuth {
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope: string | null
  /** The mailbox of the sign-in. */
  user: string
}

export interface SmtpOptions {
  /** smtp://[user:password@]host[:port], or smtps://… for TLS from the first byte. */
  url: string
  /** The sender's address. */
  from: string
  /** The address for reports of failed delivery; the sender's by default. */
  returnPath?: string | null
  oauth?: SmtpOAuth | null
  /** Certificates to trust in addition to the system's, PEM; also for the token endpoint. */
  ca?: string
  /** The maximum silence of the token endpoint, and of the mail server in a check of its health, ms. */
  timeoutMs?: number
  /** The maximum time for the server's response to a mail that it has received, ms. */
  answerMs?: number
  /** The maximum time until the server's greeting, ms; slightly less than `timeoutMs` by default. */
  greetingMs?: number
  now?: () => Date
  log?: IntegrationLogger
  calls?: CallCount
}

/** One connection to the mail server, with the configured sign-in. */
type Session = <Result>(
  use: (transport: Transporter) => Promise<Result>,
  more?: Pick<SMTPTransportOptions, 'logger' | 'socketTimeout'>,
) => Promise<Result>

/** A mail is sent within this time, with the sign-in, or not at all. */
const sendWithinMs = 30_000
/**
 * A server may check the content before it responds. RFC 5321 (4.5.3.2.6) recommends ten minutes, because a mail whose
 * response was missed is sent twice; with `sendWithinMs` and the token it must be shorter than the lease of a mail
 * (mail-operation.ts).
 */
const answerMsMax = 120_000

export function smtpMail(options: SmtpOptions): MailTransport {
  const session = sessionsOf(options)
  const log = options.log ?? silentLog
  const calls = options.calls ?? noCallCount
  const answerMs = options.answerMs ?? answerMsMax
  /** Makes one call; its failure determines what may be done next. */
  const call: Session = (use, more) =>
    countCall(calls, () =>
      session(use, more).catch((error: unknown) => {
        throw failureOf(error, options.oauth?.user ?? null)
      }),
    )
  return {
    async send(mail) {
      assertValidMail(mail)
      const { returnPath } = options
      const message = {
        from: { name: mail.fromName ?? '', address: options.from },
        to: { name: '', address: mail.to },
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        messageId: mail.messageId,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(typeof returnPath === 'string' && { envelope: { from: returnPath, to: mail.to } }),
      }
      const { signal, logger, end } = timeLimit(answerMs)
      try {
        await call((transport) => transport.sendMail({ ...message, signal }), { logger, socketTimeout: answerMs })
      } catch (error) {
        log.warn({ messageId: mail.messageId, problem: (error as Error).message }, 'mail not accepted')
        throw error
      } finally {
        end()
      }
    },
    async health() {
      try {
        await call((transport) => transport.verify())
      } catch (error) {
        const { message, cause } = error as Error
        throw new Unavailable(message, cause)
      }
    },
  }
}

/** Limits the time of one mail: until it has been sent, then until the response. The connection is closed after it. */
function timeLimit(answerMs: number) {
  const over = new AbortController()
  let timer = setTimeout(() => over.abort(), sendWithinMs)
  return {
    signal: over.signal,
    logger: {
      // nodemailer's event after the last byte of the mail; its other levels come here too.
      info({ tnx }: { readonly tnx?: string }) {
        if (tnx !== 'message') return
        clearTimeout(timer)
        timer = setTimeout(() => over.abort(), answerMs)
      },
    },
    end: () => clearTimeout(timer),
  }
}

/** Returns the options of the connection to the mail server. `here`: it runs on this machine. */
export function connectionOf(options: SmtpOptions) {
  const url = new URL(options.url)
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')
    throw new Error('The mail server address must begin with smtp:// or smtps://')
  const secure = url.protocol === 'smtps:'
  const here = isLoopback(url.hostname)
  const timeoutMs = options.timeoutMs ?? 10_000
  const greetingMs = options.greetingMs ?? Math.ceil(timeoutMs * 0.8)
  const connection = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !here,
    ignoreTLS: !secure && here,
    tls: tlsOptions(options.ca),
    // Shorter than the silence allowed later, to distinguish a server that never greets from one that falls silent.
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return { url, here, connection, timeoutMs }
}

/** Loaded with the first mail, so that a start does not wait for it (ADR 308). */
const nodemailer = () => import('nodemailer')

function sessionsOf(options: SmtpOptions): Session {
  const { url, connection, timeoutMs } = connectionOf(options)
  // If a sign-in is configured, a server that does not offer one must not be treated as one that needs none.
  const forceAuth = true
  const { oauth } = options
  if (!oauth) {
    const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    return async (use, more) => {
      const { createTransport } = await nodemailer()
      return use(createTransport({ ...connection, ...more, ...(auth.user !== '' && { auth, forceAuth }) }))
    }
  }
  const now = options.now ?? (() => new Date())
  const tokens = accessTokens({ ...oauth, timeoutMs, now, ...(options.ca !== undefined && { ca: options.ca }) })
  // Before the connection: a slow token endpoint is not a silence of the mail server, and nothing was sent yet.
  const attempt: Session = async (use, more) => {
    const accessToken = await tokens.get()
    const auth = { type: 'OAuth2' as const, user: oauth.user, accessToken }
    const { createTransport } = await nodemailer()
    try {
      return await use(createTransport({ ...connection, ...more, auth, forceAuth }))
    } catch (error) {
      if (isRefusedToken(error)) tokens.forget(accessToken)
      throw error
    }
  }
  // A token may be revoked early. nodemailer requests another one only after a 334, which Microsoft does not send.
  return (use, more) =>
    attempt(use, more).catch((error: unknown) => (isRefusedToken(error) ? attempt(use, more) : Promise.reject(error)))
}

/**
 * Throws unless a mail has one recipient and complete header lines, whatever a name or subject contains (ASVS 1.3.11).
 */
function assertValidMail(mail: OutgoingMail): void {
  const refuse = (what: string) => new Rejected('bad-input', 'smtp:input', `The mail's ${what} cannot be sent`)
  if (!addressPattern.test(mail.to)) throw refuse('recipient')
  if (!messageIdPattern.test(mail.messageId)) throw refuse('message id')
  if (/[\p{Cc}\u2028\u2029]/u.test(mail.subject + (mail.fromName ?? ''))) throw refuse('subject or sender')
}

/** Commands whose rejection is about the mail: its recipient or its content. An earlier one is about us (ADR 96). */
const commandsOfMail = new Set(['RCPT TO', 'DATA'])
/** The server closes the connection, whatever the command (RFC 5321, 3.8). */
const closingCode = 421

interface SmtpError extends Error {
  code?: string
  /** The current command, such as "MAIL FROM". */
  command?: string
  originalCode?: string
  timeoutType?: string
  responseCode?: number
  response?: string
}

function isRefusedToken(error: unknown): boolean {
  const { code, responseCode } = error as Partial<SmtpError>
  return code === 'EAUTH' && responseCode === 535
}

/** Returns the failure of a delivery. `mailbox` is the one that an access token signs in to; null with a password. */
export function failureOf(error: unknown, mailbox: string | null): Rejected | Unavailable | Unknown {
  if (error instanceof Unavailable) return error
  const failure: SmtpError = error instanceof Error ? error : new Error('No reason given')
  const { responseCode, code, command = '', originalCode, timeoutType } = failure
  if (code === 'EAUTH') return new Unavailable(signInFailureText(failure, mailbox), error)
  if (responseCode !== undefined) {
    const sentence = `The mail server answered ${answerCodes(failure)}`
    if (isAboutSender(failure))
      return new Unavailable(`${sentence}: the mailbox may not send as MAIL_FROM. Allow it to ("Send as").`, error)
    if (command === 'STARTTLS')
      return new Unavailable(
        `${sentence} to STARTTLS: it offers no TLS there. Use its port for smtps:// in SMTP_URL.`,
        error,
      )
    if (!commandsOfMail.has(command))
      return new Unavailable(`${sentence} to ${command === 'CONN' ? 'the connection' : command}`, error)
    if (responseCode >= 500) return new Rejected('refused', `smtp:${responseCode}`, sentence)
    return responseCode === closingCode ? new Unavailable(sentence, error) : new Deferred(sentence, error)
  }
  const early = [code, originalCode, timeoutType].some((mark) => mark !== undefined && earlyCodes.has(mark))
  if (originalCode !== undefined && /CERT|LEAF_SIGNATURE/.test(originalCode))
    return new Unavailable(
      `The mail server's certificate is not trusted (${originalCode}). Name your own authority in SMTP_CA_FILE.`,
      error,
    )
  if (early) return new Unavailable('The mail server could not be reached', error)
  return new Unknown('The mail server did not respond', error)
}

/**
 * Returns whether a rejection is about the sender: Exchange Online rejects another mailbox as sender after DATA, which
 * would affect every mail.
 */
function isAboutSender({ response = '' }: SmtpError): boolean {
  return /^55\d[ -]5\.7\.60\b|^55\d[ -].*SendAsDenied/.test(response)
}

/**
 * Returns the cause of a rejected sign-in, as far as the response names it, and the remedy. Microsoft 365's codes:
 * docs/integrations.md, Mail.
 */
function signInFailureText(failure: SmtpError, mailbox: string | null): string {
  const answer = answerCodes(failure)
  const sentence = `The mail server rejected our sign-in${answer === '' ? '' : ` (${answer})`}.`
  if (answer.endsWith(' 5.7.139')) return `${sentence} Switch on authenticated SMTP for the mailbox and the tenant.`
  if (answer.endsWith(' 5.7.30')) return `${sentence} It takes no passwords any more: set SMTP_AUTH=oauth2.`
  if (mailbox === null) return `${sentence} Check user and password in SMTP_URL.`
  return `${sentence} Allow the client to send by the mailbox ${mailbox}, and check SMTP_OAUTH_SCOPE.`
}

/**
 * Returns the code and the enhanced code of a response, "550 5.7.1". Its text is left out, because it may name the
 * recipient.
 */
function answerCodes({ responseCode, response = '' }: SmtpError): string {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  return [responseCode, enhanced].filter((part) => part !== undefined).join(' ')
}
