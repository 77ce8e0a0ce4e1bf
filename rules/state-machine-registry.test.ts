import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actors, actorsOf, staffRoles, type Acting, type Actor } from './actors.ts'
import { refusal, targets, verbsFor } from './state-machine.ts'
import { lives } from './state-machine-registry.ts'

const migrations = new URL('../server/db/migrations/', import.meta.url)
const schema = readdirSync(migrations)
  .toSorted()
  .map((file) => readFileSync(new URL(file, migrations), 'utf8'))
  .join('\n')

const people: readonly Acting[] = [
  { kind: 'client', id: 'c' },
  ...staffRoles.map((role): Acting => ({ kind: 'staff', id: 's', roles: [role] })),
  { kind: 'outside' },
  { kind: 'clock' },
]

describe.each(lives.map((life) => [life.name, life] as const))('the life of a %s', (_, life) => {
  test('is born in one of its states, and every state can be reached', () => {
    const reached = new Set([life.first, ...(life.alsoFirst ?? [])])
    for (let before = 0; before < reached.size;) {
      before = reached.size
      for (const [verb, step] of Object.entries(life.steps)) {
        if (step.from.some((state) => reached.has(state))) for (const to of targets(life, verb)) reached.add(to)
      }
    }
    expect([...reached].toSorted()).toEqual([...life.states].toSorted())
  })

  test('names only its own states and known actors', () => {
    for (const [verb, step] of Object.entries(life.steps)) {
      for (const state of [...step.from, ...targets(life, verb)]) expect(life.states).toContain(state)
      for (const actor of step.by) expect(actors).toContain(actor)
      expect(step.by).not.toContain(life.name === 'staff' ? 'client' : 'auditor')
    }
  })

  test('has the words of the database’s check', () => {
    const table = new RegExp(`create table ${life.table} \\(([\\s\\S]*?)\\n\\);`).exec(schema)?.[1]
    const first = /\bstate text [^;]*?check \(state in \(([^)]*)\)\)/.exec(table ?? '')?.[1]
    const altered = new RegExp(`add constraint ${life.table}_state_check\\s+check \\(state in \\(([^)]*)\\)`, 'g')
    const check = [...schema.matchAll(altered)].at(-1)?.[1] ?? first
    expect(check?.match(/[a-z_]+/g)?.toSorted()).toEqual([...life.states].toSorted())
  })

  test.each(Object.keys(life.steps))(
    '%s is refused to every actor and in every state but those of the table',
    (verb) => {
      const step = life.steps[verb]
      for (const acting of people) {
        const may = actorsOf(acting).some((actor: Actor) => step?.by.includes(actor))
        for (const state of life.states) {
          const expected = may ? (step?.from.includes(state) ? null : 'wrong-state') : 'wrong-role'
          expect(refusal(life, verb, state, acting), `${acting.kind} in ${state}`).toBe(expected)
        }
      }
    },
  )

  test('never leaves its states, whatever is done in whatever order', () => {
    const walk = fc.array(fc.record({ person: fc.constantFrom(...people), choice: fc.nat() }), { maxLength: 40 })
    fc.assert(
      fc.property(walk, (moves) => {
        let state = life.first
        for (const { person, choice } of moves) {
          const verbs = verbsFor(life, state, person)
          const verb = verbs[choice % Math.max(1, verbs.length)]
          if (verb === undefined) continue
          const ways = targets(life, verb)
          state = ways[choice % ways.length] ?? state
          expect(life.states).toContain(state)
        }
      }),
    )
  })
})

test('names and tables of lives are unique', () => {
  expect(new Set(lives.map((life) => life.name)).size).toBe(lives.length)
  expect(new Set(lives.map((life) => life.table)).size).toBe(lives.length)
})

test('an auditor can do nothing to any record, an administrator whatever another deciding role can', () => {
  const auditor: Acting = { kind: 'staff', id: 'a', roles: ['auditor'] }
  const administrator: Acting = { kind: 'staff', id: 'b', roles: ['administrator'] }
  for (const life of lives.filter(({ name }) => name !== 'staff')) {
    for (const state of life.states) {
      expect(verbsFor(life, state, auditor)).toEqual([])
      for (const role of ['compliance', 'operations', 'finance'] as const) {
        const verbs = verbsFor(life, state, { kind: 'staff', id: 'c', roles: [role] })
        expect(verbsFor(life, state, administrator)).toEqual(expect.arrayContaining(verbs))
      }
    }
  }
})

test('an unknown verb is a bug, not a refusal', () => {
  for (const life of lives) expect(() => refusal(life, 'fly', life.first, { kind: 'clock' })).toThrow(/no verb/)
})
