import { expect, test } from 'vitest'
import { checkoutAnswer, paymentAnswer } from './answers.ts'
import { checkoutState, isMoneyTaken, paymentStatusOf } from './statuses.ts'

const paymentOutput = {
  amountOfMoney: { amount: 10_000, currencyCode: 'EUR' as const },
  references: { merchantReference: 'CR-1' },
}

test.each([['constructor'], ['toString'], ['__proto__'], ['A_STATUS_OF_TOMORROW']])(
  'the unknown status %s is pending, and no money was taken',
  (status) => {
    const payment = { id: '1', status, paymentOutput }
    expect(isMoneyTaken(status)).toBe(false)
    expect(paymentStatusOf(payment, [], 'captured')).toMatchObject({ state: 'pending' })
  },
)

test.each([[null], [{ errors: null }], [{ errors: [{ code: null, message: null }] }]])(
  'the optional statusOutput of a payment may be %j',
  (statusOutput) => {
    const payment = paymentAnswer.parse({ id: '1', status: 'REJECTED', paymentOutput, statusOutput })
    const status = paymentStatusOf(payment, [], 'captured')
    expect(status).toMatchObject({ state: 'failed' })
    expect(status).not.toHaveProperty('reason')
  },
)

test.each([[null], [{ payment: null }]])('the createdPaymentOutput of an open checkout may be %j', (output) => {
  const answer = checkoutAnswer.parse({ status: 'IN_PROGRESS', createdPaymentOutput: output })
  expect(checkoutState(answer)).toEqual({ state: 'open' })
})
