import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getInboxItem } from '#contract/office/inbox.ts'
import { currencies, minorOf } from '#rules/money.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { lazyPart } from '#ui/loading/lazy.tsx'
import { Money, MoneySummary } from '#ui/money/money.tsx'
import { OldAndNew } from './old-and-new.tsx'
import type { FactRow } from './preview-facts.tsx'

const ProfileChangeFigure = lazyPart(async () => (await import('./dialogs.ts')).ProfileChangeFigure)

type Preview = ResponseOf<typeof getInboxItem>

/** Facts that are part of the figure; the others are listed below it. */
const factsOfFigure: Readonly<Partial<Record<WorkItemKind, readonly string[]>>> = {
  withdrawal: ['amount', 'account', 'reference'],
  deposit: ['amount', 'account', 'type', 'reference'],
  transfer: ['amount', 'source', 'destination', 'reference'],
  bank_line: ['amount', 'payer', 'remittance'],
  correction: ['amount', 'account'],
  firm_money: ['amount', 'account'],
  operation: ['amount', 'account'],
  recovery_item: ['amount', 'account', 'reference'],
  payout_batch: ['amount', 'reference'],
  payout_stop: ['amount', 'reference'],
  leverage_request: ['from', 'to'],
  staff_change: ['from', 'to'],
  difference: ['ours', 'theirs'],
  profile_change: ['field'],
}

/** Returns the facts of the figure, and at most six others. */
export function splitFacts(kind: WorkItemKind, rows: readonly FactRow[]) {
  const codes = factsOfFigure[kind] ?? []
  // A discrepancy may have one side only.
  const needed = kind === 'difference' ? codes : codes.slice(0, 1)
  const shown = rows.some(({ code }) => needed.includes(code)) ? rows.filter(({ code }) => codes.includes(code)) : []
  return { shown, others: rows.filter((row) => !shown.includes(row)).slice(0, 6) }
}

/** The essence of an item: the amount with its destination, the old and new value, or both sides. */
export function PreviewFigure({ preview, rows }: { preview: Preview; rows: readonly FactRow[] }) {
  const { t } = useLingui()
  const { kind, record, summary } = preview.item
  const of = (code: string) => rows.find((row) => row.code === code)
  const values = (codes: readonly string[]) =>
    rows.flatMap(({ code, key, value }) => (codes.includes(code) ? [{ label: key, value }] : []))
  if (kind === 'profile_change') return <ProfileChangeFigure record={record} />
  const [from, to] = [of('from'), of('to')]
  if (from && to) return <OldAndNew from={from.value} to={to.value} />
  if (of('ours') || of('theirs')) {
    const difference = differenceOf(summary)
    return (
      <MoneySummary
        lines={values(['ours', 'theirs'])}
        {...(difference ? { total: { label: t`Discrepancy`, value: <Money amount={difference} /> } } : {})}
      />
    )
  }
  const amount = of('amount')
  if (!amount) return null
  return (
    <MoneySummary
      lines={rows.flatMap(({ code, key, value }) => (code === 'amount' ? [] : [{ label: key, value }]))}
      total={{ label: amount.key, value: amount.value }}
    />
  )
}

function differenceOf(summary: Preview['item']['summary']) {
  const currency = currencies.find((one) => one === summary['currency'])
  const [ours, theirs] = [minorOf(String(summary['ours'])), minorOf(String(summary['theirs']))]
  return currency && ours !== null && theirs !== null ? { minor: theirs - ours, currency } : null
}
