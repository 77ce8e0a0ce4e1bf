import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import * as z from 'zod/mini'
import { assignees, type Assignee, type InboxFilter, saveInboxFilter } from '#contract/office/inbox.ts'
import { officePaths } from '#contract/office-paths.ts'
import { officeCurrent } from '#contract/office/session.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { useUrlState, withChange } from '#ui/navigation/url-state.ts'
import { setEndpointData, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { useStaff } from '../../session.ts'

const inAddress = z.object({
  kind: z.catch(z.optional(z.enum(workItemKinds)), undefined),
  mine: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  assigned: z.catch(z.optional(z.enum(assignees)), undefined),
  q: z.catch(z.optional(z.string()), undefined),
})

export interface AskedInbox extends InboxFilter {
  readonly q: string
}

export interface UseInboxFilter {
  readonly asked: AskedInbox
  /** What the list and its export are asked for. */
  readonly given: { kind?: InboxFilter['kind'] & string; mine?: 'true'; assigned?: Assignee; q?: string }
  readonly ask: (change: Partial<AskedInbox>) => void
  /** Shows every item; undefined where every item is shown. */
  readonly clear: (() => void) | undefined
}

const everything: AskedInbox = { mine: false, kind: null, assigned: null, q: '' }

/**
 * Returns the filter of the address; without one, the filter that this person used last. A change is remembered on the
 * server.
 */
export function useInboxFilter(): UseInboxFilter {
  const staff = useStaff()
  const [address] = useUrlState(inAddress)
  const search = useSearch()
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const save = useEndpointMutation(saveInboxFilter, {
    onFailure: (failure) => showToast(failure.error, { kind: 'bad' }),
  })
  const { q = '' } = address
  const isAsked = address.kind ?? address.mine ?? address.assigned
  const asked: AskedInbox =
    isAsked === undefined
      ? { ...staff.inboxFilter, q }
      : { kind: address.kind ?? null, mine: address.mine === 'true', assigned: address.assigned ?? null, q }
  const ask = (change: Partial<AskedInbox>) => {
    const { q: words, ...filter } = { ...asked, ...change }
    const written = { kind: filter.kind ?? '', mine: String(filter.mine), assigned: filter.assigned ?? '', q: words }
    // Another list begins at its first item.
    navigate(officePaths.inbox + withChange(search, written), { replace: true })
    if (Object.keys(change).every((name) => name === 'q')) return
    setEndpointData(queries, officeCurrent, {}, { ...staff, inboxFilter: filter })
    save.mutate(filter)
  }
  const isEverything = !asked.mine && asked.kind === null && asked.assigned === null && q === ''
  return {
    asked,
    given: {
      ...(asked.kind ? { kind: asked.kind } : {}),
      ...(asked.mine ? { mine: 'true' } : {}),
      ...(asked.assigned ? { assigned: asked.assigned } : {}),
      ...(q ? { q } : {}),
    },
    ask,
    clear: isEverything ? undefined : () => ask(everything),
  }
}
