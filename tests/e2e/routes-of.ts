/**
 * The routes in an app's table, read as text: tests use the apps only through a browser (docs/architecture.md, section
 * 1).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function routesOf(app: 'portal' | 'office'): string[] {
  const table = readFileSync(join(import.meta.dirname, '..', '..', app, 'routes.tsx'), 'utf8')
  const lists = [...table.matchAll(/\bscreen\(\s*\[([^\]]*)\]/g)].map((match) => match[1] ?? '')
  const routes = lists.flatMap((list) => [...list.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? ''))
  if (routes.length === 0) throw new Error(`No routes were found in ${app}/routes.tsx.`)
  return routes
}
