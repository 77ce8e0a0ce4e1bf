import { IconDots } from '@tabler/icons-react'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { officePaths } from '#contract/office-paths.ts'
import { hitsMax, searchRecords } from '#contract/office/search.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useActions } from './palette-actions.ts'
import {
  groupOrder,
  iconOfHit,
  matching,
  type PaletteGroup,
  type PaletteItem,
  useHitItem,
  usePages,
} from './palette-items.ts'
import { folded } from './fold.ts'
import { useStaff } from '../../session.ts'
import { recentRecords } from './recent-records.ts'

const groupMax = 3
/** Delay after the last keystroke, in ms. */
const askedAfterMs = 120

export interface PaletteResults {
  readonly items: readonly PaletteItem[]
  /** The item that Enter opens. */
  readonly best: PaletteItem | null
  /** The first formerly hidden item of the expanded group. */
  readonly rest: PaletteItem | null
  /** The search text without its prefix. */
  readonly words: string
  /** False while the records for these words are loading. */
  readonly settled: boolean
  readonly failed: boolean
  /** Searches for the records again. */
  readonly again: () => void
}

/** Returns the hits: pages and actions immediately, records after the server's response. */
export function usePaletteResults(typed: string, whole: PaletteGroup | null): PaletteResults {
  const { staff } = useStaff()
  const sign = typed.startsWith('>') || typed.startsWith('#') ? typed.charAt(0) : ''
  const words = typed.slice(sign.length).trim()
  const more = useMoreItem(words)
  const wantsRecords = words !== '' && sign !== '>'
  const q = useSlow(words)
  const read = useEndpoint(searchRecords, { q }, { enabled: wantsRecords && q !== '', keepLast: true })
  const [actions, pages, hitItem] = [useActions(), usePages(), useHitItem()]
  const settled =
    !wantsRecords || (q === words && !read.isPlaceholderData && (read.data ?? read.error) !== null && !read.isPending)
  const hits = wantsRecords && read.data ? read.data.hits : []
  const client = hits.find(({ kind }) => kind === 'client')?.client ?? null
  const records = hits.map(hitItem).filter(({ group }) => sign !== '#' || group === 'references')
  const local = [
    ...(sign === '#' ? [] : matching(words === '' ? actions(null).filter(isOpen) : actions(client), words)),
    ...(sign === '' ? matching(pages(client), words) : []),
  ]
  const found = typed === '' ? [...recentItems(staff.id), ...local] : [...records, ...local]
  const items = grouped(found, typed === '' ? null : more, whole)
  const best = bestOf(items, records, words)
  const rest = items.filter(({ group }) => group === whole)[groupMax] ?? null
  const failed = wantsRecords && read.error !== null
  const again = () => void read.refetch()
  useWhenOnline(failed, again)
  return { items, best, rest, words, settled, failed, again }
}

const isOpen = ({ closed }: PaletteItem) => closed === undefined

/** Calls back as soon as the browser has a network again. */
function useWhenOnline(isWaiting: boolean, act: () => void): void {
  const acts = useEffectEvent(act)
  useEffect(() => {
    if (!isWaiting) return
    const online = () => acts()
    addEventListener('online', online)
    return () => removeEventListener('online', online)
  }, [isWaiting])
}

function useSlow(words: string): string {
  const [slow, setSlow] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(words), askedAfterMs)
    return () => clearTimeout(timer)
  }, [words])
  return slow
}

/**
 * Returns an exact number; else a page or command whose name begins with the words, unless that is the name of a found
 * client; else the first hit.
 */
function bestOf(items: readonly PaletteItem[], records: readonly PaletteItem[], words: string): PaletteItem | null {
  const open = items.filter(isOpen)
  const exact = records.find((record) => record.exact)
  const named =
    words === ''
      ? undefined
      : open.find(
          ({ kind, isMore, title }) =>
            !kind &&
            !isMore &&
            folded(title).startsWith(folded(words)) &&
            !records.some((record) => title.startsWith(record.title)),
        )
  const first = records[0] && open.includes(records[0]) ? records[0] : open[0]
  return (exact && open.includes(exact) ? exact : (named ?? first)) ?? null
}

type More = (group: PaletteGroup, count: number) => PaletteItem

/**
 * Returns at most three items per group and the number of others, in the fixed order of the groups; all items of an
 * expanded group.
 */
function grouped(items: readonly PaletteItem[], more: More | null, whole: PaletteGroup | null): PaletteItem[] {
  return groupOrder.flatMap((group) => {
    const own = items.filter((item) => item.group === group)
    if (group === whole || own.length <= groupMax) return own
    const rest = own.length - groupMax
    return [...own.slice(0, groupMax), ...(more ? [more(group, rest)] : [])]
  })
}

/** Returns an item such as "2 more clients", which expands its group. */
function useMoreItem(words: string): More {
  const { t } = useLingui()
  const names: Readonly<Record<PaletteGroup, (count: number) => string>> = {
    recent: () => '',
    clients: (count) => plural(count, { one: '# more client', other: '# more clients' }),
    accounts: (count) => plural(count, { one: '# more account', other: '# more accounts' }),
    references: (count) => plural(count, { one: '# more reference', other: '# more references' }),
    banks: (count) => plural(count, { one: '# more bank account', other: '# more bank accounts' }),
    actions: (count) => plural(count, { one: '# more action', other: '# more actions' }),
    pages: (count) => plural(count, { one: '# more page', other: '# more pages' }),
  }
  return (group, count) => {
    const item = { key: `more ${group}`, group, icon: IconDots, note: '' }
    // The search returns no more of a kind; the list of clients has all of them.
    return group === 'clients' && count + groupMax >= hitsMax
      ? { ...item, title: t`All matching clients`, href: `${officePaths.clients}?q=${encodeURIComponent(words)}` }
      : { ...item, title: names[group](count), href: '', isMore: true }
  }
}

function recentItems(owner: string): PaletteItem[] {
  return recentRecords(owner).map(({ at, ...record }) => ({
    ...record,
    key: `recent ${record.href}`,
    group: 'recent',
    icon: iconOfHit[record.kind],
    at: new Date(at),
  }))
}
