import { useLingui } from '@lingui/react/macro'
import { browserOf, systemOf } from '#rules/devices.ts'

/** Returns a function that returns "Chrome on Windows" for a user agent; an unknown one is returned unchanged. */
export function useDeviceLabels(): (agent: string) => string {
  const { t } = useLingui()
  return (agent) => {
    const [browser, system] = [browserOf(agent), systemOf(agent)]
    return browser && system ? t`${browser} on ${system}` : (browser ?? system ?? (agent.trim() || t`Unknown device`))
  }
}
