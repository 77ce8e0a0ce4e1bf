import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { medianDays, type Overview } from '#contract/office/overview.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { useSpanLabels, useTargetLabel } from '../../decision/due-labels.tsx'
import { useItemLabels } from '../../records/item-labels.ts'
import { useCanRead, useStaff } from '../../session.ts'

type Queue = NonNullable<Overview['queues']>[number]

/** Each queue's target is at two thirds of its scale, so that all queues compare at a glance. */
const targetShare = 2 / 3

/** Open and overdue items, the oldest one and the 7-day median of each queue, against its target. */
export function QueuesPart({ queues, at }: { queues: Overview['queues'] | undefined; at: Date | undefined }) {
  const { t } = useLingui()
  const labels = useItemLabels()
  const span = useSpanLabels()
  const target = useTargetLabel()
  const now = at ?? new Date()
  // A queue without open and decided items has no figures.
  const rows = queues?.filter(({ open, decided }) => open > 0 || decided > 0) ?? []
  const { firm } = useStaff()
  const readsReports = useCanRead('reports')
  const all = `${officePaths.inbox}?mine=false`
  const list = ({ kind }: Queue) => `${officePaths.inbox}?kind=${kind}&mine=false`
  const late = '&overdue=true'
  const today = dayIn(now, firm.timeZone)
  const decided = `${officePaths.reports}?report=decision-times&from=${isoDay(daysAfter(today, 1 - medianDays))}&to=${isoDay(today)}`
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
        instead={
          queues && rows.length === 0 ? <p className="overview-wait muted">{t`No pending items.`}</p> : undefined
        }
        columns={[
          {
            head: t`Queue`,
            cell: (row) => <Link href={list(row)}>{labels({ kind: row.kind, state: '', summary: {} }).kind}</Link>,
          },
          { head: t`Open`, align: 'right', cell: (row) => <Open queue={row} href={list(row)} /> },
          {
            head: t`Overdue`,
            align: 'right',
            cell: (row) => <Overdue count={row.overdue} href={list(row) + late} />,
          },
          {
            head: t`Oldest`,
            align: 'right',
            cell: (row) => (
              <span className={isLate(row) ? 'strong tone-bad' : ''}>
                {row.oldestRecord === null ? (
                  age(row.oldest)
                ) : (
                  <Link href={pathOfWorkItem(row.kind, row.oldestRecord)}>{age(row.oldest)}</Link>
                )}
              </span>
            ),
          },
          {
            head: t`Median, 7 days`,
            align: 'right',
            cell: ({ medianSeconds }) =>
              medianSeconds === null ? (
                '–'
              ) : readsReports ? (
                <Link href={decided}>{span(medianSeconds * 1000)}</Link>
              ) : (
                span(medianSeconds * 1000)
              ),
          },
          { head: t`Target`, align: 'right', cell: (row) => target(row.target) },
          { head: t`Compared with target`, cell: (row) => <TurnaroundBar queue={row} now={now} /> },
        ]}
        {...(rows.length > 0
          ? {
              foot: [
                t`All queues`,
                <Link key="open" href={all}>
                  {sum(({ open }) => open)}
                </Link>,
                <Overdue key="overdue" count={sum(({ overdue }) => overdue)} href={all + late} />,
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

/** The number of open items, and how many of them are snoozed and listed separately. */
function Open({ queue: { open, snoozed: asleep }, href }: { queue: Queue; href: string }) {
  const opened = <Link href={href}>{open}</Link>
  if (asleep === 0) return opened
  return (
    <span className="unbroken">
      <span className="muted">
        (
        <Link href={`${href}&snoozed=true`}>
          <Trans>{asleep} snoozed</Trans>
        </Link>
        )
      </span>{' '}
      {opened}
    </span>
  )
}

/** An overdue count with its list; 0 has none. The triangle is there so that it does not depend on colour. */
export function Overdue({ count, href }: { count: number; href: string }) {
  const { t } = useLingui()
  if (count === 0) return 0
  return (
    <span className="strong tone-bad">
      <Link className="unbroken" href={href}>
        <IconAlertTriangleFilled className="small" aria-label={t`overdue`} /> {count}
      </Link>
    </span>
  )
}

/**
 * A bar for the median, a tick for the target, a diamond for the oldest, placed by its own due time; the table's cells
 * give the same values. A median includes nights and weekends, so it has no bar beside a target in working days. Items
 * that are due when they open have nothing to compare.
 */
function TurnaroundBar({
  queue: { medianSeconds, target, oldest, oldestDue, overdue },
  now,
}: {
  queue: Queue
  now: Date
}) {
  const place = (used: number, budget: number) => `${Math.min(1, (used / budget) * targetShare) * 100}%`
  const medianPlace =
    target?.unit === 'hours' && medianSeconds !== null ? place(medianSeconds, target.number * 3600) : null
  const oldestPlace =
    oldest && oldestDue && oldestDue > oldest
      ? place(now.getTime() - oldest.getTime(), oldestDue.getTime() - oldest.getTime())
      : null
  if (target === null || (medianPlace === null && oldestPlace === null)) return '–'
  return (
    <span className="bullet" aria-hidden="true">
      {medianPlace !== null && <i className="bullet-median" style={{ inlineSize: medianPlace }} />}
      <i className="bullet-target" />
      {oldestPlace !== null && (
        <i className={overdue > 0 ? 'bullet-oldest late' : 'bullet-oldest'} style={{ insetInlineStart: oldestPlace }} />
      )}
    </span>
  )
}
