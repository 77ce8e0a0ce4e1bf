/** Every verb that the server writes into the event log has words in the office: none is read as a piece of source. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lives } from '#rules/state-machine-registry.ts'

const server = globSync('server/**/*.ts', { exclude: ['**/*.test.ts'] }).map((file) => readFileSync(file, 'utf8'))

/** Where a verb stands in an event's fields, or is handed to what writes the event. */
const places = [
  /\bverb: (?:\w+ \? '([\w-]+)' : )?'([\w-]+)'/g,
  /\bsignInClient\([^\n]*?'([\w-]+)'\)/g,
  /\bwritePassword\([^\n]*?'([\w-]+)'/g,
  /\bnoteFailedTry\([^\n]*?'([\w-]+)'\)/g,
  /\blog\(parts, call, file, '([\w-]+)'/g,
]

test('every verb of an event has its words', () => {
  const written = server.flatMap((source) =>
    places.flatMap((place) => [...source.matchAll(place)].flatMap(([, ...verbs]) => verbs.filter(Boolean))),
  )
  const verbs = new Set([...written, ...lives.flatMap(({ steps }) => Object.keys(steps))])
  expect([...verbs]).toEqual(expect.arrayContaining(['logInSecondFactor', 'changePassword', 'download', 'approve']))
  const worded = readFileSync('office/records/event-labels.ts', 'utf8')
  const hasWords = (verb: string) => new RegExp(`^ +'?${verb}'?: t\`\\w`, 'm').test(worded)
  expect([...verbs].filter((verb) => !hasWords(verb))).toEqual([])
})
