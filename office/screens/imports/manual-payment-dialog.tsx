import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { listBankLines, enterBankTransaction } from '#contract/office/bank-lines.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { currencies, type Currency } from '#rules/money.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { Button } from '#ui/forms/button.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { submitting, useFormValues } from '#ui/forms/form-values.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { useStaff } from '../../session.ts'

interface DialogProps {
  accounts: readonly string[]
  onClose: () => void
}

/** A payment entered manually; from the dual approval threshold on a second person confirms it. */
export function ManualPaymentDialog({ accounts, onClose }: DialogProps) {
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
      showToast(
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
    if (bookedOn === null) form.sayErrors({ bookedOn: t`Enter day, month and year.` })
    else if (!type.isPending) type.mutate({ ...values, bookedOn })
  }
  return (
    <Dialog
      title={t`Enter payment manually`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" pending={type.isPending} onClick={send}>{t`Save payment`}</Button>
        </>
      }
    >
      <form ref={form.ref} noValidate className="stack" onSubmit={submitting(send)}>
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
