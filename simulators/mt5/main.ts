/** The simulator of a MetaTrader 5 Web API server (REST form). Its switches are described in ../README.md. */
import { Store, type Tables } from '../platform/store.ts'
import { marketRoutes } from '../platform/market.ts'
import { nightWatch } from '../platform/nights.ts'
import { dealIn, recordRoutes } from '../platform/record-routes.ts'
import { adjustableClock } from '../process/clock.ts'
import {
  faultRoutes,
  createFaults,
  fieldsIn,
  requireValue,
  numberField,
  routeServer,
  textField,
} from '../process/http.ts'
import { listenAndAnnounce } from '../process/shutdown.ts'
import { openState } from '../process/state.ts'
import { groupsRoute } from './groups.ts'
import { managerRights, ManagerRights } from './manager-rights.ts'
import { RecordOverrides } from './record-overrides.ts'
import { Sessions } from './sessions.ts'
import { wireServer } from './wire.ts'
import { cancelledDeal } from '../platform/trading.ts'

const firstLogin = 5_100_001
const firstTicket = 136_623

const state = openState<Tables>(process.env.STATE_FILE)
const clock = adjustableClock(state.rows('settings').get('clock'), (clock) => state.commit({ settings: { clock } }))
const book = new Store(state, clock, { firstLogin, firstTicket, chargesAtClose: false })
const sessions = new Sessions({
  login: process.env.MANAGER_LOGIN ?? '1000',
  password: process.env.MANAGER_PASSWORD ?? 'Simulator-1',
})
const faults = createFaults(['forbid'])
const rights = new ManagerRights(process.env.HIDE_PERSONAL === '1' ? [managerRights[0]] : [])
const watch = nightWatch(book)
const overrides = new RecordOverrides()
const wire = wireServer({
  book,
  watch,
  sessions,
  rights,
  faults,
  overrides,
  setsCookie: process.env.SET_COOKIE === '1',
})
const market = marketRoutes(book, watch)

const switches = routeServer({
  ...faultRoutes(faults, {
    slow: ['ms'],
    refuse: ['retcode'],
    'drop-before': [],
    'drop-after': [],
    forbid: [],
    garble: ['kind'],
    misapply: [],
  }),
  ...market.routes,
  ...recordRoutes(book),
  'POST /deals/cancel': ({ fields }) => {
    const deal = dealIn(book, fields)
    book.replaceDeal(deal, cancelledDeal(deal))
  },
  'POST /clock': clock.route,
  'POST /groups': groupsRoute,
  'POST /rights': rights.route,
  'POST /pad-deals': ({ fields }) => {
    wire.padDeals(requireValue(numberField(fields, 'bytes'), 'bytes'))
  },
  'POST /bodies': ({ fields }) => {
    wire.readBodies({ removesEscapes: fields.removesEscapes === true, readsFirstOnly: fields.readsFirstOnly === true })
  },
  'POST /deals/garble': ({ fields }) => {
    const login = textField(fields, 'login')
    const deals = login === undefined ? [dealIn(book, fields)] : book.deals(login)
    for (const { ticket } of deals) overrides.set('deals', ticket, fieldsIn(fields, 'fields'))
    return { ok: true, deals: deals.length }
  },
  'POST /positions/garble': overrides.route('positions', 'position'),
  'POST /orders/garble': overrides.route('orders', 'order'),
  'POST /users/garble': overrides.route('users', 'login'),
  'POST /trade-states/garble': overrides.route('trade-states', 'login'),
  'POST /time/garble': overrides.timeRoute,
  'GET /calls': () => wire.seenCalls(),
  'POST /idle-close': ({ fields }) => {
    const afterMs = numberField(fields, 'afterMs')
    if (afterMs === undefined) wire.closeConnections()
    else wire.setIdle(afterMs)
  },
  'POST /reset': () => {
    faults.clear()
    market.stop()
    rights.restore()
    wire.forgetCalls()
    wire.padDeals(0)
    wire.readBodies({ removesEscapes: false, readsFirstOnly: false })
    overrides.clear()
    wire.setIdle(180_000)
  },
  'GET /switches': () => ({ faults: faults.list(), offsetSeconds: clock.offsetSeconds() }),
})

await listenAndAnnounce(wire.server, switches)
