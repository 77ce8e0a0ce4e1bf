import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getItemEnd } from '#contract/office/inbox.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { clockTime, dayText, timeText } from '#ui/text/time.tsx'
import { useStateLabel } from '../../records/value-names.ts'
import { useStaff } from '../../session.ts'

export type ItemEnd = ResponseOf<typeof getItemEnd>

/** Returns the outcome of an item that has left the list; null if it is still open, undefined while loading. */
export function useItemEnd(id: string | undefined): ItemEnd | null | undefined {
  const { data, error } = useEndpoint(getItemEnd, { id: id ?? '' }, { enabled: id !== undefined })
  return data ?? (error ? null : undefined)
}

/**
 * Returns a function that returns "Decided by Paul Okafor, 13:07", with the date on another day; null if no decision
 * ended it.
 */
export function useItemEndText(): (end: ItemEnd) => string | null {
  const { t, i18n } = useLingui()
  const state = useStateLabel()
  const { firm, staff } = useStaff()
  return ({ kind, at, by, state: to }) => {
    const now = new Date()
    const isToday = dayText(at, 'en', now, firm.timeZone) === dayText(now, 'en', now, firm.timeZone)
    const time = isToday ? clockTime(at, firm.timeZone) : timeText(at, i18n.locale, now, firm.timeZone)
    if (by?.kind === 'staff') {
      const name = by.name ?? ''
      return by.id === staff.id ? t`Decided by you, ${time}` : t`Decided by ${name}, ${time}`
    }
    if (to === null) return null
    const word = state(kind, to)
    return by?.kind === 'client' ? t`${word} by the client, ${time}` : `${word}, ${time}`
  }
}
