import { useLingui } from '@lingui/react/macro'
import type { Currency } from '#rules/money.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import type { ListColumn } from '../records/record-list.tsx'

interface MoneyRow {
  readonly reference: string
  readonly amount: bigint
  readonly currency: Currency
}

/** Returns the columns common to all payment queues; `amountHead` names the amount. */
export function useMoneyColumns<Row extends MoneyRow>(amountHead: string) {
  const { t } = useLingui()
  const reference: ListColumn<Row> = {
    key: 'reference',
    head: t`Reference`,
    cell: (row) => <span className="numbers unbroken">{row.reference}</span>,
  }
  const amount: ListColumn<Row> = {
    key: 'amount',
    sort: 'amount',
    head: amountHead,
    align: 'right',
    phone: 'figure',
    cell: (row) => <Money amount={{ minor: row.amount, currency: row.currency }} />,
  }
  return { reference, amount }
}

/** Returns the column of a request's account. */
export function useAccountColumn<Row extends { readonly accountNumber: string }>(): ListColumn<Row> {
  const { t } = useLingui()
  return {
    key: 'account',
    head: t`Account`,
    wideOnly: true,
    cell: ({ accountNumber }) => <span className="numbers unbroken">{groupedByFour(accountNumber)}</span>,
  }
}
