import { useLingui } from '@lingui/react/macro'

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** "Chrome on Windows" of what a browser says of itself; what names neither stands as it is. */
export function useDeviceLabels(): (agent: string) => string {
  const { t } = useLingui()
  return (agent) => {
    const named = (list: readonly (readonly [RegExp, string])[]) => list.find(([pattern]) => pattern.test(agent))?.[1]
    const [browser, system] = [named(browsers), named(systems)]
    return browser && system ? t`${browser} on ${system}` : (browser ?? system ?? (agent.trim() || t`Unknown device`))
  }
}
