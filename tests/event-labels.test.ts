/** Every action that the server writes into the event log has a label in the back office. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stateMachines } from '#rules/state-machine-registry.ts'

const server = globSync('server/**/*.ts', { exclude: ['**/*.test.ts'] }).map((file) => readFileSync(file, 'utf8'))

/** The patterns of source code that name the action of an event. */
const places = [
  /\b(?:verb|action): (?:\w+ \? '([\w-]+)' : )?'([\w-]+)'/g,
  /\brecordCreation\(\s*\w+,\s*\w+,\s*[\w.]+,\s*(?:\{[^{}]*\}|[\w.]+),\s*(?:\w+ \? '([\w-]+)' : )?'([\w-]+)'/g,
  /\bsignInClient\((?:[^()]|\([^()]*\))*?'([\w-]+)',?\s*\)/g,
  /\bwritePassword\((?:[^()]|\([^()]*\))*?'([\w-]+)'/g,
  /\brecordFailedAttempt\((?:[^()]|\([^()]*\))*?'([\w-]+)',?\s*\)/g,
  /\brecordAccess\(\s*dependencies,\s*context,\s*file,\s*'([\w-]+)'/g,
]

test('every verb of an event has a label', () => {
  const written = server.flatMap((source) =>
    places.flatMap((place) => [...source.matchAll(place)].flatMap(([, ...verbs]) => verbs.filter(Boolean))),
  )
  const counts = places.map((place) => new Set(server.flatMap((source) => source.match(place) ?? [])).size)
  // Each pattern must still find its uses: after a rename it would find nothing and the test would pass.
  for (const [index, least] of [95, 15, 4, 1, 3, 2].entries()) expect(counts[index]).toBeGreaterThanOrEqual(least)
  const verbs = new Set([...written, ...stateMachines.flatMap(({ transitions: steps }) => Object.keys(steps))])
  expect([...verbs]).toEqual(expect.arrayContaining(['logInSecondFactor', 'changePassword', 'download', 'approve']))
  const worded = readFileSync('office/records/event-labels.ts', 'utf8')
  const hasWords = (verb: string) => new RegExp(`^ +'?${verb}'?: t\`\\w`, 'm').test(worded)
  expect([...verbs].filter((verb) => !hasWords(verb))).toEqual([])
})
