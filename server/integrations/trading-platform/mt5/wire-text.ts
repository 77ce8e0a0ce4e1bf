/** The text of calls and responses of the Web API: query strings and parsed responses. */

export interface Mt5Answer {
  retcode: number
  text: string
  answer: unknown
}

/** HTTP 401 or 403: the server does not know the session, or our login may not make the call. */
export class NotAuthenticated extends Error {
  readonly code: string

  constructor(status: number) {
    super(`HTTP ${status}`)
    this.code = `mt5:http-${status}`
  }
}

/** A response as received: HTTP status and body. */
export interface SendResult {
  status: number
  text: string
}

/** Returns the parsed response with its return code (0 is success). Throws for one without a code. */
export function parseAnswer({ text }: SendResult): Mt5Answer {
  const value = jsonOf(text)
  // The error of JSON.parse quotes the text. Errors are logged, and responses name persons.
  if (value === undefined) throw new Error('The response is not JSON')
  const fields = value as { retcode?: unknown; answer?: unknown } | null
  const code = typeof fields?.retcode === 'string' ? /^(\d{1,6})(?:\s|$)/.exec(fields.retcode)?.[1] : undefined
  if (fields === null || code === undefined) throw new Error('The answer has no retcode')
  return { retcode: Number(code), text: String(fields.retcode), answer: fields.answer }
}

/** Returns the value of a text, or undefined if it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** Returns the fields of a response to a sign-in. Throws for any return code except 0. */
export function signInFields(result: SendResult): Record<string, string> {
  const { retcode, text } = parseAnswer(result)
  if (retcode !== 0) throw new Error(`The server returned ${text}`)
  return JSON.parse(result.text) as Record<string, string>
}

/** Returns a query with its question mark and escaped values, or '' without values. */
export function queryText(query: Readonly<Record<string, string>>): string {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(escaped(value))}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Returns a value with the protocol's escape, which applies to the address alone (webapi_screening, ADR 341). */
function escaped(value: string): string {
  return value.replace(/[=|\\\n]/g, '\\$&')
}
