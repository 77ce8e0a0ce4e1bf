/**
 * Checks with the platforms whether they have the groups of a setting, before it is saved and again before it is
 * approved.
 */
import { msg } from '#contract/message.ts'
import type { Setting, SettingSection } from '#contract/setting-sections.ts'
import { platforms, tradingPasswordLength } from '#rules/constants.ts'
import type { Language } from '#rules/choices.ts'
import type { GroupRow } from '#rules/platform-groups.ts'
import { isConnected, type Dependencies, type Platform } from '../../dependencies.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { PlatformGroup, PlatformGroups } from '../../integrations/trading-platform/trading-server.ts'
import { Problem } from '../../http/problem.ts'
import { throwSettingProblem, settingError, type SettingError } from './check-section.ts'

type Rows = Setting<'platformGroups'>['rows']

/**
 * Throws `setting-invalid` for a row whose group is missing on its platform, cannot be read, has another currency or
 * requires longer passwords, and for a changed row of a platform that is not connected; `groups-not-checked` if a
 * platform does not respond. Must be called without an open transaction.
 */
export async function checkPlatformGroups(
  dependencies: Pick<Dependencies, 'config' | 'platforms'>,
  section: SettingSection,
  { value, current }: { readonly value: Setting<SettingSection>; readonly current: Setting<SettingSection> },
  language: Language,
): Promise<void> {
  if (section !== 'platformGroups') return
  const [{ rows }, before] = [value as Setting<'platformGroups'>, (current as Setting<'platformGroups'>).rows]
  for (const platform of platforms) {
    const reason = isConnected(dependencies, platform)
      ? findInvalidRow(rows, platform, await groupsAt(dependencies, platform, rows))
      : findChangedRow(rows, platform, before)
    if (reason) throwSettingProblem(reason, language)
  }
}

async function groupsAt(
  dependencies: Pick<Dependencies, 'platforms'>,
  platform: Platform,
  rows: Rows,
): Promise<PlatformGroups> {
  const names = new Set(rows.filter((row) => row.platform === platform).map(({ group }) => group))
  if (names.size === 0) return { found: new Map(), isComplete: true }
  try {
    return await dependencies.platforms[platform].bulk.findGroups([...names])
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    throw new Problem('groups-not-checked', { values: { platform } })
  }
}

function findInvalidRow(rows: Rows, platform: Platform, { found, isComplete }: PlatformGroups): SettingError | null {
  for (const [place, row] of rows.entries()) {
    if (row.platform !== platform) continue
    const reason = groupError(row, found.get(row.group), isComplete)
    if (reason) return { ...reason, at: `rows.${place}.group` }
  }
  return null
}

function groupError(
  { platform, group, currency }: GroupRow,
  found: PlatformGroup | undefined,
  isComplete: boolean,
): SettingError | null {
  if (!found && !isComplete)
    return settingError(
      msg`the name of a group on {platform} cannot be read, and it may be “{group}”. Correct it there`,
      '',
      {
        platform,
        group,
      },
    )
  if (!found)
    return settingError(msg`{platform} has no group “{group}”, or our login may not use it`, '', { platform, group })
  if (found.currency !== currency)
    return settingError(msg`the group “{group}” is not in {currency} on {platform}`, '', { platform, group, currency })
  if (found.passwordLengthMin === null)
    return settingError(
      msg`the password length of the group “{group}” cannot be read on {platform}. Correct it there`,
      '',
      {
        platform,
        group,
      },
    )
  if (found.passwordLengthMin > tradingPasswordLength)
    return settingError(
      msg`the group “{group}” requires passwords of {least} characters. Ours have {length}. Lower the minimum on {platform}`,
      '',
      { platform, group, least: found.passwordLengthMin, length: tradingPasswordLength },
    )
  return null
}

/**
 * Returns the changed row of a platform that is not connected, or null: such rows cannot be checked, so they must not
 * change.
 */
function findChangedRow(rows: Rows, platform: Platform, before: Rows): SettingError | null {
  const kept = new Set(before.map((row) => JSON.stringify(row)))
  const changed = rows.findIndex((row) => row.platform === platform && !kept.has(JSON.stringify(row)))
  return changed < 0 ? null : settingError(msg`{platform} is not connected`, `rows.${changed}.group`, { platform })
}
