/** A platform's clock, its days and months, and volumes in lots. */
import { dayMs } from './dates.ts'

/** Returns the trading day of a platform time in ms, by the platform's own clock. */
export function tradingDay(platformMs: number): string {
  return new Date(platformMs).toISOString().slice(0, 10)
}

/** Returns the weekdays between two days, without both: on the others no trading is expected. */
export function weekdaysBetween(after: string, before: string): string[] {
  const days: string[] = []
  for (let ms = Date.parse(after) + dayMs; ms < Date.parse(before); ms += dayMs)
    if (new Date(ms).getUTCDay() % 6 !== 0) days.push(tradingDay(ms))
  return days
}

/** Returns the first day of a day's month. */
export function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** Returns the first day of the following month. */
export function monthAfter(day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return tradingDay(Date.UTC(year, month, 1))
}

/** Returns a volume in lots as "0.10": two decimals, or as many as it has. */
export function lotsText(volume: bigint): string {
  const digits = volume.toString().padStart(9, '0')
  const places = digits.slice(-8).replace(/0{1,6}$/, '')
  return `${digits.slice(0, -8)}.${places}`
}

/** Returns "UTC+03:00" for the minutes by which a platform's clock is ahead of UTC. */
export function zoneText(minutes: number): string {
  const [sign, size] = [minutes < 0 ? '−' : '+', Math.abs(minutes)]
  const two = (number: number) => String(number).padStart(2, '0')
  return `UTC${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
