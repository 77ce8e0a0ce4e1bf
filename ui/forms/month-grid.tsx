import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { dayOf, daysAfter, daysIn, isoDay, type PlainDate } from '#rules/dates.ts'
import { dateFormat } from '../text/formats.ts'
import { IconButton } from './button.tsx'
import './month-grid.css'

interface MonthGridProps {
  /** "2026-11-21"; '' for no date. */
  from: string
  to: string
  today: string
  onDay: (day: string) => void
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A month of selectable days; arrow keys move by day, Page Up and Page Down by month. */
export function MonthGrid({ from, to, today, onDay }: MonthGridProps) {
  const { t, i18n } = useLingui()
  const [place, setPlace] = useState(to || from || today)
  const grid = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    moved.current = false
  }, [place])
  const { year, month, day } = dayOf(place) ?? { year: 2026, month: 1, day: 1 }
  const goMonths = (by: number) => setPlace(isoDay(inMonth(year, month + by, day)))
  const press = (event: KeyboardEvent) => {
    const isBack = getComputedStyle(event.currentTarget).direction === 'rtl'
    const step = steps[event.key]
    if (event.key === 'PageUp' || event.key === 'PageDown') goMonths(event.key === 'PageUp' ? -1 : 1)
    else if (step !== undefined)
      setPlace(isoDay(daysAfter({ year, month, day }, Math.abs(step) === 1 && isBack ? -step : step)))
    else return
    event.preventDefault()
    moved.current = true
  }
  const title = dateFormat(i18n.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    noon({ year, month, day: 1 }),
  )
  const weekday = dateFormat(i18n.locale, { weekday: 'short', timeZone: 'UTC' })
  const fullDate = dateFormat(i18n.locale, { dateStyle: 'full', timeZone: 'UTC' })
  return (
    <div className="month">
      <div className="row between">
        <IconButton name={t`Previous month`} onClick={() => goMonths(-1)}>
          <IconChevronLeft className="mirrored" aria-hidden="true" />
        </IconButton>
        <b className="strong" aria-live="polite">
          {title}
        </b>
        <IconButton name={t`Next month`} onClick={() => goMonths(1)}>
          <IconChevronRight className="mirrored" aria-hidden="true" />
        </IconButton>
      </div>
      <table ref={grid} aria-label={title}>
        <thead>
          <tr>
            {weeksOf(year, month)[0]?.map((one) => (
              <th key={one.key} scope="col">
                {weekday.format(noon(one.date))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(year, month).map((week) => (
            <tr key={week[0]?.key}>
              {week.map(({ key, date }) => (
                <td key={key} data-in={from !== '' && to !== '' && key >= from && key <= to ? '' : undefined}>
                  <button
                    type="button"
                    className="icon-button"
                    tabIndex={key === place ? 0 : -1}
                    aria-label={fullDate.format(noon(date))}
                    aria-pressed={key === from || key === to}
                    aria-current={key === today ? 'date' : undefined}
                    data-other={date.month === month ? undefined : ''}
                    onKeyDown={press}
                    onClick={() => onDay(key)}
                  >
                    {date.day}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function noon({ year, month, day }: PlainDate): Date {
  return new Date(Date.UTC(year, month - 1, day, 12))
}

/** Returns a day of a month, possibly in another year; the last one if the month is shorter. */
function inMonth(year: number, month: number, day: number): PlainDate {
  const first = new Date(Date.UTC(year, month - 1, 1))
  const there = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1 }
  return { ...there, day: Math.min(day, daysIn(there.year, there.month)) }
}

/** Returns the weeks of a month, each from Monday. */
function weeksOf(year: number, month: number) {
  const before = (noon({ year, month, day: 1 }).getUTCDay() + 6) % 7
  const count = Math.ceil((before + daysIn(year, month)) / 7)
  return Array.from({ length: count }, (_week, week) =>
    Array.from({ length: 7 }, (_day, place) => {
      const date = daysAfter({ year, month, day: 1 }, week * 7 + place - before)
      return { key: isoDay(date), date }
    }),
  )
}
