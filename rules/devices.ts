/** Patterns of user agents. */

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

type NamedPatterns = readonly (readonly [pattern: RegExp, name: string])[]
const firstMatchingName = (list: NamedPatterns, agent: string) =>
  list.find(([pattern]) => pattern.test(agent))?.[1] ?? null

/** Returns the browser family that a user agent names, or null. */
export function browserOf(agent: string): string | null {
  return firstMatchingName(browsers, agent)
}

/** Returns the operating system that a user agent names, or null. */
export function systemOf(agent: string): string | null {
  return firstMatchingName(systems, agent)
}
