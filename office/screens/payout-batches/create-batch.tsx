import { IconFilePlus, IconInbox } from '@tabler/icons-react'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import { createPayoutBatch, listPayoutBatches, payoutList, payoutOverview } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import type { Currency } from '#rules/money.ts'
import { batchPaymentsMax } from '#rules/payout-batches.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { DecisionBar, OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { ClientCell } from '../../decision/queue.tsx'
import { useStoppedReason } from '../../records/stopped-reason.ts'
import { PayoutStops } from './payout-stops.tsx'
import './payout-batches.css'

type Payout = ResponseOf<typeof payoutList>['rows'][number]

/** Approved withdrawals in one currency that are in no batch, and the creation of a batch from them. */
export function CreateBatch({ currency }: { currency: Currency }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const { data, error, refetch } = useEndpoint(payoutList, { currency }, { keepLast: true })
  const stopped = useStoppedReason('payouts')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const create = useEndpointMutation(createPayoutBatch, {
    refreshes: [payoutList, payoutOverview, listPayoutBatches],
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
    onDone: ({ id, number, count, leftOut }) => {
      const out = leftOut.map(({ reference }) => reference).join(', ')
      showToast(() => t`${number} has been created: ${plural(count, { one: '# payment', other: '# payments' })}.`)
      if (out !== '') showToast(() => t`Excluded: ${out}.`, { kind: 'bad' })
      navigate(officePaths.payoutBatch(id))
    },
  })
  const rows = data?.rows ?? []
  const picked = rows.filter(({ id, blocks }) => chosen.has(id) && blocks.length === 0)
  const payable = rows.filter(({ blocks }) => blocks.length === 0).length
  // A selected payment may be blocked by now, or in a colleague's batch: no others are sent instead of it.
  const vanished = chosen.size - picked.length
  const count = chosen.size > 0 ? picked.length : Math.min(payable, batchPaymentsMax)
  const toggle = (id: string) =>
    setChosen(new Set([...picked.map((one) => one.id).filter((one) => one !== id), ...(chosen.has(id) ? [] : [id])]))
  const columns: Column<Payout>[] = [
    { head: t`Client`, phone: 'title', cell: ({ client }) => <ClientCell client={client} /> },
    {
      head: t`Holder`,
      cell: ({ holder, blocks }) =>
        blocks.length === 0 ? holder : <span className="tone-bad">{blocks.map(({ text }) => text).join(' ')}</span>,
    },
    {
      head: t`Bank account`,
      phone: 'time',
      cell: ({ iban, accountNumber }) => (
        <span className="numbers unbroken">{groupedByFour(iban ?? accountNumber ?? '–')}</span>
      ),
    },
    { head: t`Reference`, cell: ({ reference }) => <span className="numbers unbroken">{reference}</span> },
    { head: t`Approved`, cell: ({ approvedAt }) => <Time at={approvedAt} /> },
    {
      head: t`Amount`,
      align: 'right',
      phone: 'figure',
      cell: ({ amount }) => <Money amount={{ minor: amount, currency }} />,
    },
    {
      head: t`Select`,
      phone: 'status',
      cell: ({ id, reference, blocks }) => (
        <label className="tick pick-payout">
          <span aria-hidden="true">{t`Select`}</span>
          <input
            type="checkbox"
            aria-label={t`Select ${reference}`}
            disabled={blocks.length > 0}
            checked={chosen.has(id)}
            onChange={() => toggle(id)}
          />
        </label>
      ),
    },
  ]
  return (
    <OfficePage
      bar={
        payable > 0 && (
          <DecisionBar
            sentence={
              <Trans>
                A batch does not pay anything yet. A second person releases it. Finance then confirms that the bank has
                sent it.
              </Trans>
            }
          >
            <Button
              kind="primary"
              icon={<IconFilePlus className="small" aria-hidden="true" />}
              disabledReason={
                stopped ??
                (vanished > 0
                  ? t`A selected withdrawal can no longer be paid in this batch. Change your selection to continue.`
                  : undefined)
              }
              pending={create.isPending}
              onClick={() =>
                create.mutate({
                  currency,
                  ...(picked.length > 0 ? { withdrawals: picked.map(({ id }) => id) } : {}),
                })
              }
            >
              <Plural value={count} one="Create batch of # payment" other="Create batch of # payments" />
            </Button>
            {vanished > 0 && <Button onClick={() => setChosen(new Set())}>{t`Clear selection`}</Button>}
          </DecisionBar>
        )
      }
    >
      <PageHeader
        section={<Link href={officePaths.payoutBatches}>{t`Payout batches`}</Link>}
        title={t`Create ${currency} batch`}
      >
        <Trans>Select the withdrawals to include. If none is selected, the batch includes all that can be paid.</Trans>
      </PageHeader>
      <PayoutStops />
      <div className="sheet">
        <Table
          caption={t`Ready for payout in ${currency}`}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowHref={({ id }) => officePaths.withdrawal(id)}
          {...(data && rows.length > 0
            ? {
                foot: [
                  <Plural key="count" value={data.count} one="# payment" other="# payments" />,
                  '',
                  '',
                  '',
                  '',
                  <Money key="sum" amount={{ minor: data.sum, currency }} />,
                  '',
                ],
              }
            : {})}
          instead={
            error && !data ? (
              <ErrorPanel failure={error} onRetry={() => void refetch()} />
            ) : data && rows.length === 0 ? (
              <EmptyState
                level="h2"
                icon={<IconInbox aria-hidden="true" />}
                title={<Trans>No withdrawals in {currency} to pay out</Trans>}
              >
                <Trans>Withdrawals will appear here once the platform has debited them.</Trans>
              </EmptyState>
            ) : null
          }
        />
      </div>
    </OfficePage>
  )
}
