import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation, useSearch } from 'wouter'
import * as z from 'zod/mini'
import { listCorrections } from '#contract/office/accounting.ts'
import { officePaths } from '#contract/office-paths.ts'
import { correctionMachine } from '#rules/corrections.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { Time } from '#ui/text/time.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { ClearFilters, rowsPlaceholder } from '../../records/list-rows.tsx'
import { RecordList } from '../../records/record-list.tsx'
import { useStoppedReason } from '../../records/stopped-reason.ts'
import { useCanDo } from '../../session.ts'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import { CorrectionDrawer } from './correction-drawer.tsx'
import { RequestDialog } from './request-dialog.tsx'

const address = z.object({
  account: z.optional(z.string()),
  amount: z.optional(z.string()),
  deposit: z.optional(z.string()),
})

/** Manual corrections of the ledger: one person requests, another decides. */
export default function Corrections({ params }: { params: { id?: string } }) {
  const { t } = useLingui()
  const asked = useListFilters({
    states: correctionMachine.states,
    sorts: ['createdAt', 'amount'],
    direction: 'desc',
    amounts: 'signed',
  })
  const [, navigate] = useLocation()
  const [begun, setBegun] = useUrlState(address)
  const asks = useCanDo('askCorrection')
  const [open, setOpen] = useFormFromUrl(asks ? ['request'] : [])
  const asking = open !== null || (asks && begun.account !== undefined)
  const stopped = useStoppedReason('accounts')
  const word = useStatusLabel('correction')
  const read = useEndpoint(listCorrections, asked.query, { keepLast: true })
  const instead = rowsPlaceholder(
    read,
    <EmptyState
      level="h2"
      title={asked.filtered ? <Trans>No results for these filters.</Trans> : <Trans>No corrections</Trans>}
      action={asked.filtered && <ClearFilters filters={asked} />}
    >
      <Trans>
        A correction posts an amount to one account, in the ledger and on the platform. A second person must approve it
        first.
      </Trans>
    </EmptyState>,
  )
  const written = useSearch()
  const search = written && `?${written}`
  return (
    <OfficePage>
      <PageHeader
        title={t`Corrections`}
        action={
          asks && (
            <Button kind="primary" disabledReason={stopped} onClick={() => setOpen('request')}>
              <Trans>Request correction…</Trans>
            </Button>
          )
        }
      >
        <Trans>You cannot approve your own request.</Trans>
      </PageHeader>
      <div className="stack">
        <Tabs
          label={t`Status`}
          tabs={[undefined, ...correctionMachine.states].map((one) => ({
            href: officePaths.corrections + (one ? `?state=${one}` : ''),
            label: one ? word(one) : t`All`,
            current: (one ?? '') === asked.state,
          }))}
        />
        <RecordList
          list="corrections"
          path={officePaths.corrections}
          caption={t`Corrections`}
          filters={asked}
          search={t`Client, account, reference or reason`}
          rowKey={(row) => row.id}
          rowHref={(row) => officePaths.correction(row.id) + search}
          selectedKey={params.id ?? null}
          read={read}
          busy={read.isFetching}
          instead={instead}
          columns={[
            {
              key: 'client',
              head: t`Client`,
              phone: 'title',
              cell: (row) => <b className="strong">{row.client.name}</b>,
            },
            { key: 'account', head: t`Account`, cell: (row) => groupedByFour(row.accountNumber) },
            {
              key: 'amount',
              head: t`Amount`,
              sort: 'amount',
              align: 'right',
              phone: 'figure',
              cell: (row) => <Money amount={{ minor: row.amount, currency: row.currency }} signed />,
            },
            { key: 'why', head: t`Reason`, cell: (row) => row.why },
            { key: 'by', head: t`Requested by`, cell: (row) => row.askedBy.name },
            {
              key: 'at',
              head: t`Requested`,
              sort: 'createdAt',
              phone: 'time',
              cell: (row) => <Time at={row.createdAt} />,
            },
            {
              key: 'state',
              head: t`Status`,
              phone: 'status',
              cell: (row) => <StatusBadge record="correction" state={row.state} />,
            },
          ]}
        />
      </div>
      {params.id && (
        <CorrectionDrawer key={params.id} id={params.id} onClose={() => navigate(officePaths.corrections + search)} />
      )}
      {asking && (
        <RequestDialog
          begun={begun}
          onClose={() => {
            setOpen(null)
            setBegun({ account: undefined, amount: undefined, deposit: undefined })
          }}
        />
      )}
    </OfficePage>
  )
}
