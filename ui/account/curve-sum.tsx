import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getAccountCurve, SumRow } from '#contract/trading-history.ts'
import { money } from '#rules/money.ts'
import { Money, MoneySummary } from '#ui/money/money.tsx'
import { calendarDayText } from '#ui/text/time.tsx'

interface CurveSumProps {
  curve: ResponseOf<typeof getAccountCurve>
  endsNow: boolean
}

/** The sum of the period: opening equity, movements, closing equity. A sum that does not add up is not shown. */
export function CurveSum({ curve: { sum, beingChecked, from, to, currency }, endsNow }: CurveSumProps) {
  const { t, i18n } = useLingui()
  if (from === null || to === null) return null
  const day = (text: string) => calendarDayText(text, i18n.locale)
  const title = !endsNow
    ? t({ message: `${day(from)} to ${day(to)}`, context: 'days' })
    : from === to
      ? t`Today`
      : t`${day(from)} to today`
  if (!sum)
    return beingChecked ? (
      <MoneySummary title={title} lines={[{ label: <Trans>Total for the period</Trans>, value: t`being checked` }]} />
    ) : null
  const words: Readonly<Record<SumRow, string>> = {
    deposits: t`Deposits`,
    withdrawals: t`Withdrawals`,
    transfers: t`Transfers`,
    returned: t`Returned and refunded payments`,
    credit: t`Credit and bonus`,
    other: t`Other transactions`,
    profit: t`Closed trades`,
    swap: t`Swap`,
    commission: t`Commission`,
    fee: t`Fees`,
    floating: t`Change in unrealised P&L`,
  }
  return (
    <MoneySummary
      title={title}
      lines={[
        {
          label: sum.openingDay === null ? t`Equity at account opening` : t`Equity on ${day(sum.openingDay)}`,
          value: <Money amount={money(sum.opening, currency)} bare />,
        },
        ...sum.rows.map(({ row, amount }) => ({
          label: words[row],
          value: <Money amount={money(amount, currency)} bare signed />,
        })),
      ]}
      total={{ label: t`Equity`, value: <Money amount={money(sum.closing, currency)} /> }}
    />
  )
}
