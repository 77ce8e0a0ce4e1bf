import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import * as z from 'zod/mini'
import { saveInboxFilter } from '#contract/office/inbox.ts'
import { assignees, type InboxFilter } from '#contract/office/inbox-filter.ts'
import { officePaths } from '#contract/office-paths.ts'
import { officeCurrent } from '#contract/office/session.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { setEndpointData, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { amountUrlFields, type AmountRange, noAmountRange } from '../../records/amounts.ts'
import { useStaff } from '../../session.ts'

const inAddress = z.object({
  kind: z.catch(z.optional(z.enum(workItemKinds)), undefined),
  mine: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  assigned: z.catch(z.optional(z.enum(assignees)), undefined),
  q: z.catch(z.optional(z.string()), undefined),
  snoozed: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  mentioned: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  newlyAssigned: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  overdue: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  colleague: z.catch(z.optional(z.string()), undefined),
  ...amountUrlFields,
})

export interface InboxFilterState extends InboxFilter, AmountRange {
  readonly q: string
  /**
   * Only snoozed items, items that mention the reader, newly assigned ones, or overdue ones. In the URL only, not
   * remembered.
   */
  readonly snoozed: boolean
  readonly mentioned: boolean
  readonly newlyAssigned: boolean
  readonly overdue: boolean
  /** The id of a colleague whose items are shown; empty without one. In the URL only. */
  readonly colleague: string
}

export interface UseInboxFilter {
  readonly asked: InboxFilterState
  /** The parameters of the list and its export. */
  readonly given: Readonly<Record<string, string>>
  /** The part that a view stores. */
  readonly kept: Readonly<Record<string, string>>
  readonly ask: (change: Partial<InboxFilterState>) => void
  /** Shows every item; undefined if all are shown already. */
  readonly clear: (() => void) | undefined
}

const noTransientFilters = {
  q: '',
  snoozed: false,
  mentioned: false,
  newlyAssigned: false,
  overdue: false,
  colleague: '',
  ...noAmountRange,
}
/** The filter that shows every item. */
export const unfiltered: InboxFilterState = { mine: false, kind: null, assigned: null, ...noTransientFilters }

/**
 * Returns the filter of the URL; without one, the filter that this person used last. A change is stored on the server.
 */
export function useInboxFilter(): UseInboxFilter {
  const staff = useStaff()
  const [address] = useUrlState(inAddress)
  const search = useSearch()
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const save = useEndpointMutation(saveInboxFilter, {
    inOrder: true,
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
  })
  const isTrue = (name: 'snoozed' | 'mentioned' | 'newlyAssigned' | 'overdue') => address[name] === 'true'
  const { q = '', colleague = '', currency, amountFrom, amountTo } = address
  const passing = {
    q,
    snoozed: isTrue('snoozed'),
    mentioned: isTrue('mentioned'),
    newlyAssigned: isTrue('newlyAssigned'),
    overdue: isTrue('overdue'),
    colleague,
    currency,
    amountFrom,
    amountTo,
  }
  const isAsked = address.kind ?? address.mine ?? address.assigned
  const asked: InboxFilterState =
    isAsked === undefined
      ? { ...staff.inboxFilter, ...passing }
      : { kind: address.kind ?? null, mine: address.mine === 'true', assigned: address.assigned ?? null, ...passing }
  const ask = (change: Partial<InboxFilterState>) => {
    const next = { ...asked, ...change }
    const { mine, kind, assigned } = next
    // Another list begins at its first item.
    navigate(officePaths.inbox + changeQuery(search, { ...blank, ...filterParameters(next), mine: String(mine) }), {
      replace: true,
    })
    if (Object.keys(change).every((name) => Object.hasOwn(noTransientFilters, name))) return
    setEndpointData(queries, officeCurrent, {}, { ...staff, inboxFilter: { mine, kind, assigned } })
    save.mutate({ mine, kind, assigned })
  }
  const written = filterParameters(asked)
  // Search text and colleague are not part of a view.
  const { q: words, colleague: whose, ...filters } = written
  return {
    asked,
    given: {
      ...filters,
      ...(words === undefined ? {} : { q: words }),
      ...(whose === undefined ? {} : { assigned: whose }),
    },
    kept: { ...filters, mine: String(asked.mine) },
    ask,
    clear: Object.keys(written).length === 0 ? undefined : () => ask(unfiltered),
  }
}

const blank = Object.fromEntries(Object.keys(unfiltered).map((name) => [name, '']))

/** Returns the active filters as parameters. */
function filterParameters(asked: InboxFilterState): Record<string, string> {
  const texts = Object.entries(asked).map(([name, value]) => [name, value === true ? 'true' : value || ''] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}
