/** Missing permissions of the gateway and the manager behind it: none except those that a switch removes. */
import { Misuse, type Route } from '../process/http.ts'

const known = ['accounts', 'money', 'personal-data', 'deals']

export interface GatewayRights {
  missing: readonly string[]
  /** Whether it provides trades of all accounts; a gateway of the contract's first edition does not. */
  tradeHistory: boolean
  /** Whether it says that it treats repeated writes as agreed; a gateway built by an earlier text does not. */
  repeats: boolean
}

export const newestEdition: GatewayRights = { missing: [], tradeHistory: true, repeats: true }

/** `POST /rights { missing: ["money"] }` */
export function rightsRoute(rights: GatewayRights): Route {
  return ({ fields }) => {
    const { missing } = fields
    const isList = Array.isArray(missing) && missing.every((right) => known.includes(String(right)))
    if (!isList) throw new Misuse(`missing is a list of ${known.join(', ')}`)
    rights.missing = missing.map(String)
  }
}

/** `POST /edition { tradeHistory: false }` or `{ repeats: false }` */
export function editionRoute(rights: GatewayRights): Route {
  return ({ fields }) => {
    rights.tradeHistory = fields.tradeHistory !== false
    rights.repeats = fields.repeats !== false
  }
}
