import { Trans, useLingui } from '@lingui/react/macro'
import { createElement } from 'react'
import type { OfficeClient } from '#contract/office/clients.ts'
import { pathOfWorkItem } from '#contract/office-paths.ts'
import { workItemAreas } from '#rules/work-items.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { type ItemLabels, useItemLabels } from '../../records/item-labels.ts'
import { iconOfWorkItem } from '../../records/work-item-labels.ts'
import { useStaff } from '../../session.ts'

type Waiting = OfficeClient['waiting'][number]

/** Items that are decided on the client's own page. */
const decidedHere: readonly Waiting['kind'][] = ['client', 'factor_reset', 'erasure']

/** Pending items, above everything else. */
export function PendingCard({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const words = useItemLabels()
  const { reads } = useStaff()
  const open = t({ message: 'Open', context: 'command' })
  if (client.waiting.length === 0) return null
  return (
    <section className="sheet client-waits">
      <header>
        <h2>{t`Awaiting a decision`}</h2>
        <span className="muted numbers">{client.waiting.length}</span>
      </header>
      <Table
        caption={t`Awaiting a decision`}
        rows={client.waiting}
        rowKey={(item) => item.itemId}
        columns={[
          { head: t`Type`, phone: 'title', cell: (item) => <Kind kind={item.kind} word={itemText(words(item))} /> },
          {
            head: t`Facts`,
            phone: 'time',
            cell: (item) => (
              <span className="numbers">
                <Codes>{words(item).facts}</Codes>
              </span>
            ),
          },
          { head: t`Due`, phone: 'status', cell: (item) => <Due item={item} /> },
          {
            head: open,
            align: 'right',
            phone: 'figure',
            cell: (item) =>
              decidedHere.includes(item.kind) ? (
                <span className="muted">{t`On this page`}</span>
              ) : (
                reads.includes(workItemAreas[item.kind]) && (
                  <Link href={pathOfWorkItem(item.kind, item.record)}>{open}</Link>
                )
              ),
          },
        ]}
      />
    </section>
  )
}

function itemText({ kind, stage }: ItemLabels): string {
  return stage === null ? kind : `${kind} · ${stage}`
}

function Kind({ kind, word }: { kind: string; word: string }) {
  return (
    <b className="strong unbroken">
      {createElement(iconOfWorkItem(kind), { className: 'small muted', 'aria-hidden': 'true' })} {word}
    </b>
  )
}

function Due({ item }: { item: Waiting }) {
  const { t } = useLingui()
  const ageHours = Math.max(0, Math.round((Date.now() - item.createdAt.getTime()) / 3_600_000))
  return (
    <span className={item.late ? 'tone-bad' : 'muted'}>
      <span className="unbroken">{t`${ageHours}\u00a0h`}</span>,{' '}
      {item.late ? (
        <Trans>
          overdue since <Time at={item.dueAt} />
        </Trans>
      ) : (
        <Trans>
          due <Time at={item.dueAt} />
        </Trans>
      )}
    </span>
  )
}
