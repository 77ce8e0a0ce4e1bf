import { expect, test } from 'vitest'
import { isMoneyTaken, paymentStatusOf } from './statuses.ts'

test.each([['constructor'], ['toString'], ['__proto__'], ['A_STATUS_OF_TOMORROW']])(
  'the unknown status %s is pending, and no money was taken',
  (status) => {
    const amountOfMoney = { amount: 10_000, currencyCode: 'EUR' as const }
    const payment = { id: '1', status, paymentOutput: { amountOfMoney, references: { merchantReference: 'CR-1' } } }
    expect(isMoneyTaken(status)).toBe(false)
    expect(paymentStatusOf(payment, [], 'captured')).toMatchObject({ state: 'pending' })
  },
)
