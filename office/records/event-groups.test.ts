/** The timeline of a client shows consecutive equal events as one entry. */
import { expect, test } from 'vitest'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import { distinctEvents, groupRepeated } from './event-groups.ts'

let count = 0
function event(verb: string, traits: Partial<OfficeEvent> = {}): OfficeEvent {
  count += 1
  return {
    id: String(count),
    at: new Date(1_800_000_000_000 - count * 60_000),
    kind: 'client',
    verb,
    from: null,
    to: null,
    actor: { kind: 'client', id: 'ida', name: 'Ida Brandt', isOperator: false },
    address: '127.0.0.1',
    reference: `r${count}`,
    reason: null,
    before: null,
    after: null,
    ...traits,
  }
}

const sizes = (events: readonly OfficeEvent[]) =>
  groupRepeated(events, ({ verb, after }) => `${verb} ${String(after?.['kind'])}`).map(({ length }) => length)

test('consecutive equal events form one group, newest first, and a different event between them splits it', () => {
  const saved = (step: string) => event('saveRegistrationStep', { after: { step } })
  const events = [saved('2.3'), saved('2.2'), event('logIn'), saved('2.1')]
  expect(sizes(events)).toEqual([2, 1, 1])
  expect(groupRepeated(events, ({ verb }) => verb)[0]?.map(({ id }) => id)).toEqual([events[0]?.id, events[1]?.id])
  expect(groupRepeated([], String)).toEqual([])
})

test.each([
  ['another person', { actor: { kind: 'staff', id: 'vera', name: 'Vera Holm', isOperator: false } }],
  ['another address', { address: '127.0.0.2' }],
  ['a reason', { reason: 'Asked by phone.' }],
  ['a change of state', { from: 'registering', to: 'pending' }],
  ['checks', { checks: [] }],
  ['another title', { after: { kind: 'passport' } }],
] as const)('an event with %s is not grouped with its neighbours', (_called, traits) => {
  const other = event('view', traits as Partial<OfficeEvent>)
  expect(sizes([event('view'), other, event('view')])).toEqual([1, 1, 1])
  if ('reason' in traits || 'to' in traits || 'checks' in traits) expect(sizes([other, other])).toEqual([1, 1])
})

test('a group lists its changes in chronological order, and consecutive equal ones once', () => {
  const from = (device: string) => event('logIn', { after: { device } })
  const [group] = groupRepeated([from('c'), from('a'), from('a'), from('a'), from('b'), from('a')], ({ verb }) => verb)
  expect(group).toHaveLength(6)
  expect(group && distinctEvents(group).map(({ after }) => after?.['device'])).toEqual(['a', 'b', 'a', 'c'])
})
