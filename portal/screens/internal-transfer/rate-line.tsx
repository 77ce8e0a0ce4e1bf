import { Trans, useLingui } from '@lingui/react/macro'
import { clockTime } from '#ui/text/time.tsx'
import { Money } from '#ui/money/money.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import type { Money as Amount } from '#rules/money.ts'
import type { ShownRate } from './transfer-draft.ts'

/** Rate, its time and the amount received on one line; hidden if both accounts have the same currency. */
export function RateLine({ amount, shown }: { amount: Amount; shown: ShownRate | null }) {
  if (!shown || shown.arrives.currency === amount.currency) return null
  return (
    <p className="rate-line numbers">
      <RateText amount={amount} shown={shown} />
      <span className="rate-line-arrives">
        <Trans>Credited amount</Trans> <Money amount={shown.arrives} />
      </span>
    </p>
  )
}

/** "1 EUR = 0.8432 GBP, valid until 10:31" */
export function RateText({ amount, shown }: { amount: Amount; shown: ShownRate }) {
  const { rate, arrives, until } = shown
  const { i18n } = useLingui()
  return (
    <span>
      <span className="unbroken">
        1 {amount.currency} = {rateText(rate, i18n.locale)} {arrives.currency}
      </span>
      {until && (
        <span className="rate-until">
          {' '}
          <Trans>valid until {clockTime(until)}</Trans>
        </span>
      )}
    </span>
  )
}
