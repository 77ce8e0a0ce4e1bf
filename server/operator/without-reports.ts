/** Groups whose accounts get no daily reports: the ends of their days are what was read after them (ADR 210). */
import { rows, type Connection } from '../db/sql.ts'
import type { Stalled } from './late-turns.ts'

const namedMax = 20

/** Returns a line for each group, by the last day that was noted of its accounts. */
export async function groupsWithoutReports(connection: Connection): Promise<Stalled[]> {
  const found = await rows<{ group: string | null; accounts: number }>(connection)`
    select h.group_name as "group", count(*)::int as accounts from account_histories h
        join trading_accounts a on a.id = h.account_id and a.platform = 'MT5'
        join account_days d on d.account_id = h.account_id and d.day = h.noted_day - 1
      where d.source = 'reading' group by h.group_name order by accounts desc, h.group_name limit ${namedMax}`
  return found.map(({ group, accounts }) => ({
    what: `no daily reports in the MT5 group ${group ?? '(unknown)'}, accounts: ${accounts}`,
    cause: 'Daily reports are off in the group, or its accounts do not have the right to them.',
    effect: 'The end of each day on the account page and in statements is the first reading after midnight.',
    next: 'next night',
    action: 'Switch on daily reports for the group and for its accounts on the platform.',
    sick: false,
  }))
}
