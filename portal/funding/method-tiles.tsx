import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { MethodRecord } from '#contract/settings.ts'
import { feeOn, isLessThan, money, type Money, subtract } from '#rules/money.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import './funding.css'

interface MethodTilesProps {
  label: ReactNode
  methods: readonly MethodRecord[]
  value: string | null
  onValue: (id: string) => void
  error?: ReactNode
}

/** The payment methods of the client's country, each with its time and fee. */
export function MethodTiles({ label, methods, value, onValue, error }: MethodTilesProps) {
  const { t } = useLingui()
  return (
    <RadioCards
      label={label}
      error={error}
      value={value}
      onValue={onValue}
      tiles={methods.map((method) => ({
        value: method.id,
        label: method.method,
        note: method.text,
        end: (
          <span className="method-end numbers">
            <span>{method.time}</span>
            <span className="muted">{t`${method.fees} fee`}</span>
          </span>
        ),
      }))}
    />
  )
}

/** "Bank Transfer · 0% fee · 2-5 days", in the row of the chosen method. */
export function MethodText({ method }: { method: MethodRecord }) {
  const { t } = useLingui()
  return (
    <>
      {method.method}
      {'\u00a0· '}
      <span className="unbroken">{t`${method.fees} fee`} ·</span> <span className="unbroken">{method.time}</span>
    </>
  )
}

/** Returns the fee of a method on an amount. */
export function methodFee(method: MethodRecord, amount: Money): Money {
  return amount.minor === 0n
    ? money(0n, amount.currency)
    : feeOn(amount, { percent: method.feePercent, flatMinor: method.feeFlat })
}

/** Returns an amount less the fee; null if nothing is left. */
export function amountLessFee(method: MethodRecord, amount: Money): Money | null {
  const fee = methodFee(method, amount)
  return isLessThan(fee, amount) ? subtract(amount, fee) : null
}
