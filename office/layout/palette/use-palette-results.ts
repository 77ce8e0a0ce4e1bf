import { useEffect, useState } from 'react'
import { searchRecords } from '#contract/office/search.ts'
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
import { recentRecords } from './recent-records.ts'

const groupMax = 3
/** After the last key. */
const askedAfterMs = 120

export interface PaletteResults {
  readonly items: readonly PaletteItem[]
  /** What Enter opens. */
  readonly best: PaletteItem | null
  /** What is looked for, without its sign. */
  readonly words: string
  /** False while the records of these words are not there yet. */
  readonly settled: boolean
  readonly failed: boolean
}

/** Returns what the words find: pages and actions at once, records when the server has answered. */
export function usePaletteResults(typed: string): PaletteResults {
  const sign = typed.startsWith('>') || typed.startsWith('#') ? typed.charAt(0) : ''
  const words = typed.slice(sign.length).trim()
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
  const found = typed === '' ? [...recentItems(), ...local] : [...records, ...local]
  const items = grouped(found)
  return { items, best: bestOf(items, records, words), words, settled, failed: wantsRecords && read.error !== null }
}

const isOpen = ({ closed }: PaletteItem) => closed === undefined

function useSlow(words: string): string {
  const [slow, setSlow] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(words), askedAfterMs)
    return () => clearTimeout(timer)
  }, [words])
  return slow
}

/** An exact number; else a page or command whose name begins with the words; else the first hit. */
function bestOf(items: readonly PaletteItem[], records: readonly PaletteItem[], words: string): PaletteItem | null {
  const open = items.filter(isOpen)
  const exact = records.find((record) => record.exact)
  const named =
    words === '' ? undefined : open.find(({ kind, title }) => !kind && folded(title).startsWith(folded(words)))
  const first = records[0] && open.includes(records[0]) ? records[0] : open[0]
  return (exact && open.includes(exact) ? exact : (named ?? first)) ?? null
}

/** At most three of a group, in the fixed order of the groups. */
function grouped(items: readonly PaletteItem[]): PaletteItem[] {
  const of = (group: PaletteGroup) => items.filter((item) => item.group === group).slice(0, groupMax)
  return groupOrder.flatMap(of)
}

function recentItems(): PaletteItem[] {
  return recentRecords().map(({ at, ...record }) => ({
    ...record,
    key: `recent ${record.href}`,
    group: 'recent',
    icon: iconOfHit[record.kind],
    at: new Date(at),
  }))
}
