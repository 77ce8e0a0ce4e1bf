/** Facts of a discrepancy as rows of the drawer. */
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { checkoutLabels } from '#contract/office/checkout-labels.ts'
import { currencies, minorOf, type Currency } from '#rules/money.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import type { DescriptionRow } from '#ui/data/description-list.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Money } from '#ui/money/money.tsx'
import { calendarDayText, Time } from '#ui/text/time.tsx'
import { codeAsText, usePaidByLabel } from '../../records/work-item-labels.ts'

type Fact = string | number | boolean | null

/** Returns a function that returns rows of facts; `currency` is the default for their amounts. */
export function useFactRows(): (facts: Readonly<Record<string, Fact>>, currency: Currency | null) => DescriptionRow[] {
  const { t, i18n } = useLingui()
  const refusal = usePlatformErrorLabel()
  const providerLabel = useProviderLabel()
  const responseLabel = useResponseLabel()
  const paidBy = usePaidByLabel()
  const keys: Readonly<Record<string, string>> = {
    account: t`Account`,
    amount: t`Amount`,
    at: t`Time`,
    bankId: t`Bank transaction ID`,
    code: t`Platform code`,
    comment: t`Comment on the platform`,
    day: t`Closing day`,
    invariant: t`Rule`,
    payer: t`Payer`,
    providerIds: t`IDs at the card provider`,
    record: t`Record`,
    ref: t`Operation`,
    reference: t`Reference`,
    refused: t`Rejection`,
    remittance: t`Payment reference`,
    response: t`Response of the card provider`,
    says: t`Current provider status`,
    ticket: t`Deal ticket`,
    type: t`Payment method`,
    what: t`Violated rule`,
  }
  return (facts, own) => {
    const currencyCode = String(facts['amountCurrency'] ?? facts['currency'] ?? own ?? '')
    const currency = currencies.find((one) => one === currencyCode)
    const values: Readonly<Record<string, (value: string) => ReactNode>> = {
      account: groupedByFour,
      amount: (value) => {
        const minor = minorOf(value)
        return minor !== null && currency ? <Money amount={{ minor, currency }} /> : value
      },
      at: (value) => <Time at={new Date(value)} form="exact" />,
      day: (value) => calendarDayText(value, i18n.locale),
      refused: refusal,
      response: responseLabel,
      says: providerLabel,
      type: paidBy,
      // Text of an SQL invariant: ids and sums, in English only.
      what: (value) => <span lang="en">{value}</span>,
    }
    return Object.entries(facts)
      .filter(([name, value]) => value !== null && value !== '' && !quiet.includes(name))
      .map(([name, value]) => ({
        key: keys[name] ?? codeAsText(name),
        value: values[name]?.(String(value)) ?? String(value),
      }))
  }
}

/** Shown together with the amount. */
const quiet: readonly string[] = ['currency', 'amountCurrency']

/** Returns a function that returns why the platform rejected an operation, for staff. */
function usePlatformErrorLabel(): (reason: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    'not-enough-money': t`Insufficient available funds`,
    'amount-too-large': t`The amount is too large`,
    'wrong-currency': t`The account has another currency`,
    'not-found': t`The platform does not have this account`,
    'trading-disabled': t`The account is locked on the platform`,
    'no-permission': t`Missing permission on the platform`,
    'bad-input': t`The platform could not process the operation`,
    refused: t`The platform gave no reason`,
  }
  return (reason) => words[reason] ?? codeAsText(reason)
}

/** Returns a function that returns the provider's status of a payment that it confirmed before. */
function useProviderLabel(): (state: string) => string {
  const { t } = useLingui()
  const label = useLabels(checkoutLabels, codeAsText)
  return (state) => (state === 'paid' ? t`Paid with different details than posted` : label(state))
}

/** Returns a function that returns why a payment has no status. */
function useResponseLabel(): (response: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = { missing: t`None`, unusable: t`Cannot be used` }
  return (response) => words[response] ?? codeAsText(response)
}

/** Returns a function that returns the label of a ledger entry's kind. */
export function useEntryLabel(): (kind: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    'deposit-credit': t`Deposit`,
    'withdrawal-debit': t`Withdrawal`,
    'withdrawal-reversal': t`Reversed withdrawal`,
    'withdrawal-return': t`Returned withdrawal`,
    'transfer-withdraw': t`Transfer to another account`,
    'transfer-deposit': t`Transfer from another account`,
    'transfer-compensate': t`Reversed transfer`,
    'trading-result': t`Trading P&L`,
    'demo-balance': t`Demo account balance`,
    correction: t`Correction`,
    deal: t`Platform operation posted`,
    'deal-reversal': t`Platform operation reversed`,
  }
  return (kind) => words[kind] ?? codeAsText(kind)
}
