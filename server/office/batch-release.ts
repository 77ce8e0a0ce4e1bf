/** Who may release a payout batch, as SQL (requirements 19.18), for the list of batches, the inbox and `doctor`. */
import { sql, type Sql } from '../db/sql.ts'

/**
 * Returns the condition that a staff member, `s`, may release a batch, `b`: not its creator, no person who overrode a
 * block on one of its payments, no payee and, if the firm requires an uninvolved person, no person who entered or
 * approved one of them.
 */
export function mayRelease(byUninvolved: boolean): Sql {
  return sql`s.state = 'active' and s.roles && array['finance', 'administrator'] and s.id is distinct from b.created_by
    and not exists (select from payout_batch_payments p join withdrawals w on w.id = p.withdrawal_id
        join clients c on c.id = w.client_id
      where p.batch_id = b.id and p.live and (lower(c.email::text) = lower(s.email::text)
        or (${byUninvolved} and s.id in (w.entered_by, w.approved_by, w.confirmed_by))
        or exists (select from check_overrides o
          where o.kind = 'withdrawal' and o.record = w.id and o.by_staff = s.id)))`
}
