/** Items of the palette: records found by the server, commands and pages. */
import {
  IconArrowsLeftRight,
  IconBuildingBank,
  IconListDetails,
  IconMessage,
  IconReplace,
  IconSettings,
  IconShieldLock,
  IconStack2,
  IconTransferIn,
  IconTransferOut,
  IconUser,
  IconWallet,
} from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { ComponentType } from 'react'
import type { FoundClient, HitKind, SearchHit } from '#contract/office/search.ts'
import { officePaths } from '#contract/office-paths.ts'
import { clientStatusLabels } from '#contract/office/role-labels.ts'
import type { Money } from '#rules/money.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { groupedInPlace } from '#ui/text/code-format.ts'
import { countryName } from '../../decision/country-name.ts'
import { sectionOrder, useSectionName } from '../../records/section-names.ts'
import { useStateLabel } from '../../records/value-names.ts'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { useCanRead, useStaff } from '../../session.ts'
import { inboxIcon, overviewIcon, useMenuGroups } from '../menu-entries.tsx'
import { foldText } from './fold.ts'

export type PaletteGroup = 'recent' | 'clients' | 'accounts' | 'references' | 'banks' | 'actions' | 'pages'
export const groupOrder: readonly PaletteGroup[] = [
  'recent',
  'clients',
  'accounts',
  'references',
  'banks',
  'actions',
  'pages',
]

export interface PaletteItem {
  readonly key: string
  readonly group: PaletteGroup
  readonly icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  readonly title: string
  readonly note: string
  readonly href: string
  readonly amount?: Money
  readonly at?: Date
  readonly keys?: readonly string[]
  /** The role that may do it, if this person may not. */
  readonly closed?: string
  /** The client whose page it opens, for the access log. */
  readonly client?: string
  /** Stored with a record that was opened. */
  readonly kind?: HitKind
  readonly exact?: boolean
  /** Stands for records that are not shown: opens their list, or without a path shows the rest of its group. */
  readonly isMore?: boolean
}

export const iconOfHit: Readonly<Record<HitKind, PaletteItem['icon']>> = {
  client: IconUser,
  account: IconWallet,
  bank: IconBuildingBank,
  deposit: IconTransferIn,
  withdrawal: IconTransferOut,
  transfer: IconArrowsLeftRight,
  correction: IconReplace,
  enquiry: IconMessage,
  payout_batch: IconStack2,
}

export const groupOfHit: Readonly<Record<HitKind, PaletteGroup>> = {
  client: 'clients',
  account: 'accounts',
  bank: 'banks',
  deposit: 'references',
  withdrawal: 'references',
  transfer: 'references',
  correction: 'references',
  enquiry: 'references',
  payout_batch: 'references',
}

function pathOfHit({ kind, id, number, detail }: SearchHit): string {
  const client = officePaths.client(id)
  const paths: Readonly<Record<HitKind, string>> = {
    client,
    account: officePaths.account(detail?.split(' ')[0] ?? '', number),
    bank: `${client}?tab=bank`,
    deposit: officePaths.deposit(id),
    withdrawal: officePaths.withdrawal(id),
    transfer: officePaths.transfer(id),
    correction: officePaths.correction(id),
    enquiry: officePaths.enquiry(id),
    payout_batch: officePaths.payoutBatch(id),
  }
  return paths[kind]
}

/** Returns the URL of the list of a kind, in every state that the search finds, with the search filled in. */
export function hitListUrl(kind: HitKind, words: string): string {
  const { clients, accountRequests, bankDetails, deposits, withdrawals, transfers } = officePaths
  const lists: Readonly<Record<HitKind, string>> = {
    client: `${clients}?`,
    account: `${accountRequests}?state=approved&`,
    bank: `${bankDetails}?state=all&`,
    deposit: `${deposits}?state=all&`,
    withdrawal: `${withdrawals}?state=all&`,
    transfer: `${transfers}?state=all&`,
    correction: `${officePaths.corrections}?`,
    enquiry: `${officePaths.enquiries}?state=all&`,
    payout_batch: `${officePaths.payoutBatches}?state=all&`,
  }
  return `${lists[kind]}q=${encodeURIComponent(words)}`
}

/** Returns a hit as the palette shows it: a client by name, others by number, with the client beside it. */
export function useHitItem(): (hit: SearchHit) => PaletteItem {
  const { i18n } = useLingui()
  const state = useStateLabel()
  const status = useLabels(clientStatusLabels)
  const record = useRecordLabel()
  return (hit) => {
    const { kind, client, number, detail, amount, currency, exact } = hit
    const about = client
      ? [
          client.number,
          countryName(client.country, i18n.locale),
          state('client', client.status),
          status(client.clientStatus),
        ]
      : []
    // The client last: phones cut long lines, and the words that were searched for are known.
    const ofRecord = [
      detail ?? record(kind),
      kind === 'bank' ? currency : '',
      hit.state === null || kind === 'account' ? '' : state(hit.kind === 'bank' ? 'bank_details' : hit.kind, hit.state),
      client?.name,
    ]
    const isClient = kind === 'client'
    // The page of an account logs its opening itself.
    const opensClient = isClient || kind === 'bank'
    return {
      key: [kind, hit.id, number, detail, currency, hit.state].join(' '),
      group: groupOfHit[kind],
      icon: iconOfHit[kind],
      title: client && isClient ? client.name : opensClient || kind === 'account' ? groupedInPlace(number) : number,
      note: (isClient ? about : ofRecord).filter(Boolean).join(' · '),
      href: pathOfHit(hit),
      kind,
      exact,
      client: client && opensClient ? client.id : '',
      ...(amount !== null && currency !== null ? { amount: { minor: amount, currency } } : {}),
    }
  }
}

/**
 * Returns every page that this person may read: the menu, each section of the settings, and the audit log of a client.
 */
export function usePageItems(): (client: FoundClient | null) => PaletteItem[] {
  const { t } = useLingui()
  const { reads } = useStaff()
  const groups = useMenuGroups()
  const section = useSectionName()
  const readsSettings = useCanRead('settings')
  const readsAudit = useCanRead('audit')
  const page = (title: string, href: string, icon: PaletteItem['icon'], note = '', keys: readonly string[] = []) => ({
    key: href,
    group: 'pages' as const,
    icon,
    title,
    note,
    href,
    keys,
  })
  const pages = [
    page(t`Overview`, officePaths.overview, overviewIcon, '', ['g', 'o']),
    page(t`Inbox`, officePaths.inbox, inboxIcon, '', ['g', 'i']),
    ...groups.flatMap(({ title, entries }) =>
      entries
        .filter(({ area }) => reads.includes(area))
        .map(({ label, href, icon }) => page(label, href, icon as PaletteItem['icon'], title)),
    ),
    ...(readsSettings
      ? sectionOrder.map((name) => page(section(name), officePaths.settingSection(name), IconSettings, t`Settings`))
      : []),
    page(t`My security`, officePaths.mySecurity, IconShieldLock),
  ]
  return (client) => {
    if (!client || !readsAudit) return pages
    const { id, name } = client
    return [page(t`Audit log of ${name}`, `${officePaths.audit}?client=${id}`, IconListDetails), ...pages]
  }
}

/** Returns items whose title or note contains the words; those whose title begins with them come first. */
export function matchingItems(items: readonly PaletteItem[], words: string): PaletteItem[] {
  const wanted = foldText(words.trim())
  const rank = ({ title, note }: PaletteItem) => {
    const plain = foldText(title)
    if (plain.startsWith(wanted)) return 0
    if (plain.includes(` ${wanted}`)) return 1
    return plain.includes(wanted) || foldText(note).includes(wanted) ? 2 : 3
  }
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter((one) => one.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
