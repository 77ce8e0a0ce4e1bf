import { useLingui } from '@lingui/react/macro'
import type { DepositRow, TransferRow, WithdrawalRow } from '#contract/history.ts'
import { subtractFee, money, type Money as Amount } from '#rules/money.ts'
import { CopyButton } from '#ui/data/copy-button.tsx'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { Money } from '#ui/money/money.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import { accountNumberText } from '../../funding/accounts.ts'
import { amountOf, type HistoryRecord } from './history-record.ts'

type Rows = (DescriptionRow | null | false)[]

/** Shows the components of the request, down to the amount received. */
export function RecordDetails({ record }: { record: HistoryRecord }) {
  const { t } = useLingui()
  const { reference } = record.row
  const own = useOwnRows(record)
  return (
    <DescriptionList
      rows={[
        {
          key: t`Reference`,
          value: (
            <span className="row record-reference">
              <span className="numbers unbroken">{reference}</span>
              <CopyButton text={reference} name={t`Copy reference`} />
            </span>
          ),
        },
        ...own,
      ]}
    />
  )
}

function useOwnRows(record: HistoryRecord): Rows {
  const deposit = useDepositRows()
  const withdrawal = useWithdrawalRows()
  const transfer = useTransferRows()
  if (record.list === 'deposits') return deposit(record.row, amountOf(record))
  if (record.list === 'withdrawals') return withdrawal(record.row, amountOf(record))
  return transfer(record.row, amountOf(record))
}

/** Requests in these states credit and pay nothing. */
const ended = ['rejected', 'cancelled', 'returned', 'in_review', 'uncredited', 'refunding', 'refunded']

function useDepositRows() {
  const { t } = useLingui()
  return (row: DepositRow, sent: Amount): Rows => {
    const received = row.depositAmountReceived === null ? null : money(row.depositAmountReceived, row.depositCurrency)
    const fee = money(row.depositFee, row.depositCurrency)
    const done = row.status === 'approved'
    // Only a wire is announced and may arrive with another amount: the provider takes the requested one.
    const isWire = row.depositType === 'wire'
    const announced = row.status === 'pending' ? t`You pay` : t`Expected amount`
    const asked = received ? t`You paid` : t`Amount`
    return [
      { key: t`Account`, value: accountNumberText(row.accountNumber) },
      { key: t`Method`, value: row.depositMethod },
      { key: isWire ? announced : asked, value: <Money amount={sent} /> },
      isWire && received && { key: t`Received amount`, value: <Money amount={received} /> },
      !ended.includes(row.status) && { key: t`Fee`, value: <Money amount={fee} /> },
      !ended.includes(row.status) && {
        key: done ? t`Arrived` : t`Credited amount`,
        value: <Money amount={subtractFee(received ?? sent, fee)} />,
      },
      row.depositRefunded > 0n && {
        key: t`Refunded`,
        value: <Money amount={money(row.depositRefunded, row.depositCurrency)} />,
      },
      row.depositChargedBack > 0n && {
        key: t`Charged back`,
        value: <Money amount={money(row.depositChargedBack, row.depositCurrency)} />,
      },
    ]
  }
}

function useWithdrawalRows() {
  const { t } = useLingui()
  return (row: WithdrawalRow, asked: Amount): Rows => {
    const fee = money(row.withdrawalFee, row.withdrawalCurrency)
    return [
      { key: t`From account`, value: accountNumberText(row.accountNumber) },
      { key: t`Bank account`, value: t`${row.bankName}, ending\u00a0${row.bankEnding}` },
      { key: t`Method`, value: row.withdrawalMethod },
      { key: t`Amount`, value: <Money amount={asked} /> },
      !ended.includes(row.status) && { key: t`Fee`, value: <Money amount={fee} /> },
      !ended.includes(row.status) && {
        key: row.status === 'paid' ? t`Sent` : t`Payout amount`,
        value: <Money amount={subtractFee(asked, fee)} />,
      },
    ]
  }
}

function useTransferRows() {
  const { t, i18n } = useLingui()
  return (row: TransferRow, asked: Amount): Rows => [
    { key: t`From account`, value: accountNumberText(row.sourceAccount) },
    { key: t`To account`, value: accountNumberText(row.destinationAccount) },
    { key: t`Amount`, value: <Money amount={asked} /> },
    row.transferCurrency !== row.arrivesCurrency && {
      key: t`Rate`,
      value: `1\u00a0${row.transferCurrency} = ${rateText(row.rate, i18n.locale)}\u00a0${row.arrivesCurrency}`,
    },
    !ended.includes(row.status) && {
      key: row.status === 'approved' ? t`Arrived` : t`Credited amount`,
      value: <Money amount={money(row.arrives, row.arrivesCurrency)} />,
    },
  ]
}
