/** The overrides of a period: who made them, for which request, why, and by block (requirements 19.4, 24.8). */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { overridesReport } from '#contract/office/reports.ts'
import type { CheckName } from '#rules/checks/check.ts'
import type { Language } from '#rules/choices.ts'
import type { StaffId } from '#rules/ids.ts'
import { titleOfCheck } from '../../checks/check-texts.ts'
import { limitTo, rows, type Connection } from '../../db/sql.ts'
import type { Period } from './queries.ts'

type Override = ResponseOf<typeof overridesReport>['rows'][number]

interface OverrideRow extends Omit<Override, 'staff'> {
  staffId: StaffId
  name: string
  check: CheckName
}

/** Returns the newest overrides of a period, at most so many. */
export async function overridesWithin(
  connection: Connection,
  { from, until }: Period,
  language: Language,
  most: number,
): Promise<Override[]> {
  const found = await rows<OverrideRow>(connection)`
    select o.id, o.at, s.id as "staffId", s.name, c.number::text as client, o.kind, o.record,
        coalesce(w.reference, t.reference) as reference, o.check_name as "check", o.reason
      from check_overrides o join staff s on s.id = o.by_staff left join clients c on c.id = o.client_id
        left join withdrawals w on o.kind = 'withdrawal' and w.id = o.record
        left join transfers t on o.kind = 'transfer' and t.id = o.record
      where o.at >= ${from} and o.at < ${until} order by o.at desc, o.id desc ${limitTo(most)}`
  return found.map(({ staffId, name, check, ...one }) => ({
    ...one,
    staff: { id: staffId, name },
    check: titleOfCheck(check, language),
  }))
}

/** Returns how often each block was overridden in a period and in the one before, most often first. */
export async function overridesByCheck(
  connection: Connection,
  { from, until }: Period,
  earlier: Period,
  language: Language,
): Promise<ResponseOf<typeof overridesReport>['checks']> {
  const found = await rows<{ check: CheckName; count: number; before: number }>(connection)`
    select check_name as "check", count(*) filter (where at >= ${from})::int as count,
        count(*) filter (where at < ${from})::int as before
      from check_overrides where at >= ${earlier.from} and at < ${until} group by check_name order by 2 desc, 3 desc, 1`
  return found.map((one) => ({ ...one, check: titleOfCheck(one.check, language) }))
}
