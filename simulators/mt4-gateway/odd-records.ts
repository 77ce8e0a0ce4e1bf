/** Records that the gateway writes otherwise than they are, until reset. */
import { fieldsIn, Misuse, textField, type Fields, type Route } from '../process/http.ts'

export class OddRecords {
  readonly #fields = new Map<string, Fields>()

  /** `POST /records/garble { ticket, fields }`, or `{ login, fields }` for the record of an account. */
  readonly route: Route = ({ fields }) => {
    const name = textField(fields, 'ticket') ?? textField(fields, 'login')
    if (name === undefined) throw new Misuse('ticket or login is missing')
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
    const { ticket, login } = body as Fields
    const odd = this.#fields.get(String(ticket ?? login))
    const written = Object.entries(body).flatMap(([name, value]) => {
      if (odd === undefined || !(name in odd)) return [[name, this.in(value)]]
      return odd[name] === null ? [] : [[name, odd[name]]]
    })
    return Object.fromEntries(written)
  }
}
