import { IconFileImport, IconKeyboard } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useSearch } from 'wouter'
import { useId } from 'react'
import { type BankLine, listBankLines, enterBankTransaction } from '#contract/office/bank-lines.ts'
import { officePaths } from '#contract/office-paths.ts'
import { bankLineMachine } from '#rules/deposits.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { currencies, type Currency } from '#rules/money.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { StatusFilter } from '../../records/list-tools.tsx'
import { type ListColumn, RecordList } from '../../records/record-list.tsx'
import { useCanDo, useStaff } from '../../session.ts'
import { BankLineScreen } from './bank-line.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import { LineState, useLineStateLabel } from './line-state.tsx'
import './imports.css'

/** Transactions of the firm's bank accounts: imported from statements or entered manually; unmatched ones first. */
export default function Imports() {
  const line = new URLSearchParams(useSearch()).get('line')
  return line === null ? <Lines /> : <BankLineScreen key={line} id={line} />
}

function Lines() {
  const { t } = useLingui()
  const word = useLineStateLabel()
  const asked = useListFilters({
    states: bankLineMachine.states,
    sorts: ['bookedOn', 'amount'],
    direction: 'desc',
    amounts: 'signed',
  })
  const [mayImport, mayType] = [useCanDo('importStatement'), useCanDo('typeLine')]
  const [open, setOpen] = useFormFromUrl([
    ...(mayImport ? ['import' as const] : []),
    ...(mayType ? ['type' as const] : []),
  ])
  const read = useEndpoint(listBankLines, asked.query, { keepLast: true })
  const rows = read.data?.rows ?? []
  const accounts = [...new Set(rows.map(({ bankAccount }) => bankAccount))]
  const overdue = rows.filter((one) => one.overdue).length
  return (
    <OfficePage>
      <PageHeader
        title={t`Bank statements`}
        action={
          <>
            {mayType && (
              <Button icon={<IconKeyboard className="small" aria-hidden="true" />} onClick={() => setOpen('type')}>
                <Trans>Enter payment manually</Trans>
              </Button>
            )}
            {mayImport && (
              <Button
                kind="primary"
                icon={<IconFileImport className="small" aria-hidden="true" />}
                onClick={() => setOpen('import')}
              >
                <Trans>Import bank statement</Trans>
              </Button>
            )}
          </>
        }
      >
        {overdue > 0 ? (
          <Plural value={overdue} one="# payment unmatched for 5 days." other="# payments unmatched for 5 days." />
        ) : null}
      </PageHeader>
      <RecordList
        list="bank-lines"
        path={officePaths.imports}
        caption={t`Bank transactions`}
        filters={asked}
        search={t`Payer or reference`}
        own={<StatusFilter filters={asked} states={bankLineMachine.states} word={word} standard={t`Any status`} />}
        columns={useColumns()}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${officePaths.imports}?line=${id}`}
        read={read}
        empty={t`No bank transactions yet. They will appear here after you import a bank statement.`}
      />
      {open === 'import' && <ImportDialog accounts={accounts} onClose={() => setOpen(null)} />}
      {open === 'type' && <ManualPaymentDialog accounts={accounts} onClose={() => setOpen(null)} />}
    </OfficePage>
  )
}

function useColumns(): ListColumn<BankLine>[] {
  const { t, i18n } = useLingui()
  return [
    {
      key: 'payer',
      head: t`Payer`,
      phone: 'title',
      cell: ({ payer }) => <span className="strong">{payer || '–'}</span>,
    },
    {
      key: 'remittance',
      head: t`Payment reference`,
      cell: ({ remittance }) => (remittance ? <Codes>{remittance}</Codes> : <span className="muted">–</span>),
    },
    {
      key: 'booked',
      head: t`Posted`,
      sort: 'bookedOn',
      phone: 'time',
      cell: ({ bookedOn }) => <span className="unbroken">{calendarDayText(bookedOn, i18n.locale)}</span>,
    },
    {
      key: 'account',
      head: t`Our account`,
      wideOnly: true,
      cell: ({ bankAccount }) => <span className="numbers unbroken">{groupedByFour(bankAccount)}</span>,
    },
    {
      key: 'typed',
      head: t`Entered by`,
      wideOnly: true,
      cell: ({ typedBy }) => typedBy?.name ?? <span className="muted">–</span>,
    },
    {
      key: 'amount',
      head: t`Amount`,
      sort: 'amount',
      align: 'right',
      phone: 'figure',
      cell: ({ amount, currency }) => <Money signed amount={{ minor: amount, currency }} />,
    },
    { key: 'state', head: t`Status`, phone: 'status', cell: (line) => <LineState line={line} /> },
  ]
}

interface DialogProps {
  accounts: readonly string[]
  onClose: () => void
}

/** A payment entered manually; once the day's reach the dual approval threshold, a second person confirms it. */
function ManualPaymentDialog({ accounts, onClose }: DialogProps) {
  const { t } = useLingui()
  const id = useId()
  const { firm } = useStaff()
  const form = useFormValues({
    bankAccount: accounts.length === 1 ? (accounts[0] ?? '') : '',
    bankId: '',
    amount: '',
    currency: 'EUR' as Currency,
    payer: '',
    payerAccount: '',
    remittance: '',
    bookedOn: isoDay(dayIn(new Date(), firm.timeZone)) as string | null,
  })
  const { values } = form
  const type = useEndpointMutation(enterBankTransaction, {
    refreshes: [listBankLines],
    onFailure: form.refuse,
    onDone: ({ state }) => {
      showToast(() =>
        state === 'second_approval'
          ? t`Saved. Another person must confirm it before it is posted.`
          : state === 'unmatched'
            ? t`Saved. You can match it now.`
            : t`Saved and posted. It matched an expected payment.`,
      )
      onClose()
    },
  })
  const send = () => {
    const { bookedOn } = values
    if (bookedOn === null) form.sayErrors(() => ({ bookedOn: t`Enter day, month and year.` }))
    else if (!type.isPending) type.mutate({ ...values, bookedOn })
  }
  return (
    <Dialog
      title={t`Enter payment manually`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
          <Button kind="primary" pending={type.isPending} onClick={send}>{t`Enter payment`}</Button>
        </>
      }
    >
      <form ref={form.ref} noValidate className="stack" onSubmit={submitHandler(send)}>
        <TextField {...form.text('bankAccount')} label={t`Our account`} list={`${id}-accounts`} />
        <datalist id={`${id}-accounts`}>
          {accounts.map((account) => (
            <option key={account} value={account} />
          ))}
        </datalist>
        <div className="import-dates">
          <AmountField
            size="line"
            label={t`Amount`}
            currency={values.currency}
            value={values.amount}
            error={form.errors['amount']}
            onValue={(amount) => form.set({ amount })}
          />
          <Select
            label={t`Currency`}
            value={values.currency}
            error={form.errors['currency']}
            onChange={(event) => form.set({ currency: currencies.find((one) => one === event.target.value) ?? 'EUR' })}
            options={currencies.map((one) => ({ value: one, label: one }))}
          />
          <DatePicker
            label={t`Posted on`}
            required
            value={values.bookedOn}
            error={form.errors['bookedOn']}
            onDay={(bookedOn) => form.set({ bookedOn })}
          />
          <TextField {...form.text('bankId')} label={t`Bank reference`} />
        </div>
        <TextField {...form.text('payer')} label={t`Payer`} />
        <TextField {...form.text('payerAccount')} label={t`Payer’s account`} optional />
        <TextField {...form.text('remittance')} label={t`Payment reference`} optional />
        {form.errors['server'] && <Alert kind="bad">{form.errors['server']}</Alert>}
        <input type="submit" hidden />
      </form>
    </Dialog>
  )
}
