/**
 * The simulator of a card provider in the style of Worldline Connect or Worldline Direct. Its switches are described in
 * ../README.md.
 */
import { createServer } from 'node:http'
import { adjustableClock } from '../process/clock.ts'
import {
  faultRoutes,
  createFaults,
  answerJson,
  Misuse,
  requireValue,
  numberField,
  routeServer,
  textField,
  type Fields,
} from '../process/http.ts'
import { listenAndAnnounce } from '../process/shutdown.ts'
import { openState } from '../process/state.ts'
import { api } from './api.ts'
import { refundStatuses, type Checkout, type CheckoutLifetime } from './checkout.ts'
import { Store, type Tables } from './store.ts'
import { servePage } from './pages.ts'
import type { FaultScript } from './records.ts'
import { subjectOf, Webhooks } from './webhooks.ts'

const merchant = process.env.MERCHANT_ID ?? '1234'
const keys = {
  apiKey: process.env.API_KEY ?? 'simulator-key',
  apiSecret: process.env.API_SECRET ?? 'simulator-api-secret',
  webhookKey: process.env.WEBHOOK_KEY ?? 'simulator-webhook-key',
  webhookSecret: process.env.WEBHOOK_SECRET ?? 'simulator-webhook-secret',
}
const state = openState<Tables>(process.env.STATE_FILE)
const clock = adjustableClock(state.rows('settings').get('clock'), (clock) => state.commit({ settings: { clock } }))
const kind = process.env.KIND === 'direct' ? 'direct' : 'connect'
const webhooks = new Webhooks({ keys, merchant, url: process.env.WEBHOOK_URL, clock })
const book: Store = new Store(state, clock, kind, (event, checkout, operation) =>
  webhooks.tell(event, checkout, subjectOf(book.dataOf(checkout), operation)),
)
const faults = createFaults()
const calls = api({ book, faults, keys, merchant, lieOf: faultScriptOf })

const lives: Readonly<Record<string, CheckoutLifetime>> = { failed: 'declined' }

/** Returns the status that a switch sets for the next response about this checkout. */
function faultScriptOf(checkout: Checkout): FaultScript {
  const fault = faults.take('lie', { path: '', moves: true }, (fields) => textField(fields, 'id') === checkout.id)
  if (fault === null) return {}
  const stateName = textField(fault, 'state')
  const life = stateName === undefined ? undefined : (lives[stateName] ?? (stateName as CheckoutLifetime))
  const [amount, currency, ref] = [numberField(fault, 'amount'), textField(fault, 'currency'), textField(fault, 'ref')]
  const back = numberField(fault, 'back')
  return {
    ...(life !== undefined && { life }),
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    ...(ref !== undefined && { ref }),
    ...(back !== undefined && { back }),
  }
}

const wire = createServer((request, response) => {
  const page = request.url?.startsWith('/checkout/') === true
  const work = page ? servePage(book, request, response) : calls.serve(request, response)
  work.catch((error: unknown) => {
    const known = error instanceof Misuse || error instanceof SyntaxError
    if (!response.headersSent)
      answerJson(response, known ? 400 : 500, { errorId: '', errors: [{ message: String(error) }] })
  })
})

const switches = routeServer({
  ...faultRoutes(faults, {
    slow: ['ms'],
    refuse: ['status'],
    'drop-before': [],
    'drop-after': [],
    garble: ['kind'],
    lie: ['id'],
  }),
  'POST /clock': clock.route,
  'POST /webhooks': ({ fields }) => {
    webhooks.manner = fields
  },
  'POST /webhooks/endpoint': async ({ fields }) => {
    if (await webhooks.register(requireValue(textField(fields, 'url'), 'url'))) return { ok: true }
    throw new Misuse('The address does not answer the verification')
  },
  'POST /webhooks/release': async () => ({ ok: true, released: await webhooks.release() }),
  'POST /webhooks/again': async ({ fields }) => ({
    ok: true,
    status: await webhooks.again(requireValue(textField(fields, 'id'), 'id')),
  }),
  'POST /platform': ({ fields }) => {
    const kind = requireValue(textField(fields, 'kind'), 'kind')
    if (kind !== 'globalcollect' && kind !== 'ogone') throw new Misuse(`There is no platform ${kind}`)
    book.platform = kind
  },
  'POST /refunds': ({ fields }) => {
    const status = requireValue(textField(fields, 'status'), 'status')
    const known = refundStatuses.find((one) => one === status)
    if (known === undefined) throw new Misuse(`There is no status ${status} of a refund`)
    book.refundsAre = known
  },
  'POST /act': ({ fields }) => act(fields),
  'POST /reset': () => {
    faults.clear()
    book.refundsAre = 'REFUNDED'
    webhooks.manner = {}
    book.platform = 'globalcollect'
  },
  'GET /switches': () => ({
    faults: faults.list(),
    webhooks: webhooks.manner,
    platform: book.platform,
    refunds: book.refundsAre,
    offsetSeconds: clock.offsetSeconds(),
  }),
  'GET /checkouts': ({ query }) => book.checkouts().filter((row) => (query.get('ref') ?? row.ref) === row.ref),
  'GET /webhooks': ({ query }) => webhooks.list(query.get('id')),
})

function act(fields: Fields): unknown {
  const id = requireValue(textField(fields, 'id'), 'id')
  const action = requireValue(textField(fields, 'action'), 'action')
  const [amount, payment] = [numberField(fields, 'amount'), textField(fields, 'payment')]
  const { life, paymentId } = book.act(id, action, { amount, payment, another: fields.another === true })
  return { ok: true, life, paymentId }
}

await listenAndAnnounce(wire, switches)
