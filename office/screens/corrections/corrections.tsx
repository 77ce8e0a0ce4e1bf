import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation, useSearch } from 'wouter'
import * as z from 'zod/mini'
import { useState } from 'react'
import { listCorrections, listReturnableDeposits, requestCorrection } from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { getOfficeClient, searchClients } from '#contract/office/clients.ts'
import { correctionMachine } from '#rules/corrections.ts'
import type { Currency } from '#rules/money.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money, moneyText } from '#ui/money/money.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { dayWords, Time } from '#ui/text/time.tsx'
import { parseSignedAmount, formatSignedAmount } from '#ui/money/amount-format.ts'
import { fieldErrors } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { ClearFilters, insteadOfRows } from '../../records/list-tools.tsx'
import { RecordList } from '../../records/record-list.tsx'
import { useStoppedReason } from '../../records/stopped-reason.ts'
import { useMayDo, useStaff } from '../../session.ts'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import { CorrectionDrawer } from './correction-drawer.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'

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
    amounts: true,
  })
  const [, navigate] = useLocation()
  const [begun, setBegun] = useUrlState(address)
  const asks = useMayDo('askCorrection')
  const [open, setOpen] = useFormFromUrl(asks ? ['request'] : [])
  const asking = open !== null || (asks && begun.account !== undefined)
  const stopped = useStoppedReason('accounts')
  const word = useStatusLabel('correction')
  const { data, error, isFetching, refetch } = useEndpoint(listCorrections, asked.query, { keepLast: true })
  const instead = insteadOfRows(
    { data, error, refetch },
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
          search={t`Client, account or reason`}
          file={{ list: 'corrections' }}
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          rowHref={(row) => officePaths.correction(row.id) + search}
          selectedKey={params.id ?? null}
          busy={isFetching}
          instead={instead}
          next={data?.next}
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

interface RequestDialogProps {
  /** Initial values, if the request was started from another record. */
  begun: z.output<typeof address>
  onClose: () => void
}

/** Account number, signed amount, returned deposit and reason. */
function RequestDialog({ begun, onClose }: RequestDialogProps) {
  const { t, i18n } = useLingui()
  const [number, setNumber] = useState(begun.account ?? '')
  const [amount, setAmount] = useState(() => formatSignedAmount(begun.amount ?? '', i18n.locale))
  const [chosen, setChosen] = useState(begun.deposit ?? '')
  const [unknown, setUnknown] = useState(false)
  const [unreadable, setUnreadable] = useState(false)
  const example = formatSignedAmount('-25', i18n.locale)
  const { account, looking } = useAccountOf(number.replace(/\s/g, ''))
  const mutation = useEndpointMutation(requestCorrection, {
    refreshes: [listCorrections],
    onDone: () => {
      showToast(t`The correction needs approval from a second person.`)
      onClose()
    },
  })
  const errors = fieldErrors(mutation.error)
  const deposits = useEndpoint(listReturnableDeposits, { id: account?.id ?? '' }, { enabled: account !== null })
  return (
    <ReasonDialog
      fields={['accountId', 'amount', 'depositId']}
      title={<Trans>Request correction</Trans>}
      command={<Trans context="another person decides">Request</Trans>}
      pending={mutation.isPending || looking || deposits.isFetching}
      failure={mutation.error ?? deposits.error}
      onClose={onClose}
      onConfirm={(reason) => {
        const decimal = parseSignedAmount(amount, i18n.locale)
        setUnknown(account === null)
        setUnreadable(decimal === null)
        if (account && decimal !== null)
          mutation.mutate({
            accountId: account.id,
            amount: decimal,
            currency: account.currency,
            reason,
            ...(chosen !== '' && { depositId: chosen }),
          })
      }}
    >
      <TextField
        label={t`Account number`}
        inputMode="numeric"
        className="numbers"
        value={number}
        error={errors['accountId'] ?? (unknown && !account ? t`This account does not exist.` : undefined)}
        onChange={(event) => {
          setNumber(event.target.value)
          // A deposit belongs to one account.
          setChosen('')
        }}
      />
      {account && (
        <p className="muted">
          {account.owner} · {account.platform} · {account.type} ·{' '}
          {account.balance.amount !== null && (
            <Money amount={{ minor: account.balance.amount, currency: account.currency }} />
          )}
        </p>
      )}
      <TextField
        label={t`Amount`}
        hint={t`Use a minus sign to debit, for example ${example}`}
        end={account?.currency}
        value={amount}
        error={unreadable ? t`Enter an amount with up to two decimals, for example ${example}.` : errors['amount']}
        onChange={(event) => {
          setAmount(event.target.value)
          setUnreadable(false)
        }}
      />
      {account && deposits.data && (deposits.data.deposits.length > 0 || chosen !== '') && (
        <ReturnedDepositField
          key={account.id}
          deposits={deposits.data.deposits}
          value={chosen}
          error={errors['depositId']}
          onValue={setChosen}
        />
      )}
    </ReasonDialog>
  )
}

interface ReturnedDepositProps {
  deposits: ResponseOf<typeof listReturnableDeposits>['deposits']
  value: string
  error: string | undefined
  onValue: (id: string) => void
}

/** The deposit that the correction returns to its payer, searched by its reference. */
function ReturnedDepositField({ deposits, value, error, onValue }: ReturnedDepositProps) {
  const { t, i18n } = useLingui()
  const { firm } = useStaff()
  const text = (minor: bigint, currency: Currency) => moneyText({ minor, currency }, i18n.locale)
  const items = deposits.map(({ id, reference, at, currency, received, left }) => {
    const [amount, rest] = [text(received, currency), text(left, currency)]
    const day = dayWords(at, i18n.locale, undefined, firm.timeZone)
    return { id, label: reference, note: t`${day}, ${amount}, ${rest} left to return` }
  })
  const chosen = deposits.find(({ id }) => id === value)
  const returned = chosen ? text(chosen.received - chosen.left, chosen.currency) : ''
  const hint =
    chosen && chosen.left < chosen.received
      ? t`Other corrections already return ${returned} of this deposit.`
      : t`Only if the debit returns a deposit to its payer. It is then shown as a returned payment.`
  return (
    <ComboBox
      label={t`Returned deposit`}
      hint={hint}
      optional
      items={items}
      value={value}
      error={
        error ??
        (value !== '' && !chosen
          ? t`Other corrections already return all of this deposit. Choose another one.`
          : undefined)
      }
      onValue={onValue}
    />
  )
}

const shortestNumber = 4

/** Returns the account with this number, or null; `looking` while the server is queried. */
function useAccountOf(number: string) {
  const asked = /^\d+$/.test(number) && number.length >= shortestNumber
  const clients = useEndpoint(searchClients, { q: number, size: 5 }, { enabled: asked })
  const owner = clients.data?.rows[0]?.client
  const read = useEndpoint(getOfficeClient, { id: owner?.id ?? '' }, { enabled: asked && owner !== undefined })
  const account = read.data?.client.accounts.find((one) => one.number === number)
  const known = asked && account && owner ? { ...account, owner: owner.name } : null
  return { account: known, looking: known === null && (clients.isFetching || read.isFetching) }
}
