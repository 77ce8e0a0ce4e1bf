import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { hourMs } from '#rules/dates.ts'
import type { Target } from '#contract/office/overview.ts'
import { clockTime, dayText, timeText, weekdayName } from '#ui/text/time.tsx'
import { useStaff } from '../session.ts'

/** Returns "4 h late", "17:20", "Mon 09:00" or "2 December, 09:00": the due time in the firm's time zone. */
export function useDueLabels(): (dueAt: Date, now?: Date) => { text: string; late: boolean } {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  const span = useSpanLabels()
  return (dueAt, now = new Date()) => {
    const lateMs = now.getTime() - dueAt.getTime()
    if (lateMs > 0) {
      const late = span(lateMs)
      return { text: t`${late} overdue`, late: true }
    }
    const clock = clockTime(dueAt, firm.timeZone)
    if (dayText(dueAt, 'en', now, firm.timeZone) === dayText(now, 'en', now, firm.timeZone))
      return { text: clock, late: false }
    if (-lateMs >= 6 * 24 * hourMs) return { text: timeText(dueAt, i18n.locale, now, firm.timeZone), late: false }
    return { text: `${weekdayName(dueAt, i18n.locale, firm.timeZone)} ${clock}`, late: false }
  }
}

/** Returns "40 min", "31 h" or "12 days": a duration in one unit. */
export function useSpanLabels(): (ms: number) => string {
  const { t } = useLingui()
  return (ms) => {
    const minutes = Math.max(1, Math.round(ms / 60_000))
    if (minutes < 90) return t`${minutes}\u00a0min`
    const hours = Math.round(ms / hourMs)
    if (hours < 100) return t`${hours}\u00a0h`
    const days = Math.round(hours / 24)
    return t`${days} days`
  }
}

/** Returns "48 h", "2 working days" or "immediately": the due time of a kind of work item. */
export function useTargetLabel(): (target: Target) => string {
  const { t } = useLingui()
  return (target) => {
    if (target === null) return t({ message: 'immediately', context: 'due' })
    const { number: hours, number: days } = target
    return target.unit === 'hours'
      ? t`${hours}\u00a0h`
      : plural(days, { one: '# working day', other: '# working days' })
  }
}

/** "due 17:20", or by how much it is overdue. */
export function DueBy({ at }: { at: Date }) {
  const { late } = useDueLabels()(at)
  return (
    <>
      {!late && <Trans>due</Trans>} <Due at={at} />
    </>
  )
}

/** Shows when something is due; overdue in red, with the word. */
export function Due({ at }: { at: Date | null }) {
  const words = useDueLabels()
  if (!at) return <span className="muted">–</span>
  const { text, late } = words(at)
  return <span className={late ? 'numbers unbroken strong tone-bad' : 'numbers unbroken'}>{text}</span>
}
