/**
 * State of the provider: checkouts, their payments and the operations on them, and the responses stored under
 * idempotency keys.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock, ClockSetting } from '../process/clock.ts'
import { Misuse } from '../process/http.ts'
import type { State } from '../process/state.ts'
import {
  afterOperation,
  canRetryPayment,
  isFinal,
  refundableAmount,
  statusOf,
  steps,
  type Checkout,
  type CheckoutLifetime,
  type Operation,
  type RefundStatus,
} from './checkout.ts'
import { operationIdOf, paymentIdOf, type Kind, type Platform } from './kinds.ts'
import type { PaymentData } from './records.ts'

export interface Tables {
  checkouts: Checkout
  refunds: Operation
  answers: { request: string; status: number; body: unknown; seconds: number }
  settings: ClockSetting
}

type Opening = Omit<Checkout, 'id' | 'paymentId' | 'returnMac' | 'life' | 'refunded' | 'createdAt' | 'earlier'>

/** What an action is about, besides its checkout. */
export interface Action {
  /** The amount of a refund or chargeback, which the payer's bank may make larger than the payment; all if absent. */
  readonly amount?: number | undefined
  /** An earlier payment of the checkout; the newest if absent. */
  readonly payment?: string | undefined
  /** Whether the payer begins another payment on the same page, whatever became of the one before. */
  readonly another?: boolean | undefined
}

export class Store {
  readonly state: State<Tables>
  readonly clock: Clock
  readonly kind: Kind
  platform: Platform = 'globalcollect'
  /** The status of the merchant's next refunds. */
  refundsAre: RefundStatus = 'REFUNDED'
  /** Called for each event of a payment, after it is stored. */
  readonly #tell: (event: string, checkout: Checkout, operation: Operation | null) => void

  constructor(
    state: State<Tables>,
    clock: Clock,
    kind: Kind,
    tell: (event: string, checkout: Checkout, operation: Operation | null) => void,
  ) {
    this.state = state
    this.clock = clock
    this.kind = kind
    this.#tell = tell
  }

  open(input: Opening): Checkout {
    const checkout: Checkout = {
      ...input,
      id: randomUUID(),
      paymentId: this.#nextPaymentId(),
      returnMac: randomBytes(16).toString('hex'),
      life: 'open',
      refunded: 0,
      createdAt: this.clock.seconds(),
    }
    this.#keep(checkout)
    return checkout
  }

  /** Returns the current checkout: one that was not used in time is expired. */
  checkout(id: string): Checkout | undefined {
    const checkout = this.state.rows('checkouts').get(id)
    if (checkout?.life !== 'open' || this.clock.seconds() - checkout.createdAt <= checkout.lifeSeconds) return checkout
    return this.act(id, 'expire')
  }

  checkouts(): Checkout[] {
    return [...this.state.rows('checkouts').values()]
  }

  /** Returns the checkout of a payment, with the data of this payment if it is an earlier one. */
  byPayment(paymentId: string): Checkout | undefined {
    for (const checkout of this.checkouts()) {
      if (checkout.paymentId === paymentId) return checkout
      const attempt = checkout.earlier?.find((one) => one.paymentId === paymentId)
      if (attempt) return { ...checkout, ...attempt }
    }
    return undefined
  }

  /** Returns the refunds and chargebacks of a checkout's payment. */
  operations({ id, paymentId }: Checkout): Operation[] {
    return [...this.state.rows('refunds').values()].filter(
      (one) => one.checkout === id && (one.payment ?? paymentId) === paymentId,
    )
  }

  /** Returns the data of the record of a checkout's payment. */
  dataOf(checkout: Checkout): PaymentData {
    const { kind, platform } = this
    return { kind, platform, checkout, operations: this.operations(checkout) }
  }

  operation(id: string): Operation | undefined {
    return this.state.rows('refunds').get(id)
  }

  act(id: string, action: string, { amount, payment, another = false }: Action = {}): Checkout {
    const newest = this.state.rows('checkouts').get(id)
    const step = Object.hasOwn(steps, action) ? steps[action] : undefined
    if (newest === undefined) throw new Misuse(`There is no checkout ${id}`)
    if (step === undefined) throw new Misuse(`There is no action ${action}`)
    const asked = payment === undefined ? newest : this.byPayment(payment)
    if (asked?.id !== id) throw new Misuse(`The checkout has no payment ${payment}`)
    const checkout = another || canRetryPayment(asked, action) ? this.#withAnotherPayment(newest) : asked
    if (!step.from.includes(checkout.life)) throw new Misuse(`The checkout is ${checkout.life}: no ${action}`)
    if (action in statusOf) {
      const [kind, status] = [action === 'chargeback' ? 'chargeback' : 'refund', statusOf[action as 'refund']] as const
      return this.#operate(
        checkout,
        { kind, status, amount: amount ?? refundableAmount(checkout), ref: checkout.ref },
        step,
      )[0]
    }
    if (action === 'settle-refund') return this.#settle(checkout, 'REFUNDED', step.event)
    if (action === 'reject-refund') return this.#settle(checkout, 'REJECTED', step.event)
    if (action === 'reverse-chargeback') return this.#reverse(checkout, step)
    const isUsed = action === 'pay' || action === 'decline'
    const changed: Checkout = {
      ...checkout,
      life: action === 'pay' && !checkout.isSale ? 'authorised' : step.to,
      attempts: isUsed ? checkout.attempts - 1 : checkout.attempts,
    }
    this.#keep(changed)
    if (step.event !== null) this.#tell(step.event, changed, null)
    return changed
  }

  /** Refunds by a call of the merchant's. Returns null if the amount exceeds the rest of the payment. */
  refund(checkout: Checkout, amount: number, ref: string): Operation | null {
    const most = checkout.life === 'paid' ? refundableAmount(checkout) : 0
    if (amount <= 0 || amount > most) return null
    const made = { kind: 'refund', status: this.refundsAre, amount, ref } as const
    const event = this.refundsAre === 'REFUNDED' ? 'payment.refunded' : null
    return this.#operate(checkout, made, { to: 'refunded', event })[1]
  }

  #operate(
    checkout: Checkout,
    made: Pick<Operation, 'kind' | 'status' | 'amount' | 'ref'>,
    { to, event }: { to: CheckoutLifetime; event: string | null },
  ): [Checkout, Operation] {
    const id = operationIdOf(this.kind, checkout.paymentId, this.operations(checkout).length + 1)
    const operation: Operation = { ...made, id, checkout: checkout.id, payment: checkout.paymentId }
    const changed = afterOperation(checkout, operation, to)
    this.state.commit({ refunds: { [id]: operation }, checkouts: { [changed.id]: this.#stored(changed) } })
    if (event !== null) this.#tell(event, changed, operation)
    return [changed, operation]
  }

  #settle(checkout: Checkout, to: 'REFUNDED' | 'REJECTED', event: string | null): Checkout {
    const asked = this.operations(checkout).find(({ status }) => !isFinal(status))
    if (asked === undefined) throw new Misuse('No refund was requested')
    const operation = { ...asked, status: to } as const
    const changed = afterOperation(checkout, operation, 'refunded')
    this.state.commit({ refunds: { [operation.id]: operation }, checkouts: { [changed.id]: this.#stored(changed) } })
    if (event !== null) this.#tell(event, changed, operation)
    return changed
  }

  /** Takes the last chargeback back: the merchant has won the dispute. */
  #reverse(checkout: Checkout, { to, event }: { to: CheckoutLifetime; event: string | null }): Checkout {
    const made = this.operations(checkout).findLast(({ status }) => status === 'CHARGEBACKED')
    if (made === undefined) throw new Misuse('Nothing was charged back')
    const operation = { ...made, status: 'CHARGEBACK_REVERSED' } as const
    const changed = { ...checkout, refunded: checkout.refunded - made.amount, life: to }
    this.state.commit({ refunds: { [made.id]: operation }, checkouts: { [changed.id]: this.#stored(changed) } })
    if (event !== null) this.#tell(event, changed, operation)
    return changed
  }

  #keep(checkout: Checkout): void {
    this.state.commit({ checkouts: { [checkout.id]: this.#stored(checkout) } })
  }

  /** Returns the checkout with the changed data of one of its payments. */
  #stored(changed: Checkout): Checkout {
    const newest = this.state.rows('checkouts').get(changed.id)
    if (!newest?.earlier?.some(({ paymentId }) => paymentId === changed.paymentId)) return changed
    const { paymentId, life, refunded } = changed
    const earlier = newest.earlier.map((one) => (one.paymentId === paymentId ? { paymentId, life, refunded } : one))
    return { ...newest, earlier }
  }

  /** Returns the checkout with another payment, which has not been made yet. */
  #withAnotherPayment(checkout: Checkout): Checkout {
    const { paymentId, life, refunded, earlier = [] } = checkout
    const begun = { paymentId: this.#nextPaymentId(), life: 'open', refunded: 0 } as const
    return { ...checkout, ...begun, earlier: [...earlier, { paymentId, life, refunded }] }
  }

  #nextPaymentId(): string {
    const made = this.checkouts().reduce((sum, { earlier = [] }) => sum + 1 + earlier.length, 0)
    return paymentIdOf(this.kind, made + 1)
  }
}
