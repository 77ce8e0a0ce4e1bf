/** Lists the accounts of a MetaTrader 5 server that were opened since a moment, group by group. */
import { Unavailable } from '../../errors.ts'
import type { OpenedAccount } from '../trading-server.ts'
import { listOf, textOf } from './values.ts'

/** How many accounts are read in one question. */
const atOnce = 100

/**
 * `ask` puts a question to the server; `offsetMs` is how far its clock is ahead of ours. Only the logins of a group are
 * read, then the records of those that `known` does not answer.
 */
export async function openedAccounts(
  ask: (path: string, query: Record<string, string>) => Promise<unknown>,
  groups: readonly string[],
  { from, offsetMs }: { readonly from: Date; readonly offsetMs: number },
  known: (logins: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<OpenedAccount[]> {
  const opened: OpenedAccount[] = []
  for (const group of groups) {
    const answer = await ask('/api/user/logins', { group })
    if (!Array.isArray(answer)) throw new Unavailable('The list of logins is no list')
    const logins = answer.filter((login) => typeof login === 'string')
    const ours = await known(logins)
    const others = logins.filter((login) => !ours.has(login))
    for (let first = 0; first < others.length; first += atOnce) {
      const login = others.slice(first, first + atOnce).join(',')
      for (const user of listOf(await ask('/api/user/get_batch', { login }))) {
        const at = new Date(Number(textOf(user, 'Registration')) * 1000 - offsetMs)
        const comment = textOf(user, 'Comment') || textOf(user, 'ID')
        if (at >= from) opened.push({ login: textOf(user, 'Login'), group, comment, at })
      }
    }
  }
  return opened
}
