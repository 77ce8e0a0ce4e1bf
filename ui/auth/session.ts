/** The token of an app: in localStorage in the portal, in sessionStorage in the back office (requirements 4.10). */

export interface Session {
  token(): string | null
  /** Starts or renews the session. */
  keep(token: string): void
  /** Ends it here. The sign-in page says why, except after a logout (`logout`, `elsewhere`). */
  end(reason: EndReason): void
  /** Sends a request whose response replaces the session's token; other requests are rejected before it arrives. */
  replace<Answer>(send: () => Promise<Answer>): Promise<Answer>
  /**
   * Ends the session of a token that the server rejected. Returns true instead if its owner continues under another
   * token, as after a change of the password in this tab or another: the request was not carried out, and may be sent
   * again.
   */
  reject(token: string | null): Promise<boolean>
  subscribe(listener: () => void): () => void
  /** Returns why the last session ended, until the next one starts. */
  endReason(): EndReason | null
}

/**
 * `elsewhere`: Logout in another tab. `paused` and `unconfirmed`: a Logout from steps that the client continues later,
 * by a login or, before the email address is confirmed, by the link in the email.
 */
export type EndReason = 'logout' | 'paused' | 'unconfirmed' | 'elsewhere' | 'expired' | 'ended'

/** Returns a session in a storage of the browser. The storage event reports a logout in another tab. */
export function browserSession(storage: Storage, key: string, alsoForgotten: readonly string[] = []): Session {
  const listeners = new Set<() => void>()
  let reason: EndReason | null = null
  const notify = () => {
    for (const listener of listeners) listener()
  }
  addEventListener('storage', (event) => {
    if (event.storageArea !== storage || (event.key !== key && event.key !== null)) return
    // The reason briefly replaces the token, so that the storage event contains it.
    if (event.newValue?.startsWith(endMark)) return
    if (event.newValue === null) reason = endReasonElsewhere(event.oldValue)
    notify()
  })
  const end = (why: EndReason) => {
    if (storage.getItem(key) === null) return
    reason = why
    storage.setItem(key, endMark + why)
    for (const name of [key, ...alsoForgotten]) storage.removeItem(name)
    notify()
  }
  return {
    token: () => storage.getItem(key),
    keep(token) {
      if (storage.getItem(key) === token) return
      reason = null
      storage.setItem(key, token)
      notify()
    },
    end,
    // The lock is shared by all tabs of the app.
    replace: (send) => navigator.locks.request(key, send),
    async reject(token) {
      if (token === null) return false
      const now = await navigator.locks.request(key, { mode: 'shared' }, () => storage.getItem(key))
      if (now === token) end('ended')
      return now !== null && now !== token && claimsOf(now)?.['id'] === claimsOf(token)?.['id']
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    endReason: () => reason,
  }
}

/** Returns whether the person ended the session, so that nothing of theirs is kept in this tab. */
export function isLogout(reason: EndReason | null): boolean {
  return reason !== null && reason !== 'expired' && reason !== 'ended'
}

const endMark = '#'

function endReasonElsewhere(last: string | null): EndReason {
  const reason = last?.startsWith(endMark) ? last.slice(endMark.length) : null
  return reason === 'expired' || reason === 'ended' ? reason : 'elsewhere'
}

/** Returns the claims of a token without verification, which only the server does; null if it is no token. */
export function claimsOf(token: string | null): Record<string, unknown> | null {
  const payload = token?.split('.')[1]
  if (!payload) return null
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Returns whether both tokens are of the same session, which renews its token from time to time. */
export function isSameSession(one: string | null, other: string | null): boolean {
  const session = claimsOf(one)?.['sid']
  return session !== undefined && session === claimsOf(other)?.['sid']
}

/** Returns whether the token's expiry, in seconds since 1970, has passed (requirements 4.9). */
export function hasExpired(token: string | null, now: Date): boolean {
  const expiry = claimsOf(token)?.['exp']
  return typeof expiry !== 'number' || expiry <= now.getTime() / 1000
}
