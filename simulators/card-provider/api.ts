/** The provider's API: signed calls; an idempotence key repeated within a day gets the same response as before. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Faults, answerJson, bodyOf, fieldsOf, numberField, textField, type Fields } from '../process/http.ts'
import { objectIn, requestProperties, unknownProperty, versions } from './kinds.ts'
import type { Checkout } from './checkout.ts'
import type { Store } from './store.ts'
import {
  checkoutRecord,
  detailsRecord,
  errorRecord,
  paymentRecord,
  refundList,
  refundRecord,
  type FaultScript,
} from './records.ts'
import { isSigned, type Keys } from './signature.ts'

/** The provider forgets an idempotence key after this time. */
const keySeconds = 86_400

interface Api {
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
  const { kind } = book
  const root = `/${versions[kind]}/${options.merchant}/`

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
      if (textField(garble, 'kind') === 'proxy') return answerJson(response, 403, { message: 'Forbidden' })
      const json = JSON.stringify(answer.body)
      const html = textField(garble, 'kind') === 'html'
      response.writeHead(answer.status, { 'content-type': html ? 'text/html' : 'application/json' })
      response.end(html ? '<html><body>Bad gateway</body></html>' : json.slice(0, Math.floor(json.length / 2)))
    },
  }

  function answered(request: IncomingMessage, path: string, body: Buffer): Answer {
    const key = request.headers['x-gcs-idempotence-key']
    if (request.method === 'GET') return read(path)
    if (request.method === 'DELETE') return remove(path)
    if (typeof key !== 'string') return write(path, fieldsOf(body), request)
    const digest = createHash('sha256').update(path).update(body).digest('hex')
    const known = book.state.rows('answers').get(key)
    const seconds = book.clock.seconds()
    const before = known !== undefined && seconds - known.seconds < keySeconds ? known : undefined
    if (before !== undefined && before.request !== digest) {
      return { status: 409, body: errorRecord(409, '1409', 'The key was used for another request') }
    }
    if (before !== undefined) return before
    const answer = write(path, fieldsOf(body), request)
    book.state.commit({ answers: { [key]: { request: digest, ...answer, seconds } } })
    return answer
  }

  function read(path: string): Answer {
    const [, of = '', list] = /^payments\/([^/]+)(?:\/(refunds|details))?$/.exec(path) ?? []
    const paid = book.byPayment(of)
    if (paid !== undefined) return readPayment(paid, list)
    const operation = book.operation(of)
    const its = operation && book.checkout(operation.checkout)
    // On Direct an operation is read like a payment.
    if (kind === 'direct' && its && list === undefined)
      return { status: 200, body: refundRecord({ checkout: its }, operation) }
    const checkout = book.checkout(/^hostedcheckouts\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (checkout === undefined || (checkout.life === 'expired' && kind === 'connect')) return notFoundError()
    return { status: 200, body: checkoutRecord(book.dataOf(checkout), options.lieOf(checkout)) }
  }

  function readPayment(checkout: Checkout, list: string | undefined): Answer {
    const data = book.dataOf(checkout)
    if (list === 'refunds') return { status: 200, body: refundList(data) }
    if (list === 'details') return kind === 'direct' ? { status: 200, body: detailsRecord(data) } : notFoundError()
    const overrides = options.lieOf(checkout)
    if (overrides.life === undefined && ['open', 'cancelled', 'expired'].includes(checkout.life)) return notFoundError()
    return { status: 200, body: paymentRecord(data, overrides) }
  }

  /** Closes a page that has not been used; a checkout with a payment stays. */
  function remove(path: string): Answer {
    if (kind === 'direct') return { status: 405, body: errorRecord(405, '405', 'METHOD_NOT_ALLOWED', kind) }
    const checkout = book.checkout(/^hostedcheckouts\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (checkout === undefined || checkout.life === 'expired' || checkout.life === 'cancelled') return notFoundError()
    if (checkout.life !== 'open') return { status: 409, body: errorRecord(409, '300610', 'The checkout has a payment') }
    book.act(checkout.id, 'cancel')
    return { status: 204, body: undefined }
  }

  function write(path: string, fields: Fields, request: IncomingMessage): Answer {
    if (path === 'hostedcheckouts') return openCheckout(fields, request)
    const checkout = book.byPayment(/^payments\/([^/]+)\/refund$/.exec(path)?.[1] ?? '')
    if (checkout === undefined) return notFoundError()
    const unknown = unknownProperty(fields, requestProperties[kind].refund)
    if (unknown !== undefined) return unknownPropertyError(unknown)
    const money = moneyOf(objectIn(fields, 'amountOfMoney'))
    if (money === null || money.currency !== checkout.currency) return invalidPropertyError('amountOfMoney')
    const references = objectIn(fields, kind === 'connect' ? 'refundReferences' : 'references')
    const ref = textField(references, 'merchantReference') ?? ''
    const refund = book.refund(checkout, money.amount, ref)
    if (refund === null) return { status: 400, body: errorRecord(400, '300150', 'More than is left of the payment') }
    return { status: 201, body: { id: refund.id, status: refund.status } }
  }

  function openCheckout(fields: Fields, request: IncomingMessage): Answer {
    const unknown = unknownProperty(fields, requestProperties[kind].checkout)
    if (unknown !== undefined) return unknownPropertyError(unknown)
    const order = objectIn(fields, 'order')
    const specific = objectIn(fields, 'hostedCheckoutSpecificInput')
    const money = moneyOf(objectIn(order, 'amountOfMoney'))
    const ref = textField(objectIn(order, 'references'), 'merchantReference')
    const returnUrl = textField(specific, 'returnUrl')
    if (money === null) return invalidPropertyError('order.amountOfMoney')
    if (ref === undefined || ref === '' || ref.length > 40)
      return invalidPropertyError('order.references.merchantReference')
    if (returnUrl === undefined || !URL.canParse(returnUrl))
      return invalidPropertyError('hostedCheckoutSpecificInput.returnUrl')
    const products = objectIn(objectIn(specific, 'paymentProductFilters'), 'restrictTo').products
    const checkout = book.open({
      ...money,
      ref,
      country: textField(objectIn(objectIn(order, 'customer'), 'billingAddress'), 'countryCode') ?? '',
      locale: textField(specific, 'locale') ?? 'en_GB',
      products: listIn(products, 'number'),
      returnUrl,
      ...(kind === 'connect' ? connectTerms(fields) : directTerms(fields)),
    })
    const page = `${request.headers.host ?? ''}/checkout/${checkout.id}`
    return {
      status: 201,
      body: {
        hostedCheckoutId: checkout.id,
        RETURNMAC: checkout.returnMac,
        merchantReference: checkout.ref,
        ...(kind === 'connect' ? { partialRedirectUrl: page } : { redirectUrl: `http://${page}` }),
      },
    }
  }
}

type Terms = Pick<Checkout, 'tellsCancelling' | 'isSale' | 'attempts' | 'lifeSeconds' | 'webhookUrls'>

/** The vendor gives no number; whether a payer may try again depends on the merchant's set-up there. */
const connectAttempts = 10

function connectTerms(fields: Fields): Terms {
  const card = objectIn(fields, 'cardPaymentMethodSpecificInput')
  return {
    tellsCancelling: objectIn(fields, 'hostedCheckoutSpecificInput').returnCancelState === true,
    isSale: card.authorizationMode === 'SALE' || card.requiresApproval === false,
    attempts: connectAttempts,
    lifeSeconds: 7200,
    webhookUrls: [],
  }
}

/** Direct's session lasts three hours and allows ten attempts, unless the request says otherwise. */
function directTerms(fields: Fields): Terms {
  const specific = objectIn(fields, 'hostedCheckoutSpecificInput')
  return {
    tellsCancelling: true,
    isSale: objectIn(fields, 'cardPaymentMethodSpecificInput').authorizationMode === 'SALE',
    attempts: numberField(specific, 'allowedNumberOfPaymentAttempts') ?? 10,
    lifeSeconds: (numberField(specific, 'sessionTimeout') ?? 180) * 60,
    webhookUrls: listIn(objectIn(fields, 'feedbacks').webhooksUrls, 'string'),
  }
}

function listIn(value: unknown, type: 'number'): number[]
function listIn(value: unknown, type: 'string'): string[]
function listIn(value: unknown, type: 'number' | 'string'): unknown[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === type) : []
}

function unknownPropertyError(property: string): Answer {
  return { status: 400, body: errorRecord(400, '21000010', `${property} is not known`) }
}

function notFoundError(): Answer {
  return { status: 404, body: errorRecord(404, '1002', 'NOT_FOUND') }
}

function invalidPropertyError(property: string): Answer {
  return { status: 400, body: errorRecord(400, '21000020', `${property} is wrong or missing`) }
}

function moneyOf(fields: Fields): { amount: number; currency: string } | null {
  const { amount, currencyCode } = fields
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount <= 0) return null
  return typeof currencyCode === 'string' && /^[A-Z]{3}$/.test(currencyCode) ? { amount, currency: currencyCode } : null
}
