/**
 * Access tokens for the server's own sign-in at the mail server: OAuth 2.0 client credentials (RFC 6749 section 4.4; at
 * Microsoft "Authenticate an IMAP, POP or SMTP connection using OAuth"), without a person.
 */
import * as z from 'zod/mini'
import { Unavailable } from '../errors.ts'
import { httpClient, jsonObject } from '../http-client.ts'

interface AccessTokenOptions {
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** Null if the request has none. */
  scope: string | null
  ca?: string
  timeoutMs: number
  now: () => Date
}

interface AccessTokens {
  /**
   * Returns a token that is valid for at least two more minutes. Throws `Unavailable` with the cause and the remedy.
   */
  get(): Promise<string>
  /** Discards a token that the mail server has rejected. */
  forget(token: string): void
}

/** A token is replaced before it expires: sending takes time, and clocks differ. */
const reserveMs = 120_000
const granted = z.object({
  // RFC 6750 section 2.1: b64token. Nothing else may reach the sign-in, whose fields are separated by \x01.
  access_token: z.string().check(z.regex(/^[A-Za-z0-9\-._~+/]+=*$/)),
  token_type: z.string().check(z.regex(/^bearer$/i)),
  expires_in: z._default(z.coerce.number().check(z.minimum(0)), 0),
})
/** The errors of RFC 6749 section 5.2 with the operator's remedy. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['invalid_client', 'Check SMTP_OAUTH_CLIENT_ID, and whether SMTP_OAUTH_CLIENT_SECRET has expired.'],
  ['invalid_scope', 'Check SMTP_OAUTH_SCOPE.'],
  ['invalid_request', 'Check SMTP_OAUTH_TOKEN_URL and SMTP_OAUTH_SCOPE.'],
  ['unauthorized_client', 'Allow the client the "client credentials" flow there.'],
  ['unsupported_grant_type', 'Allow the client the "client credentials" flow there.'],
])

/**
 * Creates a source of access tokens by client credentials (RFC 6749 section 4.4), each cached until shortly before it
 * expires.
 */
export function accessTokens(options: AccessTokenOptions): AccessTokens {
  const url = new URL(options.tokenUrl)
  const client = httpClient({
    url,
    timeoutMs: options.timeoutMs,
    connectionsMax: 1,
    publicOnly: false,
    ...(options.ca !== undefined && { ca: options.ca }),
  })
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: options.clientId,
    client_secret: options.clientSecret,
    ...(options.scope !== null && { scope: options.scope }),
  })
  let kept: { token: string; until: number } | null = null
  let underWay: Promise<string> | null = null

  const request = async (): Promise<string> => {
    const asked = options.now().getTime()
    const path = url.pathname + url.search
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const response = await client
      .send({ method: 'POST', path, headers, body: Buffer.from(form.toString()) })
      .catch((error: unknown) => {
        throw new Unavailable(`No response from the token endpoint ${url.host}. Check SMTP_OAUTH_TOKEN_URL.`, error)
      })
    const answer = jsonObject(response.body)
    const parsed = granted.safeParse(answer)
    if (response.status !== 200 || !parsed.success) throw refusalOf(url.host, response.status, answer)
    kept = { token: parsed.data.access_token, until: asked + parsed.data.expires_in * 1000 - reserveMs }
    return kept.token
  }

  return {
    async get() {
      if (kept !== null && options.now().getTime() < kept.until) return kept.token
      underWay ??= request().finally(() => (underWay = null))
      return underWay
    },
    forget(token) {
      if (kept?.token === token) kept = null
    },
  }
}

/**
 * Returns the code of a rejection and Microsoft's number of the cause. Its text is left out, because it may name
 * accounts.
 */
function refusalOf(host: string, status: number, answer: Record<string, unknown> | null): Unavailable {
  const words = answer?.['error_description']
  const code = typeof answer?.['error'] === 'string' ? answer['error'].slice(0, 60) : ''
  const cause = /\bAADSTS\d+/.exec(typeof words === 'string' ? words : '')?.[0] ?? ''
  const detail = [String(status), code, cause].filter((part) => part !== '').join(' ')
  const remedy = remedies.get(code) ?? (status >= 500 ? 'It is tried again.' : 'Check SMTP_OAUTH_TOKEN_URL.')
  return new Unavailable(`The token endpoint ${host} gave no access token (${detail}). ${remedy}`)
}
