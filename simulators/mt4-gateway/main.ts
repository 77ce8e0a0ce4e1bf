/** The simulator of an MT4 server behind our gateway, contract v2. Its switches are described in ../README.md. */
import { Store, type Tables } from '../platform/store.ts'
import { marketRoutes } from '../platform/market.ts'
import { recordRoutes } from '../platform/record-routes.ts'
import { turnableClock } from '../process/clock.ts'
import { faultRoutes, waitingFaults, needed, routeServer, textField } from '../process/http.ts'
import { live } from '../process/shutdown.ts'
import { openState } from '../process/state.ts'
import { deleteOrder } from './orders.ts'
import { editionRoute, newestEdition, rightsRoute, type GatewayRights } from './rights.ts'
import { wireServer } from './wire.ts'

const firstLogin = 410_001
const firstTicket = 80_512

const state = openState<Tables>(process.env.STATE_FILE)
const clock = turnableClock(state.rows('settings').get('clock'), (clock) => state.commit({ settings: { clock } }))
const book = new Store(state, clock, { firstLogin, firstTicket, chargesAtClose: true })
const faults = waitingFaults(['forbid'])
const keys = {
  key: process.env.GATEWAY_KEY ?? 'portal',
  secret: process.env.GATEWAY_SECRET ?? 'simulator-gateway-secret',
}
const rights: GatewayRights = { ...newestEdition }
const wire = wireServer(book, keys, rights, faults)
const market = marketRoutes(book, () => undefined)
// An order of MetaTrader 4 is never reversed.
const { 'POST /market/turn': _unknown, ...marketSwitches } = market.routes

const switches = routeServer({
  ...faultRoutes(faults, {
    slow: ['ms'],
    refuse: ['code'],
    'drop-before': [],
    'drop-after': [],
    forbid: [],
    garble: ['kind'],
    misapply: [],
  }),
  ...marketSwitches,
  ...recordRoutes(book),
  'POST /orders/delete': ({ fields }) => {
    deleteOrder(book, needed(textField(fields, 'ticket'), 'ticket'))
  },
  'POST /clock': clock.route,
  'POST /rights': rightsRoute(rights),
  'POST /edition': editionRoute(rights),
  'POST /idle-close': () => {
    wire.closeIdleConnections()
  },
  'POST /reset': () => {
    faults.clear()
    market.stop()
    Object.assign(rights, newestEdition)
  },
  'GET /switches': () => ({ faults: faults.list(), offsetSeconds: clock.offsetSeconds() }),
})

await live(wire, switches)
