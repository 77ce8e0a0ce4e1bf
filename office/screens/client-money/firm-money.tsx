import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { listFirmMoney, proposeFirmMoney } from '#contract/office/firm-money.ts'
import { officePaths } from '#contract/office-paths.ts'
import { firmMoneyMachine } from '#rules/firm-money.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { StatusFilter } from '../../records/list-tools.tsx'
import { RecordList } from '../../records/record-list.tsx'
import { useStoppedReason } from '../../records/stopped-reason.ts'
import { useCanDo } from '../../session.ts'
import { FirmTransferDrawer } from './firm-transfer-drawer.tsx'
import { currencies, type Currency } from '#rules/money.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

/** Transfers of firm money into and out of the client money account: one person proposes, another confirms. */
export function FirmMoney({ openId }: { openId: string | undefined }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const [proposing, setProposing] = useState(false)
  const proposes = useCanDo('proposeFirmMoney')
  const stopped = useStoppedReason('payouts')
  const asked = useListFilters({
    states: firmMoneyMachine.states,
    sorts: ['createdAt', 'amount'],
    direction: 'desc',
    amounts: 'signed',
  })
  const word = useStatusLabel('firm_money')
  const written = useSearch()
  const search = written && `?${written}`
  const read = useEndpoint(listFirmMoney, asked.query, { keepLast: true })
  const none = read.data?.rows.length === 0 && !asked.filtered
  return (
    <section className="client-money-differences">
      <div className="row between wrap">
        <h2>{t`Firm money`}</h2>
        {proposes && (
          <Button disabledReason={stopped} onClick={() => setProposing(true)}>{t`Propose firm money transfer…`}</Button>
        )}
      </div>
      {none && <p className="muted">{t`No firm money transfers.`}</p>}
      {!none && (
        <RecordList
          list="firm-money"
          path={officePaths.clientMoney}
          caption={t`Firm money`}
          filters={asked}
          search={t`Reference, reason or proposer`}
          own={<StatusFilter filters={asked} states={firmMoneyMachine.states} word={word} standard={t`Any status`} />}
          rowKey={(row) => row.id}
          rowHref={(row) => officePaths.firmMoney(row.id) + search}
          selectedKey={openId ?? null}
          busy={read.isFetching}
          read={read}
          empty={t`No firm money transfers.`}
          columns={[
            {
              key: 'proposed',
              head: t`Proposed`,
              sort: 'createdAt',
              phone: 'time',
              cell: (row) => <Time at={row.createdAt} />,
            },
            { key: 'by', head: t`Proposed by`, cell: (row) => row.askedBy.name },
            { key: 'why', head: t`Reason`, phone: 'title', cell: (row) => row.why },
            {
              key: 'reference',
              head: t`Reference`,
              cell: (row) => <span className="numbers unbroken">{row.reference}</span>,
            },
            {
              key: 'amount',
              head: t`Amount`,
              sort: 'amount',
              align: 'right',
              phone: 'figure',
              cell: (row) => <Money amount={{ minor: row.amount, currency: row.currency }} signed />,
            },
            {
              key: 'state',
              head: t`Status`,
              phone: 'status',
              cell: (row) => <StatusBadge record="firm_money" state={row.state} />,
            },
          ]}
        />
      )}
      {openId && (
        <FirmTransferDrawer key={openId} id={openId} onClose={() => navigate(officePaths.clientMoney + search)} />
      )}
      {proposing && (
        <ProposeDialog onClose={() => setProposing(false)} onDone={(id) => navigate(officePaths.firmMoney(id))} />
      )}
    </section>
  )
}

interface ProposeDialogProps {
  onClose: () => void
  onDone: (id: string) => void
}

/** Direction, amount and reason of a transfer; a second person confirms before anything is paid. */
function ProposeDialog({ onClose, onDone }: ProposeDialogProps) {
  const { t } = useLingui()
  const [out, setOut] = useState(false)
  const [amount, setAmount] = useState('')
  const [currency, setCurrency] = useState<Currency>('EUR')
  return (
    <ActionDialog
      endpoint={proposeFirmMoney}
      input={(reason) => ({ amount: out ? `-${amount}` : amount, currency, reason })}
      refreshes={[listFirmMoney]}
      done={t`Proposed. Another person must confirm it before payment.`}
      fields={['currency', 'amount']}
      title={<Trans>Propose firm money transfer</Trans>}
      command={<Trans>Propose</Trans>}
      onClose={onClose}
      onDone={({ id }) => onDone(id)}
    >
      {(errors) => (
        <>
          <RadioCards
            label={t`Direction`}
            value={out ? 'out' : 'in'}
            onValue={(way) => setOut(way === 'out')}
            tiles={[
              { value: 'in', label: t`Into the client money account` },
              { value: 'out', label: t`Out of the client money account` },
            ]}
          />
          <RadioCards
            label={t`Currency`}
            across={3}
            short
            value={currency}
            error={errors['currency']}
            onValue={setCurrency}
            tiles={currencies.map((one) => ({ value: one, label: one }))}
          />
          <AmountField
            size="line"
            label={t`Amount`}
            currency={currency}
            value={amount}
            error={errors['amount']}
            onValue={setAmount}
          />
        </>
      )}
    </ActionDialog>
  )
}
