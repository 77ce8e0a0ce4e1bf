/** Conformance checks of the mail server up to the sign-in. No mail is sent. */
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { ConformanceError, CheckNotRun, type ConformanceCheck } from '../conformance.ts'
import { accessTokens } from './access-token.ts'
import { connectionOf, failureOf, smtpMail, type SmtpOptions } from './smtp.ts'

/** The content of the greeting. */
interface Greeting {
  readonly isSecure: boolean
  /** Keywords of EHLO; null if the server supports only HELO. */
  readonly keywords: readonly string[] | null
  readonly methods: readonly string[]
}

export function mailConformance(options: SmtpOptions): ConformanceCheck[] {
  const { url, here, connection } = connectionOf(options)
  const { oauth } = options
  const needed = oauth ? ['XOAUTH2'] : ['PLAIN', 'LOGIN', 'CRAM-MD5']
  const isSignedIn = oauth !== null && oauth !== undefined ? true : url.username !== ''
  let greeted: Greeting = { isSecure: false, keywords: null, methods: [] }
  return [
    {
      name: 'EHLO',
      gate: 'run',
      async run() {
        greeted = await readGreeting(connection)
        if (greeted.keywords === null) throw new ConformanceError('the server accepts only HELO, not EHLO')
        return greeted.keywords.join(' ')
      },
    },
    {
      name: connection.secure ? 'TLS from the first byte' : 'STARTTLS',
      async run() {
        if (greeted.isSecure) return 'with a certificate that is trusted'
        if (here) throw new CheckNotRun('this very machine is spoken to without TLS')
        throw new ConformanceError('the connection is not encrypted')
      },
    },
    {
      name: 'AUTH is offered',
      async run() {
        if (!isSignedIn) throw new CheckNotRun('SMTP_URL has no user')
        const usable = greeted.methods.filter((method) => needed.includes(method))
        if (usable.length === 0) throw new ConformanceError(`offers none of ${needed.join(', ')}`)
        return usable.join(', ')
      },
    },
    ...(oauth ? [tokenCheck(options, oauth)] : []),
    {
      name: oauth ? 'AUTH by access token' : 'AUTH by password',
      async run() {
        if (!isSignedIn) throw new CheckNotRun('SMTP_URL has no user')
        await smtpMail(options).health()
      },
    },
  ]
}

function tokenCheck(options: SmtpOptions, oauth: NonNullable<SmtpOptions['oauth']>): ConformanceCheck {
  return {
    name: 'access token',
    gate: 'list',
    async run() {
      const { timeoutMs = 10_000, now = () => new Date(), ca } = options
      await accessTokens({ ...oauth, timeoutMs, now, ...(ca !== undefined && { ca }) }).get()
    },
  }
}

function readGreeting(connection: ReturnType<typeof connectionOf>['connection']): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    const smtp = new SMTPConnection(connection)
    smtp.once('error', (error: Error) => {
      smtp.close()
      reject(failureOf(error, null))
    })
    smtp.connect(() => {
      const response = typeof smtp.lastServerResponse === 'string' ? smtp.lastServerResponse : ''
      const lines = response.split(/\r?\n/).slice(1)
      const keywords = lines.map((line) => /^\d{3}[ -]([A-Z0-9-]{1,20})\b/i.exec(line)?.[1]?.toUpperCase() ?? '')
      const methods = lines.flatMap(
        (line) => /^\d{3}[ -]AUTH[ =](.*)$/i.exec(line)?.[1]?.toUpperCase().split(' ') ?? [],
      )
      // After HELO nodemailer assumes that a sign-in is possible, although nothing says so.
      const isHelo = smtp.allowsAuth && !keywords.includes('AUTH')
      resolve({ isSecure: smtp.secure, keywords: isHelo ? null : keywords.filter((word) => word !== ''), methods })
      smtp.quit()
    })
  })
}
