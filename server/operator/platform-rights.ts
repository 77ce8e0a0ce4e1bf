/** Permissions that our login lacks on a platform, as text for the operator. */
import { platformRightEffects, platformRightLabels, type PlatformRight } from '#contract/office/platform-rights.ts'
import { labelText } from '../i18n/translate.ts'

/** Returns one row for the doctor: the missing permission, its effect and the remedy. */
export function missingRightsText(platform: string, missing: readonly PlatformRight[]): string {
  const names = missing.map((right) => labelText(platformRightLabels, right, 'en')).join(', ')
  const effects = missing.map((right) => labelText(platformRightEffects, right, 'en')).join(' ')
  return `${platform}: missing permissions: ${names} | effect on the client: ${effects} | action: grant them to our login in the manager configuration`
}
