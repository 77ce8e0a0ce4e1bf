/**
 * Our own reading of routes for wouter: exact, case-sensitive, no trailing slash (product-decisions section 10), and a
 * rest segment `*` that keeps what it caught as it stands, for confirmation ids may hold slashes.
 */
export function parseRoute(route: string): { pattern: RegExp; keys: string[] } {
  const keys: string[] = []
  const source = route
    .split('/')
    .map((segment) => {
      if (segment === '*') {
        keys.push('rest')
        return '(.+)'
      }
      if (segment.startsWith(':')) {
        keys.push(segment.slice(1))
        return '([^/]+)'
      }
      return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('/')
  return { pattern: new RegExp(`^${source}$`), keys }
}

/** The values that a route catches in a path, still percent-encoded, or null where it does not match. */
export function matchRoute(route: string, path: string): Record<string, string> | null {
  const { pattern, keys } = parseRoute(route)
  const caught = pattern.exec(path)
  return caught && Object.fromEntries(keys.map((key, index) => [key, caught[index + 1] ?? '']))
}
