/** The provider's API: signed calls, answered as before when an idempotence key comes again. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Faults } from '../process/faults.ts'
import { answerJson, bodyOf, fieldsOf, numberField, textField } from '../process/http.ts'
import type { Fields } from '../process/http.ts'
import type { Store, Checkout } from './store.ts'
import { checkoutRecord, errorRecord, paymentRecord } from './records.ts'
import type { FaultScript } from './records.ts'
import { isSigned } from './signature.ts'
import type { Keys } from './signature.ts'

/** What Connect's CreateHostedCheckoutRequest has; anything else is refused. */
const checkoutProperties: readonly string[] = [
  'bankTransferPaymentMethodSpecificInput',
  'cardPaymentMethodSpecificInput',
  'cashPaymentMethodSpecificInput',
  'eInvoicePaymentMethodSpecificInput',
  'fraudFields',
  'hostedCheckoutSpecificInput',
  'merchant',
  'mobilePaymentMethodSpecificInput',
  'order',
  'redirectPaymentMethodSpecificInput',
  'sepaDirectDebitPaymentMethodSpecificInput',
]

export interface Api {
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

export function api(options: {
  book: Store
  faults: Faults
  keys: Keys
  merchant: string
  lieOf: (checkout: Checkout) => FaultScript
}): Api {
  const { book, faults } = options
  const root = `/v1/${options.merchant}/`

  return {
    async serve(request, response) {
      const body = await bodyOf(request)
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const call = { path, moves: request.method !== 'GET' }
      if (!isSigned(request, options.keys) || !path.startsWith(root)) {
        return answerJson(response, 403, errorRecord(403, '9002', 'MISSING_OR_INVALID_AUTHORIZATION'))
      }
      await faults.holdUp(call)
      if (faults.take('drop-before', call) !== null) return void request.socket.destroy()
      const refuse = faults.take('refuse', call)
      const status = refuse === null ? null : (numberField(refuse, 'status') ?? 400)
      const answer =
        status === null
          ? answered(request, path.slice(root.length), body)
          : { status, body: errorRecord(status, '21000000', 'Refused by a switch') }
      if (faults.take('drop-after', call) !== null) return void request.socket.destroy()
      const garble = faults.take('garble', call)
      if (answer.status === 204) return void response.writeHead(204).end()
      if (garble === null) return answerJson(response, answer.status, answer.body)
      const whole = JSON.stringify(answer.body)
      const html = textField(garble, 'kind') === 'html'
      response.writeHead(answer.status, { 'content-type': html ? 'text/html' : 'application/json' })
      response.end(html ? '<html><body>Bad gateway</body></html>' : whole.slice(0, Math.floor(whole.length / 2)))
    },
  }

  function answered(request: IncomingMessage, path: string, body: Buffer): Answer {
    const key = request.headers['x-gcs-idempotence-key']
    if (request.method === 'GET') return read(path)
    if (request.method === 'DELETE') return remove(path)
    if (typeof key !== 'string') return write(path, fieldsOf(body), request)
    const digest = createHash('sha256').update(path).update(body).digest('hex')
    const before = book.state.rows('answers').get(key)
    if (before !== undefined && before.request !== digest) {
      return { status: 409, body: errorRecord(409, '1409', 'The key was used for another request') }
    }
    if (before !== undefined) return before
    const answer = write(path, fieldsOf(body), request)
    book.state.commit({ answers: { [key]: { request: digest, ...answer } } })
    return answer
  }

  function read(path: string): Answer {
    const paid = book.byPayment(/^payments\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (paid !== undefined) return readPayment(paid)
    const checkout = book.checkout(/^hostedcheckouts\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (checkout === undefined || checkout.life === 'expired') return absent()
    return { status: 200, body: checkoutRecord(checkout, options.lieOf(checkout)) }
  }

  function readPayment(checkout: Checkout): Answer {
    const lie = options.lieOf(checkout)
    if (lie.life === undefined && ['open', 'cancelled', 'expired'].includes(checkout.life)) return absent()
    return { status: 200, body: paymentRecord(checkout, lie) }
  }

  /** Ends a page that no one has used; a checkout with a payment stays. */
  function remove(path: string): Answer {
    const checkout = book.checkout(/^hostedcheckouts\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (checkout === undefined || checkout.life === 'expired' || checkout.life === 'cancelled') return absent()
    if (checkout.life !== 'open') return { status: 409, body: errorRecord(409, '300610', 'The checkout has a payment') }
    book.act(checkout.id, 'cancel')
    return { status: 204, body: undefined }
  }

  function write(path: string, fields: Fields, request: IncomingMessage): Answer {
    if (path === 'hostedcheckouts') return openCheckout(fields, request)
    const checkout = book.byPayment(/^payments\/([^/]+)\/refund$/.exec(path)?.[1] ?? '')
    if (checkout === undefined) return absent()
    const money = moneyOf(objectIn(fields, 'amountOfMoney'))
    if (money === null || money.currency !== checkout.currency) return bad('amountOfMoney')
    const ref = textField(objectIn(fields, 'refundReferences'), 'merchantReference') ?? ''
    const refund = book.refund(checkout, money.amount, ref)
    if (refund === null) return { status: 400, body: errorRecord(400, '300150', 'More than is left of the payment') }
    return { status: 201, body: { id: refund.id, status: 'REFUND_REQUESTED' } }
  }

  function openCheckout(fields: Fields, request: IncomingMessage): Answer {
    const unknown = Object.keys(fields).find((name) => !checkoutProperties.includes(name))
    if (unknown !== undefined) return { status: 400, body: errorRecord(400, '21000010', `${unknown} is not known`) }
    const order = objectIn(fields, 'order')
    const specific = objectIn(fields, 'hostedCheckoutSpecificInput')
    const money = moneyOf(objectIn(order, 'amountOfMoney'))
    const ref = textField(objectIn(order, 'references'), 'merchantReference')
    const returnUrl = textField(specific, 'returnUrl')
    if (money === null) return bad('order.amountOfMoney')
    if (ref === undefined || ref === '' || ref.length > 40) return bad('order.references.merchantReference')
    if (returnUrl === undefined || !URL.canParse(returnUrl)) return bad('hostedCheckoutSpecificInput.returnUrl')
    const products = objectIn(objectIn(specific, 'paymentProductFilters'), 'restrictTo').products
    const checkout = book.open({
      ...money,
      ref,
      country: textField(objectIn(objectIn(order, 'customer'), 'billingAddress'), 'countryCode') ?? '',
      locale: textField(specific, 'locale') ?? 'en_GB',
      products: Array.isArray(products) ? products.filter((product) => typeof product === 'number') : [],
      returnUrl,
      tellsCancelling: specific.returnCancelState === true,
    })
    return {
      status: 201,
      body: {
        hostedCheckoutId: checkout.id,
        RETURNMAC: checkout.returnMac,
        merchantReference: checkout.ref,
        partialRedirectUrl: `${request.headers.host ?? ''}/checkout/${checkout.id}`,
      },
    }
  }
}

function absent(): Answer {
  return { status: 404, body: errorRecord(404, '1002', 'NOT_FOUND') }
}

function bad(property: string): Answer {
  return { status: 400, body: errorRecord(400, '21000020', `${property} is wrong or missing`) }
}

function moneyOf(fields: Fields): { amount: number; currency: string } | null {
  const { amount, currencyCode } = fields
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount <= 0) return null
  return typeof currencyCode === 'string' && /^[A-Z]{3}$/.test(currencyCode) ? { amount, currency: currencyCode } : null
}

function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
