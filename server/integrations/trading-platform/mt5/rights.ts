/** The permissions that our manager login lacks, tested with one of our accounts (webapi_preparing). */
import { Rejected } from '../../errors.ts'
import type { PlatformRight } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'

/** Returns the permissions that our login lacks, tested with one of our accounts. Throws a call's other failures. */
export async function missingRights(caller: Mt5Caller, login: string): Promise<readonly PlatformRight[]> {
  const user = await unlessForbidden(() => caller.record('/api/user/get', { login }))
  if (user === null) return ['accounts']
  const missing: PlatformRight[] = []
  // All our accounts have a name and a comment.
  if (user.Name === '' && user.Comment === '') missing.push('personal-data')
  const query = { login, from: '0', to: '0', offset: '0', total: '1' }
  if ((await unlessForbidden(() => caller.list('/api/deal/get_page', query))) === null) missing.push('deals')
  return missing
}

/** Returns the response, or null if our login lacks the permission. */
export async function unlessForbidden<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Rejected && error.reason === 'no-permission') return null
    throw error
  }
}
