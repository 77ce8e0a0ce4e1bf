import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { officePaths } from '#contract/office-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { useSpanLabels } from '../../decision/due-labels.tsx'
import { useItemLabels } from '../../records/item-labels.ts'
import type { Overview } from '#contract/office/overview.ts'

type Queue = NonNullable<Overview['queues']>[number]

/** Each queue's target is at two thirds of its scale, so that all queues compare at a glance. */
const targetShare = 2 / 3

/** Open and overdue items, the oldest one and the 7-day median of each queue, against its target. */
export function QueuesPart({ queues, at }: { queues: Overview['queues'] | undefined; at: Date | undefined }) {
  const { t } = useLingui()
  const labels = useItemLabels()
  const span = useSpanLabels()
  const now = at ?? new Date()
  // A queue without open and decided items has no figures.
  const rows = queues?.filter(({ open, decided }) => open > 0 || decided > 0) ?? []
  const list = ({ kind }: Queue) => `${officePaths.inbox}?kind=${kind}&mine=false`
  const age = (oldest: Date | null) => (oldest ? span(now.getTime() - oldest.getTime()) : '–')
  const isLate = (queue: Queue) => queue.overdue > 0
  const oldestOfAll =
    rows.flatMap(({ oldest }) => oldest ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
  const sum = (of: (queue: Queue) => number) => rows.reduce((all, queue) => all + of(queue), 0)
  return (
    <section className="overview-queues">
      <div className="figures-head">
        <h2>{t`Queues`}</h2>
        <ul className="figures-legend" aria-hidden="true">
          <li>
            <i className="bullet-key median" /> <Trans>median, 7 days</Trans>
          </li>
          <li>
            <i className="bullet-key target" /> <Trans>target</Trans>
          </li>
          <li>
            <i className="bullet-key oldest" /> <Trans>oldest open</Trans>
          </li>
        </ul>
      </div>
      <Table
        caption={t`Queues`}
        rows={rows}
        rowKey={({ kind }) => kind}
        instead={queues && rows.length === 0 ? <p className="overview-wait muted">{t`No open items.`}</p> : undefined}
        columns={[
          {
            head: t`Queue`,
            cell: (row) => <Link href={list(row)}>{labels({ kind: row.kind, state: '', summary: {} }).kind}</Link>,
          },
          { head: t`Open`, align: 'right', cell: (row) => <Open queue={row} /> },
          { head: t`Overdue`, align: 'right', cell: (row) => (isLate(row) ? <Late>{row.overdue}</Late> : 0) },
          {
            head: t`Oldest`,
            align: 'right',
            cell: (row) => <span className={isLate(row) ? 'strong tone-bad' : ''}>{age(row.oldest)}</span>,
          },
          {
            head: t`Median, 7 days`,
            align: 'right',
            cell: ({ medianSeconds }) => (medianSeconds === null ? '–' : span(medianSeconds * 1000)),
          },
          { head: t`Target`, align: 'right', cell: (row) => span(row.targetSeconds * 1000) },
          { head: t`Compared with target`, cell: (row) => <Bullet queue={row} now={now} /> },
        ]}
        {...(rows.length > 0
          ? {
              foot: [
                t`All queues`,
                sum(({ open }) => open),
                sum(({ overdue }) => overdue),
                age(oldestOfAll),
                '',
                '',
                '',
              ],
            }
          : {})}
      />
    </section>
  )
}

/** The number of open items, and how many of them are snoozed and not listed. */
function Open({ queue: { open, snoozed: asleep } }: { queue: Queue }) {
  if (asleep === 0) return open
  return (
    <span className="unbroken">
      <span className="muted">
        (<Trans>{asleep} snoozed</Trans>)
      </span>{' '}
      {open}
    </span>
  )
}

/** An overdue count, with a triangle so that it does not depend on colour. */
export function Late({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  return (
    <span className="strong tone-bad unbroken">
      <IconAlertTriangleFilled className="small" aria-label={t`overdue`} /> {children}
    </span>
  )
}

/** A bar for the median, a tick for the target, a diamond for the oldest; the table's cells give the same values. */
function Bullet({ queue: { medianSeconds, targetSeconds, oldest, overdue }, now }: { queue: Queue; now: Date }) {
  const share = (seconds: number) => `${Math.min(1, (seconds / targetSeconds) * targetShare) * 100}%`
  return (
    <span className="bullet" aria-hidden="true">
      {medianSeconds !== null && <i className="bullet-median" style={{ inlineSize: share(medianSeconds) }} />}
      <i className="bullet-target" />
      {oldest && (
        <i
          className={overdue > 0 ? 'bullet-oldest late' : 'bullet-oldest'}
          style={{ insetInlineStart: share((now.getTime() - oldest.getTime()) / 1000) }}
        />
      )}
    </span>
  )
}
