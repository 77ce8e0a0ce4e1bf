/** During a rolling update a page of the new version reads responses from a server of the previous version. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listInbox } from './office/inbox.ts'
import { searchRecords } from './office/search.ts'

test('a search response without the field "more" is read with an empty list', () => {
  expect(z.decode(searchRecords.response, { hits: [] } as never)).toEqual({ hits: [], more: [] })
})

test('an inbox response without the number of decided items is read with 0', () => {
  const groups = { overdue: 1, today: 0, later: 2, snoozed: { count: 0, overdue: 0 } }
  const answer = z.decode(listInbox.response, { items: [], groups, next: null } as never)
  expect(answer.groups).toEqual({ ...groups, decided: 0 })
})
