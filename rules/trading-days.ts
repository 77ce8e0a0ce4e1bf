/** A platform's days, months and volumes, as its own clock and its lots have them. */

/** The platform's own day of a time of its own, in ms: its trading day. */
export function tradingDay(platformMs: number): string {
  return new Date(platformMs).toISOString().slice(0, 10)
}

/** The first day of a day's month. */
export function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** The first day of the month after a day's. */
export function monthAfter(day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return tradingDay(Date.UTC(year, month, 1))
}

/** "0.10" of a volume: two places, or as many as it has. */
export function lotsText(volume: bigint): string {
  const digits = volume.toString().padStart(9, '0')
  const places = digits.slice(-8).replace(/0{1,6}$/, '')
  return `${digits.slice(0, -8)}.${places}`
}
