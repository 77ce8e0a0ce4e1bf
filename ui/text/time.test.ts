import { expect, test, vi } from 'vitest'
import { bankDate, calendarDayText, dayText, exactTimeText, historyTime, timeText } from './time.tsx'

const at = new Date('2026-06-09T08:04:05Z')
const now = new Date('2026-11-01T00:00:00Z')

test('history shows YYYY/MM/DD HH:mm:ss and bank cards DD/MM/YYYY', () => {
  expect(historyTime(at, 'Europe/London')).toBe('2026/06/09 09:04:05')
  expect(bankDate(at, 'Europe/London')).toBe('09/06/2026')
})

test('elsewhere a time is written out, with its year only if that is not the current year', () => {
  expect(timeText(at, 'en', now, 'Europe/London')).toBe('9 June, 09:04')
  expect(timeText(at, 'de', now, 'Europe/Berlin')).toBe('9. Juni, 10:04')
  expect(exactTimeText(at, 'en', now, 'Europe/London')).toBe('9 June, 09:04:05')
  expect(dayText(new Date('2025-06-09T08:00:00Z'), 'en', now, 'UTC')).toBe('9 June 2025')
})

test('a calendar date is shown as the same day west of Greenwich', () => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(calendarDayText('2026-06-09', 'en', now)).toBe('9 June')
  expect(calendarDayText('2025-06-09', 'de', now)).toBe('9. Juni 2025')
  vi.unstubAllEnvs()
})
