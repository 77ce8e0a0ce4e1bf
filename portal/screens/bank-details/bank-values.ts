/** Values and errors of the bank details form (requirements 12.3). */
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { BankDetails as Bank } from '#contract/bank-details.ts'
import { checkBankNumbers, isIban, isIbanOfCountry, normalizeBankNumber } from '#rules/bank-details.ts'
import { currencies, type Currency } from '#rules/money.ts'
import { pick } from '#rules/profile-fields.ts'
import type { ApiError } from '#ui/api/api-error.ts'
import { noErrors, useFormValues } from '#ui/forms/form-state.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import type { StepUpSubject } from '#ui/auth/step-up.ts'

export const emptyBank = {
  bankName: '',
  bankAddress: '',
  bankCountry: '',
  bankAccountCurrency: '' as Currency | '',
  bankAccountNumber: '',
  bankSortCode: '',
  bankIBAN: '',
  bankSwift: '',
  bankPOA: '',
  /** 'yes' once the client has confirmed an IBAN of another country. */
  ibanCountryConfirmed: '',
}
export type BankValues = typeof emptyBank

export function bankValuesOf(bank: Bank): BankValues {
  return {
    bankName: bank.bankName,
    bankAddress: bank.bankAddress,
    bankCountry: bank.bankCountry,
    bankAccountCurrency: bank.bankAccountCurrency,
    bankAccountNumber: typed(groupedByFour(bank.bankAccountNumber ?? '')),
    bankSortCode: sortCodeText(bank.bankSortCode ?? ''),
    bankIBAN: typed(groupedByFour(bank.bankIBAN ?? '')),
    bankSwift: bank.bankSwift ?? '',
    // The stored statement is kept unless a new one is named.
    bankPOA: '',
    ibanCountryConfirmed: isIbanOfOtherCountry(bank.bankIBAN ?? '', bank.bankCountry) ? 'yes' : '',
  }
}

/** Returns whether a complete IBAN is of another country than the bank: a warning that the client confirms. */
export function isIbanOfOtherCountry(iban: string, bankCountry: string): boolean {
  return bankCountry !== '' && bankCountry !== 'GB' && isIban(iban) && !isIbanOfCountry(iban, bankCountry)
}

/** Returns text as entered, with ordinary spaces. */
function typed(shown: string): string {
  return shown.replaceAll('\u00a0', ' ')
}

const british = ['bankAccountNumber', 'bankSortCode'] as const
const foreign = ['bankIBAN', 'bankSwift'] as const

export function isBritish(values: BankValues): boolean {
  return values.bankCountry === 'GB'
}

/** Returns the values for the request: only the numbers used in the bank's country. */
export function bankDataOf(values: BankValues, userId: string) {
  const { bankPOA, bankAccountCurrency, ibanCountryConfirmed, ...rest } = values
  const left = isBritish(values) ? foreign : british
  return {
    ...rest,
    ...Object.fromEntries(left.map((name) => [name, ''])),
    userId,
    bankAccountCurrency: bankAccountCurrency as Currency,
    ...(bankPOA === '' ? {} : { bankPOA }),
    ...(ibanCountryConfirmed === 'yes' && isIbanOfOtherCountry(values.bankIBAN, values.bankCountry)
      ? { ibanCountryConfirmed: true }
      : {}),
  }
}

const text = z.string()
/** A bank account that was sent: a new one, or the change of an existing one by its id. */
export const bankDraft = z.object({
  id: z.nullable(text),
  values: z.object({
    bankName: text,
    bankAddress: text,
    bankCountry: text,
    bankAccountCurrency: z.enum([...currencies, '']),
    bankAccountNumber: text,
    bankSortCode: text,
    bankIBAN: text,
    bankSwift: text,
    bankPOA: text,
    ibanCountryConfirmed: z._default(text, ''),
  }),
})
export type BankDraft = z.output<typeof bankDraft>

/** Returns the subject of the step-up: the account that will receive money. */
export function useBankStepUpSubject(values: BankValues, isNew: boolean): StepUpSubject {
  const { t } = useLingui()
  const number = isBritish(values)
    ? `${sortCodeText(normalizeBankNumber(values.bankSortCode))} ${groupedByFour(normalizeBankNumber(values.bankAccountNumber))}`
    : groupedByFour(normalizeBankNumber(values.bankIBAN))
  return {
    title: isNew
      ? t`You are adding a bank account for withdrawals`
      : t`You are changing a bank account for withdrawals`,
    rows: [
      { key: t`Bank name`, value: values.bankName },
      { key: isBritish(values) ? t`Account number` : t`IBAN`, value: number },
      { key: t`Account currency`, value: values.bankAccountCurrency },
    ],
  }
}

export type BankForm = ReturnType<typeof useBankForm>

/**
 * Returns the form's values with the checks during entry: an error is shown when a number's field is left, a success
 * immediately.
 */
export function useBankForm(initial: BankValues, userId: string) {
  const { t } = useLingui()
  const form = useFormValues<BankValues>(initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refusal, setRefusal] = useState<ApiError | 'missing' | null>(null)
  const [sending, setSending] = useState(false)
  const numberErrorsOf = useNumberErrors()
  const wrong = numberErrorsOf(form.values)
  const set = (change: Partial<BankValues>) => {
    setRefusal(null)
    form.set(change)
  }
  return {
    ...form,
    set,
    alert: refusal === 'missing' ? t`You must fill all mandatory fields.` : (refusal?.error ?? null),
    userId,
    setSending,
    waitReason: sending && t`Your bank statement is still uploading.`,
    /** The error of a number, after its field was left and on sending. */
    errorOf: (name: keyof BankValues) =>
      form.errors[name] ?? (left.has(name) && form.values[name] !== '' ? wrong[name] : undefined),
    isRight: (name: keyof BankValues) => form.values[name] !== '' && wrong[name] === undefined,
    leave: (name: keyof BankValues) => setLeft((before) => new Set(before).add(name)),
    /** Shows missing and invalid values; returns true if the request may be sent. */
    isComplete: ({ statement = false } = {}): boolean => {
      const { values } = form
      const numbers = isBritish(values) ? british : foreign
      const names = ['bankName', 'bankAddress', 'bankCountry', 'bankAccountCurrency', ...numbers] as const
      const missing = names.filter((name) => values[name].trim() === '')
      setRefusal(missing.length > 0 ? 'missing' : null)
      return !form.sayErrors(() => ({
        ...pick(numberErrorsOf(values), numbers),
        ...Object.fromEntries(missing.map((name) => [name, t`This field is required.`])),
        ...(statement && values.bankPOA === '' ? { bankPOA: t`You must upload bank statement.` } : noErrors),
      }))
    },
    /** Shows a rejected request's errors at the named fields, else as a whole. */
    refuse: (failure: ApiError) => {
      const named = Object.keys(failure.errors).some((name) => name in emptyBank)
      setRefusal(named ? null : failure)
      form.refuse(failure)
    },
  }
}

/** Returns a function for the errors of the entered numbers; empty ones are not checked. */
function useNumberErrors() {
  const { t } = useLingui()
  return (values: BankValues): Partial<Record<keyof BankValues, string>> => {
    const words: Record<string, string> = {
      'account-number-invalid': t`A British account number has 8 digits.`,
      'sort-code-invalid': t`A sort code has 6 digits, such as 20-00-00.`,
      'iban-invalid': t`This IBAN is not valid. Check that you entered it correctly.`,
      'swift-invalid': t`A SWIFT/BIC has 8 or 11 characters, such as DEUTDEFF.`,
    }
    const found = checkBankNumbers(values)
    const errors: Partial<Record<keyof BankValues, string>> = {}
    for (const [name, code] of Object.entries(found)) {
      const text = words[code]
      if (text !== undefined) errors[name as keyof BankValues] = text
    }
    if (
      !errors.bankIBAN &&
      values.ibanCountryConfirmed === '' &&
      isIbanOfOtherCountry(values.bankIBAN, values.bankCountry)
    )
      errors.bankIBAN = t`The IBAN and the country of the bank do not match. Check both. If they are correct, confirm them.`
    return errors
  }
}
