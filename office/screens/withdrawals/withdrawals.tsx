import { Trans, useLingui } from '@lingui/react/macro'
import { useSearch } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listOfficeWithdrawals } from '#contract/office/withdrawals.ts'
import { officePaths } from '#contract/office-paths.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { Column } from '#ui/data/table.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'
import { useAccountColumn, useMoneyColumns } from '../../decision/queue-columns.tsx'
import { useMayDo, useStaff } from '../../session.ts'
import { Batches } from './batches.tsx'
import { Payouts } from './payouts.tsx'

type Row = ResponseOf<typeof listOfficeWithdrawals>['rows'][number]

/** Withdrawals, what waits first; those ready for payout; and the payout batches. */
export default function Withdrawals() {
  const { t } = useLingui()
  const list = new URLSearchParams(useSearch()).get('list')
  const mayCreate = useMayDo('createPayoutBatch')
  const readsBatches = useStaff().reads.includes('payouts')
  const shown =
    list === 'payouts' && mayCreate ? 'payouts' : list === 'batches' && readsBatches ? 'batches' : 'requests'
  const tab = (name: typeof shown, label: React.ReactNode) => ({
    href: name === 'requests' ? officePaths.withdrawals : `${officePaths.withdrawals}?list=${name}`,
    label,
    current: shown === name,
  })
  const tabs = readsBatches ? (
    <Tabs
      label={t`Lists`}
      tabs={[
        tab('requests', <Trans>Requests</Trans>),
        ...(mayCreate ? [tab('payouts', <Trans>Ready for payout</Trans>)] : []),
        tab('batches', <Trans>Payout batches</Trans>),
      ]}
    />
  ) : null
  if (shown === 'payouts') return <Payouts tabs={tabs} />
  return shown === 'batches' ? <Batches tabs={tabs} /> : <Requests tabs={tabs} />
}

function Requests({ tabs }: { tabs: React.ReactNode }) {
  const { t } = useLingui()
  const asked = useQueueFilters(withdrawalMachine.states, 'amount')
  const read = useEndpoint(listOfficeWithdrawals, asked.query, { keepLast: true })
  const { reference, amount } = useMoneyColumns<Row>(t`Amount`)
  const account = useAccountColumn<Row>()
  const columns: Column<Row>[] = [
    reference,
    account,
    {
      key: 'bank',
      head: t`Bank account`,
      wideOnly: true,
      cell: ({ bankEnding }) => <span className="numbers unbroken">•••• {bankEnding}</span>,
    },
    {
      key: 'first',
      head: t`First approval`,
      wideOnly: true,
      cell: ({ firstApprovedBy }) => firstApprovedBy?.name ?? <span className="muted">–</span>,
    },
    amount,
  ]
  return (
    <Queue
      list="withdrawals"
      title={t`Withdrawals`}
      tabs={tabs}
      filters={asked}
      states={withdrawalMachine.states}
      read={read}
      href={({ id }) => officePaths.withdrawal(id)}
      columns={columns}
      empty={t`No withdrawals to review. New requests will appear here.`}
    />
  )
}
