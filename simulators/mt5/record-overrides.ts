/** Records that the server writes otherwise than they are, until reset. */
import { fieldsIn, requireValue, textField, type Fields, type Route } from '../process/http.ts'

/** By the switch that changes them: the beginning of the calls that return them, and the field that identifies one. */
const kinds = {
  deals: { path: '/api/deal/get', id: 'Deal' },
  positions: { path: '/api/position/get', id: 'Position' },
  orders: { path: '/api/order/get', id: 'Order' },
  'trade-states': { path: '/api/user/account/get', id: 'Login' },
  users: { path: '/api/user/get', id: 'Login' },
} as const
type Kind = keyof typeof kinds

export class RecordOverrides {
  readonly #fields = new Map<string, Fields>()
  #time: Fields = {}

  set(kind: Kind, id: string, fields: Fields): void {
    this.#fields.set(`${kind} ${id}`, fields)
  }

  /** `POST /positions/garble { position, fields }`, where `name` is "position". */
  route(kind: Kind, name: string): Route {
    return ({ fields }) => this.set(kind, requireValue(textField(fields, name), name), fieldsIn(fields, 'fields'))
  }

  /** `POST /time/garble { fields }` */
  readonly timeRoute: Route = ({ fields }) => {
    this.#time = fieldsIn(fields, 'fields')
  }

  clear(): void {
    this.#fields.clear()
    this.#time = {}
  }

  /** Returns the answer of a call in which these records are written otherwise; a field that is null is not sent. */
  in(path: string, answer: unknown): unknown {
    if (path === '/api/time/server') return withFields(answer as Fields, this.#time)
    const found = Object.entries(kinds).find(([, { path: begin }]) => path.startsWith(begin))
    if (found === undefined) return answer
    const [kind, { id }] = found
    const change = (record: Fields) => withFields(record, this.#fields.get(`${kind} ${String(record[id])}`))
    return Array.isArray(answer) ? answer.map(change) : change(answer as Fields)
  }
}

function withFields(record: Fields, fields: Fields = {}): Fields {
  return Object.fromEntries(Object.entries({ ...record, ...fields }).filter(([, value]) => value !== null))
}
