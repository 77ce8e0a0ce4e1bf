/** State of the provider: checkouts, their payments and refunds, and the responses stored under idempotency keys. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../process/clock.ts'
import { Misuse } from '../process/http.ts'
import type { State } from '../process/state.ts'

export type CheckoutLifetime =
  | 'open'
  | 'pending'
  | 'capture_requested'
  | 'capture_rejected'
  | 'paid'
  | 'disputed'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'charged_back'
  | 'refunded'

export interface Checkout {
  readonly id: string
  readonly paymentId: string
  readonly ref: string
  readonly amount: number
  readonly currency: string
  readonly country: string
  readonly locale: string
  readonly products: readonly number[]
  readonly returnUrl: string
  readonly returnMac: string
  /** Whether a payer's cancelling is told, as the request may ask for; else the checkout stays one in progress. */
  readonly tellsCancelling: boolean
  readonly life: CheckoutLifetime
  readonly refunded: number
  readonly createdAt: number
}

export interface Refund {
  readonly id: string
  readonly checkout: string
  readonly amount: number
  readonly ref: string
}

export interface Tables {
  checkouts: Checkout
  refunds: Refund
  answers: { request: string; status: number; body: unknown }
  settings: { offsetSeconds: number }
}

/** What may happen to a checkout, by name. */
const steps: Readonly<
  Record<string, { from: readonly CheckoutLifetime[]; to: CheckoutLifetime; event: string | null }>
> = {
  'request-capture': { from: ['open', 'pending'], to: 'capture_requested', event: 'payment.capture_requested' },
  'reject-capture': { from: ['capture_requested'], to: 'capture_rejected', event: 'payment.rejected_capture' },
  pay: { from: ['open', 'pending', 'capture_requested'], to: 'paid', event: 'payment.paid' },
  decline: { from: ['open', 'pending'], to: 'declined', event: 'payment.rejected' },
  cancel: { from: ['open'], to: 'cancelled', event: null },
  pend: { from: ['open'], to: 'pending', event: 'payment.redirected' },
  expire: { from: ['open'], to: 'expired', event: null },
  dispute: { from: ['paid'], to: 'disputed', event: 'payment.chargeback_notification' },
  chargeback: {
    from: ['paid', 'refunded', 'disputed', 'charged_back'],
    to: 'charged_back',
    event: 'payment.chargebacked',
  },
  refund: { from: ['paid'], to: 'refunded', event: 'payment.refunded' },
}

const goesBack = ['refund', 'chargeback']

const lifeSeconds = 7200

function left(checkout: Checkout): number {
  return Math.max(0, checkout.amount - checkout.refunded)
}

export class Store {
  readonly state: State<Tables>
  readonly clock: Clock
  /** Told each event of a payment, after it is kept. */
  readonly #tell: (event: string, checkout: Checkout) => void

  constructor(state: State<Tables>, clock: Clock, tell: (event: string, checkout: Checkout) => void) {
    this.state = state
    this.clock = clock
    this.#tell = tell
  }

  open(input: Omit<Checkout, 'id' | 'paymentId' | 'returnMac' | 'life' | 'refunded' | 'createdAt'>): Checkout {
    const number = this.state.rows('checkouts').size + 1
    const checkout: Checkout = {
      ...input,
      id: randomUUID(),
      paymentId: `${String(number).padStart(20, '0')}0000100001`,
      returnMac: randomBytes(16).toString('hex'),
      life: 'open',
      refunded: 0,
      createdAt: this.clock.seconds(),
    }
    this.#keep(checkout)
    return checkout
  }

  /** Returns the checkout as of now: one that no one used for two hours is expired. */
  checkout(id: string): Checkout | undefined {
    const checkout = this.state.rows('checkouts').get(id)
    if (checkout?.life !== 'open' || this.clock.seconds() - checkout.createdAt <= lifeSeconds) return checkout
    return this.act(id, 'expire')
  }

  checkouts(): Checkout[] {
    return [...this.state.rows('checkouts').values()]
  }

  byPayment(paymentId: string): Checkout | undefined {
    return this.checkouts().find((checkout) => checkout.paymentId === paymentId)
  }

  /** `amount` is that of a refund or chargeback, which the payer's bank may make larger than the payment; else all of it. */
  act(id: string, action: string, amount?: number): Checkout {
    const checkout = this.state.rows('checkouts').get(id)
    const step = Object.hasOwn(steps, action) ? steps[action] : undefined
    if (checkout === undefined) throw new Misuse(`There is no checkout ${id}`)
    if (step === undefined) throw new Misuse(`There is no action ${action}`)
    if (!step.from.includes(checkout.life)) throw new Misuse(`The checkout is ${checkout.life}: no ${action}`)
    const refunded = goesBack.includes(action) ? checkout.refunded + (amount ?? left(checkout)) : checkout.refunded
    const life = action === 'refund' && refunded < checkout.amount ? 'paid' : step.to
    const changed = { ...checkout, life, refunded }
    this.#keep(changed)
    if (step.event !== null) this.#tell(step.event, changed)
    return changed
  }

  /** Null where it is more than is left of the payment. */
  refund(checkout: Checkout, amount: number, ref: string): Refund | null {
    const most = checkout.life === 'paid' ? left(checkout) : 0
    if (amount <= 0 || amount > most) return null
    const number = this.state.rows('refunds').size + 1
    const refund = { id: `${checkout.paymentId}${String(number).padStart(5, '0')}`, checkout: checkout.id, amount, ref }
    const refunded = checkout.refunded + amount
    const changed: Checkout = { ...checkout, refunded, life: refunded === checkout.amount ? 'refunded' : 'paid' }
    this.state.commit({ refunds: { [refund.id]: refund }, checkouts: { [changed.id]: changed } })
    this.#tell('payment.refunded', changed)
    return refund
  }

  #keep(checkout: Checkout): void {
    this.state.commit({ checkouts: { [checkout.id]: checkout } })
  }
}
