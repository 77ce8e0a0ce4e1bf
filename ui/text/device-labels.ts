import { useLingui } from '@lingui/react/macro'
import { browserOf, systemOf } from '#rules/devices.ts'

/** "Chrome on Windows" of what a browser says of itself; what names neither stands as it is. */
export function useDeviceLabels(): (agent: string) => string {
  const { t } = useLingui()
  return (agent) => {
    const [browser, system] = [browserOf(agent), systemOf(agent)]
    return browser && system ? t`${browser} on ${system}` : (browser ?? system ?? (agent.trim() || t`Unknown device`))
  }
}
