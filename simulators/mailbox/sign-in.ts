/**
 * Sign-in for sending: by an access token as at Microsoft 365, with a token endpoint for client credentials (RFC 6749
 * section 4.4) and XOAUTH2, or by user and password. A rejection is an immediate 535.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { SMTPServerAuthentication, SMTPServerAuthenticationResponse } from 'smtp-server'
import { type Faults, answerJson, bodyOf } from '../process/http.ts'

const tokenPath = '/oauth2/v2.0/token'
const scope = 'https://outlook.office365.com/.default'
const lifeSeconds = 3599

export interface SignIn {
  /** The keywords after AUTH. */
  readonly methods: readonly string[]
  authenticate(
    auth: SMTPServerAuthentication,
    answer: (error: Error | null, response?: SMTPServerAuthenticationResponse) => void,
  ): void
}

interface MailboxSignIn extends SignIn {
  /** Adds the token endpoint to a server of other routes. */
  serveTokens(server: Server): void
  granted(): number
  /** Returns how often a sign-in was attempted. */
  signIns(): number
}

function rejectedSignInError(words: string): Error {
  return Object.assign(new Error(words), { responseCode: 535 })
}

/** Sign-in by user and password. */
export function passwordSignIn(user: string, password: string, methods: readonly string[]): SignIn {
  return {
    methods,
    authenticate(auth, answer) {
      if (auth.username === user && auth.password === password) return answer(null, { user })
      answer(rejectedSignInError('5.7.8 Authentication credentials invalid'))
    },
  }
}

export function mailboxSignIn(mailbox: string, faults: Faults): MailboxSignIn {
  const client = {
    client_id: process.env.OAUTH_CLIENT_ID ?? 'portal',
    client_secret: process.env.OAUTH_CLIENT_SECRET ?? 'simulator-client-secret',
  }
  const tokens = new Set<string>()
  let granted = 0
  let signIns = 0

  const grant = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams((await bodyOf(request)).toString('utf8'))
    await faults.holdUp({ path: tokenPath, moves: false })
    const refuse = (status: number, error: string, number: number) =>
      answerJson(response, status, { error, error_description: `AADSTS${number}: said by the simulator.` })
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    if (request.method !== 'POST' || !isForm) return refuse(400, 'invalid_request', 900144)
    if (form.get('grant_type') !== 'client_credentials') return refuse(400, 'unsupported_grant_type', 70003)
    const known = Object.entries(client).every(([name, value]) => form.get(name) === value)
    if (!known || faults.take('token-refused', { path: tokenPath, moves: true }))
      return refuse(401, 'invalid_client', 7000215)
    if (form.get('scope') !== scope) return refuse(400, 'invalid_scope', 70011)
    const token = randomBytes(24).toString('base64url')
    tokens.add(token)
    granted += 1
    answerJson(response, 200, { token_type: 'Bearer', expires_in: lifeSeconds, access_token: token })
  }

  return {
    methods: ['XOAUTH2'],
    authenticate({ username = '', accessToken = '' }, answer) {
      signIns += 1
      if (faults.take('token-expired', { path: '/auth', moves: true })) tokens.clear()
      if (username === mailbox && tokens.has(accessToken)) return answer(null, { user: username })
      answer(rejectedSignInError('5.7.3 Authentication unsuccessful'))
    },
    serveTokens(server) {
      const [others] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
      server.removeAllListeners('request')
      server.on('request', (request, response) => {
        if (request.url !== tokenPath) return others?.(request, response)
        grant(request, response).catch((error: unknown) => answerJson(response, 500, { error: String(error) }))
      })
    },
    granted: () => granted,
    signIns: () => signIns,
  }
}
