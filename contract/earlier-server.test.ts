/** While servers are exchanged one by one, a new page reads the answers of a server of the version before. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listInbox } from './office/inbox.ts'
import { searchRecords } from './office/search.ts'

test('an answer without what the search has more of is one that has no more', () => {
  expect(z.decode(searchRecords.response, { hits: [] } as never)).toEqual({ hits: [], more: [] })
})

test('groups of the inbox without decided items have none', () => {
  const groups = { overdue: 1, today: 0, later: 2, snoozed: { count: 0, overdue: 0 } }
  const answer = z.decode(listInbox.response, { items: [], groups, next: null } as never)
  expect(answer.groups).toEqual({ ...groups, decided: 0 })
})
