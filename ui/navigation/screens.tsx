/** A table of routes whose screens are loaded on demand, and prefetched on hover and focus of a link. */
import type { ComponentType } from 'react'
import { matchRoute } from '#contract/routes.ts'
import { preloadablePart } from '../loading/lazy.tsx'

/** Properties of every screen: the decoded route parameters, except a rest parameter, which stays encoded. */
export interface ScreenProps {
  params: Readonly<Record<string, string>>
}

type Loader = () => Promise<{ default: ComponentType<ScreenProps> }>

export interface Screen<Place> {
  route: string
  place: Place
  load: () => Promise<unknown>
  View: ComponentType<ScreenProps>
}

/** Returns one screen for several routes: its code is loaded once. */
export function screen<Place>(routes: readonly string[], place: Place, fetchCode: Loader): Screen<Place>[] {
  const { View, load } = preloadablePart(async () => (await fetchCode()).default)
  return routes.map((route) => ({ route, place, load, View }))
}

/** Returns the screen of a path with its parameters; the first match wins. */
export function screenAt<Place>(
  screens: readonly Screen<Place>[],
  path: string,
): { screen: Screen<Place>; params: Record<string, string> } | null {
  for (const candidate of screens) {
    const caught = matchRoute(candidate.route, path)
    if (caught) return { screen: candidate, params: decodeParams(caught) }
  }
  return null
}

/** Loads the code of the screen at a path; a failure is shown when the screen is opened. */
export function prefetchScreen<Place>(screens: readonly Screen<Place>[], address: string): void {
  const path = address.split(/[?#]/)[0] ?? address
  screenAt(screens, path)
    ?.screen.load()
    .catch(() => undefined)
}

function decodeParams(caught: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(caught).map(([name, value]) => [name, name === 'rest' ? value : decodeSegment(value)]),
  )
}

function decodeSegment(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
