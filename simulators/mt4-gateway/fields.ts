/** What the gateway takes: the properties of each call, and texts as long as the platform's structures keep them. */
import { textField } from '../process/http.ts'
import type { Fields } from '../process/http.ts'

/** A body that is refused with `bad_request`. */
export class BadRequest extends Error {}

const lengths = {
  group: 15,
  postcode: 15,
  status: 15,
  country: 31,
  city: 31,
  state: 31,
  phone: 31,
  email: 47,
  comment: 63,
  address: 95,
  name: 127,
} as const
type TextName = keyof typeof lengths

/** Throws `BadRequest` for a property that is none of these. */
export function assertKnown(fields: Fields, known: readonly string[]): void {
  const stranger = Object.keys(fields).find((name) => !known.includes(name))
  if (stranger !== undefined) throw new BadRequest(`${stranger} is no property of this call`)
}

/** A text of the body. Throws `BadRequest` where it is longer than the platform keeps. */
export function boundText(fields: Fields, name: TextName, lengthMax: number = lengths[name]): string {
  const text = textField(fields, name) ?? ''
  if (Buffer.byteLength(text) > lengthMax) throw new BadRequest(`${name} is longer than ${lengthMax} bytes`)
  return text
}
