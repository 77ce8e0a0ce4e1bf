/** Streams of changes: readers that have stopped reading, the limit for each session, announcements between servers. */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createAnnouncer, applyAnnouncement, openStream, type SessionStream, type Stream } from './event-streams.ts'

const staff = { sessionId: 'a session', roles: ['operations'] } as const

test('a stream whose unread data exceeds the limit is closed and removed', async () => {
  const streams = new Set<Stream<typeof staff>>()
  const answer = new PassThrough()
  const stream = openStream(streams, answer, staff)
  const closed = once(answer, 'close')
  for (let turn = 0; turn < 200; turn += 1) stream.write('data: x\n\n'.repeat(100))
  expect(answer.destroyed).toBe(true)
  await closed
  expect(streams.size).toBe(0)
})

test('nothing is written after the end of a stream, even if earlier data is unread', async () => {
  const streams = new Set<Stream<typeof staff>>()
  const answer = new PassThrough()
  const closed = once(answer, 'close')
  openStream(streams, answer, staff).end()
  for (const stream of streams) stream.write('data: too late\n\n')
  const read = await answer.toArray()
  await closed
  expect(String(read)).toBe(': open\n\n')
})

test('the oldest stream of a session over the limit is closed on its own server; closed streams and other sessions do not count', () => {
  const kind = 'figures'
  const ended: string[] = []
  const serverWith = (...ids: string[]) =>
    new Map(
      ids.map((id): [string, SessionStream] => {
        const end = () => void ended.push(id)
        return [id, { sessionId: 'one', newer: new Set(), isAnnounced: false, end }]
      }),
    )
  const servers = [serverWith('a', 'd'), serverWith('b')]
  const opened = (id: string, session = 'one') => {
    for (const places of servers) applyAnnouncement(places, { kind, opened: id, session }, 3)
  }
  for (const id of ['a', 'b', 'c', 'foreign']) opened(id, id === 'foreign' ? 'other' : 'one')
  for (const places of servers) applyAnnouncement(places, { kind, closed: ['c'] }, 3)
  opened('d')
  expect(ended).toEqual([])
  opened('e')
  expect(ended).toEqual(['a'])
  servers[0]?.delete('a')
  opened('f')
  expect(ended).toEqual(['a', 'b'])
})

/** Announcements and pauses that end when the test releases them. */
function controlledAnnouncements() {
  const sent: { word: string; end: () => void }[] = []
  const pauses: { ms: number; end: () => void }[] = []
  const announcements = createAnnouncer(
    'figures',
    (ms) => new Promise<void>((end) => void pauses.push({ ms, end })),
    (announced) => {
      const word = 'closed' in announced ? `closed ${announced.closed.length}` : 'opened'
      return new Promise<void>((end) => void sent.push({ word, end }))
    },
  )
  return { announcements, sent, pauses, words: () => sent.map(({ word }) => word) }
}
const nextTurn = () => new Promise((done) => void setImmediate(done))

test('the end of a stream is announced after its opening, even if the page is closed immediately', async () => {
  const { announcements, sent, words } = controlledAnnouncements()
  announcements.opened('a', 'one')()
  await nextTurn()
  await nextTurn()
  expect(words()).toEqual(['opened'])
  sent[0]?.end()
  await nextTurn()
  expect(words()).toEqual(['opened', 'closed 1'])
})

test('a stopping server waits at most a second for an unresponsive database, however many streams it had', async () => {
  const { announcements, sent, pauses, words } = controlledAnnouncements()
  const ends = Array.from({ length: 350 }, (_, place) => announcements.opened(String(place), 'one'))
  for (const { end } of sent.splice(0)) end()
  for (const announceEnd of ends) announceEnd()
  const ended = announcements.end()
  await nextTurn()
  expect(pauses.map(({ ms }) => ms)).toEqual([1_000])
  pauses[0]?.end()
  await ended
  for (const { end } of sent) end()
  await nextTurn()
  // Announcements in progress are sent, and no others follow.
  expect(words()).toEqual(['closed 100', 'closed 100'])
})
