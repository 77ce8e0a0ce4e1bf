/** The daily reports: for accounts that have the right to them, in groups that make them. */
import { dayEnds, type DayEnd } from '../platform/nights.ts'
import { groupNamed } from './groups.ts'
import { dailyRecord, type Written } from './records.ts'
import { Refused } from './refused.ts'
import { assertMayRead } from './trades.ts'
import { usersOf, type CallSource } from './users.ts'

const reportsRight = 0x100

/** `further` is what the full report has beyond the light one. */
export function dailyOf(
  source: CallSource,
  further: (positions: DayEnd['positions']) => Written = () => ({}),
): Written[] {
  assertMayRead(source)
  const { parameters, book } = source
  const [from, to] = [Number(parameters.get('from') ?? Number.NaN), Number(parameters.get('to') ?? Number.NaN)]
  if (Number.isNaN(from) || Number.isNaN(to)) throw new Refused(3)
  return usersOf(parameters, book)
    .filter(({ rights, group }) => (rights & reportsRight) !== 0 && groupNamed(group)?.reports === true)
    .flatMap((account) => dayEnds(book, account, from, to + 1))
    .map((end) => ({ ...dailyRecord(end, book.clock.zoneMinutes()), ...further(end.positions) }))
}
