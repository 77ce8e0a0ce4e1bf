import { IconCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { currencies } from '#rules/money.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { FileUpload } from '#ui/forms/file-upload.tsx'
import { submitHandler } from '#ui/forms/form-state.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { useCountries, usePortalSettings } from '../../portal-settings.ts'
import { calendarDayText } from '#ui/text/time.tsx'
import {
  type BankForm as Form,
  type BankValues,
  isIbanOfOtherCountry,
  isBritish,
  type BankForm,
} from './bank-values.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { lookUpBank } from '#contract/bank-details.ts'
import { isIban, normalizeBankNumber } from '#rules/bank-details.ts'
import { pick } from '#rules/profile-fields.ts'
import { call } from '#ui/api/call.ts'

interface BankFormProps {
  id: string
  form: Form
  /** The statement that is kept unless another is chosen. */
  keptStatementUrl: string | null
  onSend: () => void
}

/** The fields of a bank account: account number and sort code for GB, IBAN and SWIFT/BIC for other countries. */
export function BankForm({ id, form, keptStatementUrl, onSend }: BankFormProps) {
  const { t, i18n } = useLingui()
  const countries = useCountries()
  const settings = usePortalSettings()
  const filledFrom = useBankOfIban(form)
  if (!countries || !settings) return null
  const { values } = form
  return (
    <form id={id} ref={form.ref} noValidate className="stack-6 bank-form" onSubmit={submitHandler(onSend)}>
      {form.alert !== null && <Alert kind="bad">{form.alert}</Alert>}
      <TextField label={t`Bank name`} maxLength={140} autoComplete="off" {...textOf(form, 'bankName')} />
      <TextField label={t`Bank address`} maxLength={200} autoComplete="off" {...textOf(form, 'bankAddress')} />
      <ComboBox
        label={t`Country of the bank`}
        items={countries.map(({ code, name }) => ({ id: code, label: name }))}
        value={values.bankCountry}
        error={form.errors['bankCountry']}
        onValue={(bankCountry) => form.set({ bankCountry })}
      />
      <RadioCards
        label={t`Account currency`}
        across={3}
        short
        tiles={currencies.map((currency) => ({ value: currency, label: currency }))}
        value={values.bankAccountCurrency}
        error={form.errors['bankAccountCurrency']}
        onValue={(bankAccountCurrency) => form.set({ bankAccountCurrency })}
      />
      {isBritish(values) ? (
        <div className="columns-2 pair">
          <NumberField form={form} name="bankAccountNumber" label={t`Account number`} hint={t`8 digits`} digits />
          <NumberField form={form} name="bankSortCode" label={t`Sort code`} hint={t`6 digits`} digits />
        </div>
      ) : (
        <>
          <NumberField form={form} name="bankIBAN" label={t`IBAN`} />
          {filledFrom !== null && (
            <p className="muted size-14" role="status">
              <Trans>
                Bank name and SWIFT/BIC were filled in from the bank directory of{' '}
                {calendarDayText(filledFrom, i18n.locale)}. Check them.
              </Trans>
            </p>
          )}
          {isIbanOfOtherCountry(values.bankIBAN, values.bankCountry) && (
            <Checkbox
              checked={values.ibanCountryConfirmed === 'yes'}
              onChange={({ target }) => form.set({ ibanCountryConfirmed: target.checked ? 'yes' : '' })}
            >
              <Trans>The IBAN and the country of the bank are both correct.</Trans>
            </Checkbox>
          )}
          <NumberField form={form} name="bankSwift" label={t`SWIFT/BIC`} />
        </>
      )}
      <FileUpload
        label={t`Bank statement`}
        hint={t`It must show your name and account number and be dated within the last 3\u00a0months. JPEG, PNG, WebP or PDF.`}
        filename={values.bankPOA || (keptStatementUrl === null ? '' : 'kept')}
        onFilename={(bankPOA) => form.set({ bankPOA })}
        onSending={form.setSending}
        bytesMax={settings.limits.uploadBytesMax}
        error={form.errors['bankPOA']}
      />
    </form>
  )
}

function textOf(form: Form, name: keyof BankValues) {
  return {
    name,
    value: form.values[name],
    error: form.errorOf(name),
    onChange: (event: { target: { value: string } }) => form.set({ [name]: event.target.value }),
    onBlur: () => form.leave(name),
  }
}

interface NumberFieldProps {
  form: Form
  name: keyof BankValues
  label: string
  hint?: string
  digits?: boolean
}

function NumberField({ form, name, label, hint, digits }: NumberFieldProps) {
  const { t } = useLingui()
  const right = form.isRight(name)
  return (
    <TextField
      label={label}
      {...(hint ? { hint } : {})}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      {...(digits ? { inputMode: 'numeric' as const } : {})}
      {...textOf(form, name)}
      end={
        <span className="bank-right" role="status">
          {right && (
            <>
              <IconCheck className="small tone-ok" aria-hidden="true" />
              <span className="unseen">{t`${label}: valid format.`}</span>
            </>
          )}
        </span>
      }
    />
  )
}

const notFilled = { bankName: '', bankSwift: '', asOf: '' }

/**
 * Fills in name and BIC of an IBAN's bank from the directory, and empties what it filled in for another IBAN. Returns the
 * date of the directory while the name is the one filled in.
 */
function useBankOfIban({ values, set }: BankForm): string | null {
  const iban = isBritish(values) || !isIban(values.bankIBAN) ? '' : normalizeBankNumber(values.bankIBAN)
  const [asked, setAsked] = useState(iban)
  const [filled, setFilled] = useState(notFilled)
  const fill = useEffectEvent((bank: typeof filled) => {
    const names = ['bankName', 'bankSwift'] as const
    const isFree = (name: (typeof names)[number]) => values[name].trim() === '' || values[name] === filled[name]
    setFilled(bank)
    set(
      pick(
        bank,
        names.filter((name) => isFree(name) && values[name] !== bank[name]),
      ),
    )
  })
  useEffect(() => {
    if (iban === '' || iban === asked) return undefined
    let wanted = true
    void call(lookUpBank, { iban }).then(
      ({ bank }) => {
        if (!wanted) return
        setAsked(iban)
        fill(bank ?? notFilled)
      },
      // Without the directory the client enters both.
      () => wanted && fill(notFilled),
    )
    return () => {
      wanted = false
    }
  }, [iban, asked])
  const isUnchanged = iban !== '' && filled.asOf !== '' && values.bankName === filled.bankName
  return isUnchanged ? filled.asOf : null
}
