import { useLingui } from '@lingui/react/macro'
import { money, type Currency } from '#rules/money.ts'
import { Sparkline } from '../charts/sparkline.tsx'
import { moneyText } from '../money/money.tsx'

/** With fewer trading days no line is drawn. */
const resultDaysMin = 5

interface ResultSparklineProps {
  currency: Currency
  values: readonly bigint[]
  words?: boolean
}

/**
 * The result of trading over 30 days, one value per trading day: without payments, because a payout would look like a
 * loss, and without the other bookings of the account's sum (requirements 24.11). `words` are shown above it if no
 * column head names it.
 */
export function ResultSparkline({ currency, values, words = false }: ResultSparklineProps) {
  const { t, i18n } = useLingui()
  if (values.length < resultDaysMin) return null
  const minor = values.at(-1) ?? 0n
  const amount = moneyText(money(minor < 0n ? -minor : minor, currency), i18n.locale)
  const sentence =
    minor === 0n
      ? t`Trading P&L over 30 days, excluding payments and other transactions: none`
      : minor > 0n
        ? t`Trading P&L over 30 days, excluding payments and other transactions: up ${amount}`
        : t`Trading P&L over 30 days, excluding payments and other transactions: down ${amount}`
  return (
    <>
      {words && <span className="size-13 muted">{t`Result, 30 days`}</span>}
      <Sparkline values={values.map(Number)} label={sentence} />
    </>
  )
}
