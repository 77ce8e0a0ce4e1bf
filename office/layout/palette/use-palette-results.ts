import { IconDots } from '@tabler/icons-react'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { countedMax, type HitKind, type MoreHits, searchRecords } from '#contract/office/search.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useActionItems } from './palette-actions.ts'
import {
  groupOfHit,
  groupOrder,
  iconOfHit,
  hitListUrl,
  matchingItems,
  type PaletteGroup,
  type PaletteItem,
  useHitItem,
  usePageItems,
} from './palette-items.ts'
import { foldText } from './fold.ts'
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
export function usePaletteResults(typed: string, expandedGroup: PaletteGroup | null): PaletteResults {
  const { staff } = useStaff()
  const sign = typed.startsWith('>') || typed.startsWith('#') ? typed.charAt(0) : ''
  const words = typed.slice(sign.length).trim()
  const more = useMoreItems(words)
  const wantsRecords = words !== '' && sign !== '>'
  const q = useDebounced(words)
  const read = useEndpoint(searchRecords, { q }, { enabled: wantsRecords && q !== '', keepLast: true })
  const [actions, pages, hitItem] = [useActionItems(), usePageItems(), useHitItem()]
  const settled =
    !wantsRecords || (q === words && !read.isPlaceholderData && (read.data ?? read.error) !== null && !read.isPending)
  const hits = wantsRecords && read.data ? read.data.hits : []
  const client = hits.find(({ kind }) => kind === 'client')?.client ?? null
  const records = hits.map(hitItem).filter(({ group }) => sign !== '#' || group === 'references')
  const local = [
    ...(sign === '#' ? [] : matchingItems(words === '' ? actions(null).filter(isOpen) : actions(client), words)),
    ...(sign === '' ? matchingItems(pages(client), words) : []),
  ]
  const found = typed === '' ? [...recentItems(staff.id), ...local] : [...records, ...local]
  const unsent = wantsRecords && read.data ? read.data.more : []
  const items = groupItems(found, unsent, typed === '' ? null : more, expandedGroup)
  const best = bestOf(items, records, words)
  const rest = items.filter(({ group }) => group === expandedGroup)[groupMax] ?? null
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

function useDebounced(words: string): string {
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
            foldText(title).startsWith(foldText(words)) &&
            !records.some((record) => title.startsWith(record.title)),
        )
  const first = records[0] && open.includes(records[0]) ? records[0] : open[0]
  return (exact && open.includes(exact) ? exact : (named ?? first)) ?? null
}

interface MoreItems {
  /** "2 more pages", which shows the rest of its group. */
  readonly ofGroup: (group: PaletteGroup, count: number) => PaletteItem
  /** "12 more deposits", which opens their list; without a count "All matching deposits". */
  readonly ofKind: (kind: HitKind, count: number | null, note: string) => PaletteItem
  readonly note: string
}

/**
 * Returns at most three items per group, or all items of an expanded one, in the fixed order of the groups; then what
 * is not shown: the rest of the group, or, if the server has more of a kind than it sent, each kind with its list.
 */
function groupItems(
  items: readonly PaletteItem[],
  unsent: readonly MoreHits[],
  more: MoreItems | null,
  expandedGroup: PaletteGroup | null,
): PaletteItem[] {
  return groupOrder.flatMap((group) => {
    const own = items.filter((item) => item.group === group)
    const shown = group === expandedGroup ? own : own.slice(0, groupMax)
    const ofGroup = unsent.filter(({ kind }) => groupOfHit[kind] === group)
    if (!more || own.length === 0) return shown
    if (ofGroup.length > 0) return [...shown, ...restByKind(own, shown, ofGroup, more)]
    return own.length === shown.length ? shown : [...shown, more.ofGroup(group, own.length - shown.length)]
  })
}

function restByKind(
  own: readonly PaletteItem[],
  shown: readonly PaletteItem[],
  unsent: readonly MoreHits[],
  { ofKind, note }: MoreItems,
): PaletteItem[] {
  const kinds = new Set(own.flatMap(({ kind }) => kind ?? []))
  const of = (kind: HitKind, some: readonly PaletteItem[]) => some.filter((item) => item.kind === kind).length
  return [...kinds].flatMap((kind) => {
    const { total } = unsent.find((one) => one.kind === kind) ?? { total: of(kind, own) }
    if (total === null) return [ofKind(kind, null, '')]
    if (total > countedMax) return [ofKind(kind, null, note)]
    const rest = total - of(kind, shown)
    return rest > 0 ? [ofKind(kind, rest, '')] : []
  })
}

function useMoreItems(words: string): MoreItems {
  const { t } = useLingui()
  const groups: Readonly<Record<PaletteGroup, (count: number) => string>> = {
    recent: () => '',
    clients: (count) => plural(count, { one: '# more client', other: '# more clients' }),
    accounts: (count) => plural(count, { one: '# more account', other: '# more accounts' }),
    references: (count) => plural(count, { one: '# more reference', other: '# more references' }),
    banks: (count) => plural(count, { one: '# more bank account', other: '# more bank accounts' }),
    actions: (count) => plural(count, { one: '# more action', other: '# more actions' }),
    pages: (count) => plural(count, { one: '# more page', other: '# more pages' }),
  }
  const kinds: Readonly<Record<HitKind, readonly [all: string, some: (count: number) => string]>> = {
    client: [t`All matching clients`, groups.clients],
    account: [t`All matching accounts`, groups.accounts],
    bank: [t`All matching bank accounts`, groups.banks],
    deposit: [t`All matching deposits`, (count) => plural(count, { one: '# more deposit', other: '# more deposits' })],
    withdrawal: [
      t`All matching withdrawals`,
      (count) => plural(count, { one: '# more withdrawal', other: '# more withdrawals' }),
    ],
    transfer: [
      t`All matching transfers`,
      (count) => plural(count, { one: '# more transfer', other: '# more transfers' }),
    ],
    correction: [
      t`All matching corrections`,
      (count) => plural(count, { one: '# more correction', other: '# more corrections' }),
    ],
    enquiry: [
      t`All matching enquiries`,
      (count) => plural(count, { one: '# more enquiry', other: '# more enquiries' }),
    ],
    payout_batch: [
      t`All matching payout batches`,
      (count) => plural(count, { one: '# more payout batch', other: '# more payout batches' }),
    ],
  }
  const line = (key: string, group: PaletteGroup, title: string) => ({
    key: `more ${key}`,
    group,
    icon: IconDots,
    note: '',
    title,
    href: '',
    isMore: true,
  })
  return {
    ofGroup: (group, count) => line(group, group, groups[group](count)),
    ofKind: (kind, count, note) => {
      const [all, some] = kinds[kind]
      const title = count === null ? all : some(count)
      return { ...line(kind, groupOfHit[kind], title), note, href: hitListUrl(kind, words) }
    },
    note: t`more than ${countedMax}`,
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
