/** Records that the gateway writes otherwise than they are, until reset. */
import { fieldsIn, Misuse, textField, type Fields, type Route } from '../process/http.ts'

export class OddRecords {
  readonly #fields = new Map<string, Fields>()

  /** `POST /records/garble { ticket, fields }`; `{ login, fields }` for the record of an account, `{ group, fields }` of a group. */
  readonly route: Route = ({ fields }) => {
    const name = textField(fields, 'ticket') ?? textField(fields, 'login') ?? textField(fields, 'group')
    if (name === undefined) throw new Misuse('ticket, login or group is missing')
    this.#fields.set(name, fieldsIn(fields, 'fields'))
  }

  clear(): void {
    this.#fields.clear()
  }

  /** Returns the body of an answer in which these records are written otherwise; a field that is null is not sent. */
  in(body: unknown): unknown {
    if (this.#fields.size === 0) return body
    if (Array.isArray(body)) return body.map((item: unknown) => this.in(item))
    if (typeof body !== 'object' || body === null) return body
    const { ticket, login, name } = body as Fields
    const odd = this.#fields.get(String(ticket ?? login ?? name))
    const written = Object.entries(body).flatMap(([name, value]) => {
      if (odd === undefined || !(name in odd)) return [[name, this.in(value)]]
      return odd[name] === null ? [] : [[name, odd[name]]]
    })
    return Object.fromEntries(written)
  }
}
