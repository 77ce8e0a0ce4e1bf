/** What the manager behind the gateway lacks: nothing, but what a switch takes away. */
import { Misuse } from '../process/http.ts'
import type { Route } from '../process/http.ts'

const known = ['accounts', 'money', 'personal-data', 'deals']

export interface GatewayRights {
  missing: readonly string[]
}

/** `POST /rights { missing: ["money"] }` */
export function rightsRoute(rights: GatewayRights): Route {
  return ({ fields }) => {
    const { missing } = fields
    const isList = Array.isArray(missing) && missing.every((right) => known.includes(String(right)))
    if (!isList) throw new Misuse(`missing is a list of ${known.join(', ')}`)
    rights.missing = missing.map(String)
    return { ok: true }
  }
}
