/** Compares the configured offset of a platform server's clock with its first reading. */
import { minuteMs } from '#rules/dates.ts'
import { msg } from '#contract/message.ts'
import type { Setting, SettingSection } from '#contract/setting-sections.ts'
import type { Language } from '#rules/choices.ts'
import type { Connection } from '../../db/sql.ts'
import { firstZoneContradiction } from '../../jobs/platform-days.ts'
import { throwSettingProblem, settingError } from './check-section.ts'

/** Throws `setting-invalid` if the zone had another offset on the day of the first reading. */
export async function checkPlatformClock(
  connection: Connection,
  section: SettingSection,
  value: Setting<SettingSection>,
  language: Language,
): Promise<void> {
  if (section !== 'platforms') return
  const { clock } = (value as Setting<'platforms'>).MT5
  if (clock.timeZone === '') return
  const contradiction = await firstZoneContradiction(connection, 'MT5', clock)
  if (contradiction === null) return
  const { day, read, zoneOffset } = contradiction
  const values = { day, read: offsetText(read), said: offsetText(zoneOffset) }
  const reason = settingError(
    msg`the server’s clock was at UTC{read} on {day}, the first day it was read, but this time zone gives UTC{said}`,
    'MT5.clock.timeZone',
    values,
  )
  throwSettingProblem(reason, language)
}

/** "+02:00" */
function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / minuteMs
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
