import type { StaffId, ClientId } from './ids.ts'
import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actors, actorsOf, staffRoles, type ActorIdentity, type Actor } from './actors.ts'
import { transitionError, targetStates, availableActions } from './state-machine.ts'
import { stateMachines } from './state-machine-registry.ts'

const migrations = new URL('../server/db/migrations/', import.meta.url)
const schema = readdirSync(migrations)
  .toSorted()
  .map((file) => readFileSync(new URL(file, migrations), 'utf8'))
  .join('\n')

const people: readonly ActorIdentity[] = [
  { kind: 'client', id: 'c' as ClientId },
  ...staffRoles.map((role): ActorIdentity => ({ kind: 'staff', id: 's' as StaffId, roles: [role] })),
  { kind: 'external' },
  { kind: 'clock' },
]

describe.each(stateMachines.map((machine) => [machine.name, machine] as const))(
  'the state machine of a %s',
  (_, machine) => {
    test('starts in one of its states, and every state is reachable', () => {
      const reached = new Set([machine.first, ...(machine.alsoFirst ?? [])])
      for (let before = 0; before < reached.size;) {
        before = reached.size
        for (const [verb, step] of Object.entries(machine.transitions)) {
          if (step.from.some((state) => reached.has(state)))
            for (const to of targetStates(machine, verb)) reached.add(to)
        }
      }
      expect([...reached].toSorted()).toEqual([...machine.states].toSorted())
    })

    test('names only its own states and known actors', () => {
      for (const [verb, step] of Object.entries(machine.transitions)) {
        for (const state of [...step.from, ...targetStates(machine, verb)]) expect(machine.states).toContain(state)
        for (const actor of step.by) expect(actors).toContain(actor)
        expect(step.by).not.toContain(machine.name === 'staff' ? 'client' : 'auditor')
      }
    })

    test('treats a state as undecided only if an administrator can act in it', () => {
      const staff: ActorIdentity = { kind: 'staff', id: 's' as StaffId, roles: ['administrator'] }
      for (const state of machine.undecided) expect(availableActions(machine, state, staff), state).not.toEqual([])
    })

    test('has the same states as the check constraint in the database', () => {
      const table = new RegExp(`create table ${machine.table} \\(([\\s\\S]*?)\\n\\);`).exec(schema)?.[1]
      const first = /\bstate text [^;]*?check \(state in \(([^)]*)\)\)/.exec(table ?? '')?.[1]
      const altered = new RegExp(`add constraint ${machine.table}_state_check\\s+check \\(state in \\(([^)]*)\\)`, 'g')
      const check = [...schema.matchAll(altered)].at(-1)?.[1] ?? first
      expect(check?.match(/[a-z_]+/g)?.toSorted()).toEqual([...machine.states].toSorted())
    })

    test.each(Object.keys(machine.transitions))(
      'rejects the action %s for every actor and in every state other than those listed',
      (verb) => {
        const step = machine.transitions[verb]
        for (const identity of people) {
          const may = actorsOf(identity).some((actor: Actor) => step?.by.includes(actor))
          for (const state of machine.states) {
            const expected = may ? (step?.from.includes(state) ? null : 'wrong-state') : 'wrong-role'
            expect(transitionError(machine, verb, state, identity), `${identity.kind} in ${state}`).toBe(expected)
          }
        }
      },
    )

    test('stays within its states for any sequence of actions', () => {
      const walk = fc.array(fc.record({ person: fc.constantFrom(...people), choice: fc.nat() }), { maxLength: 40 })
      fc.assert(
        fc.property(walk, (moves) => {
          let state = machine.first
          for (const { person, choice } of moves) {
            const verbs = availableActions(machine, state, person)
            const verb = verbs[choice % Math.max(1, verbs.length)]
            if (verb === undefined) continue
            const ways = targetStates(machine, verb)
            state = ways[choice % ways.length] ?? state
            expect(machine.states).toContain(state)
          }
        }),
      )
    })
  },
)

test('the names and tables of state machines are unique', () => {
  expect(new Set(stateMachines.map((machine) => machine.name)).size).toBe(stateMachines.length)
  expect(new Set(stateMachines.map((machine) => machine.table)).size).toBe(stateMachines.length)
})

test('an auditor cannot act on any record, and an administrator can do everything that any other deciding role can', () => {
  const auditor: ActorIdentity = { kind: 'staff', id: 'a' as StaffId, roles: ['auditor'] }
  const administrator: ActorIdentity = { kind: 'staff', id: 'b' as StaffId, roles: ['administrator'] }
  for (const machine of stateMachines.filter(({ name }) => name !== 'staff')) {
    for (const state of machine.states) {
      expect(availableActions(machine, state, auditor)).toEqual([])
      for (const role of ['compliance', 'operations', 'finance'] as const) {
        const verbs = availableActions(machine, state, { kind: 'staff', id: 'c' as StaffId, roles: [role] })
        expect(availableActions(machine, state, administrator)).toEqual(expect.arrayContaining(verbs))
      }
    }
  }
})

test('an unknown action throws an error instead of being rejected', () => {
  for (const machine of stateMachines)
    expect(() => transitionError(machine, 'fly', machine.first, { kind: 'clock' })).toThrow(/no action/)
})
