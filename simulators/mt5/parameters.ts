/**
 * The parameters of a call. Names in the query are case-insensitive; names in the body must be spelt as in the vendor's
 * pages (webapi_https), and unknown names are rejected. Values are escaped in the query alone (webapi_screening).
 */
import { Misuse, type Fields } from '../process/http.ts'

/** By name in lower case. The body takes precedence over the query. */
export type Parameters = ReadonlyMap<string, string>

const userFields = [
  'Login',
  'Group',
  'Rights',
  'MQID',
  'Name',
  'FirstName',
  'LastName',
  'MiddleName',
  'Company',
  'Account',
  'Country',
  'Language',
  'City',
  'State',
  'ZIPCode',
  'Address',
  'Phone',
  'Email',
  'ID',
  'Status',
  'Comment',
  'Color',
  'PhonePassword',
  'Leverage',
  'Agent',
  'LeadSource',
  'LeadCampaign',
  'LimitOrders',
  'LimitPositions',
  'TradeAccounts',
]
const passwordFields = ['Login', 'Type', 'Password']
const lists = ['login', 'group', 'ticket']

/** The allowed names in the body of each call. */
const bodyNames: Readonly<Record<string, readonly string[]>> = {
  '/api/user/add': [...userFields, 'PassMain', 'PassInvestor'],
  '/api/user/update': userFields,
  '/api/user/change_password': passwordFields,
  '/api/user/check_password': passwordFields,
  '/api/deal/get_batch': lists,
  '/api/position/get_batch': lists,
  '/api/order/get_batch': lists,
}

/** How a server might read bodies otherwise: the pages do not exclude that it removes escapes there, too. */
export interface BodyReading {
  readonly removesEscapes: boolean
  /** Whether it reads only the first element of a list. */
  readonly readsFirstOnly: boolean
}

/**
 * Throws `Misuse` for a name in the body that the call does not know in this spelling, and for a list in the body that
 * is not an array.
 */
export function parametersOf(url: URL, body: Fields, { removesEscapes, readsFirstOnly }: BodyReading): Parameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of url.searchParams) parameters.set(name.toLowerCase(), unescaped(value))
  const known = bodyNames[url.pathname] ?? []
  for (const [name, value] of Object.entries(body)) {
    if (!known.includes(name)) throw new Misuse(`${url.pathname} knows no ${name}`)
    if (typeof value === 'string' || typeof value === 'number') {
      if (lists.includes(name) && String(value).includes(',')) throw new Misuse(`${name} is a list, but not an array`)
      parameters.set(name.toLowerCase(), removesEscapes ? unescaped(String(value)) : String(value))
    } else if (Array.isArray(value)) {
      parameters.set(name, (readsFirstOnly ? value.slice(0, 1) : value).map(String).join(','))
    }
  }
  return parameters
}

function unescaped(text: string): string {
  return text.replace(/\\([=|\\\n])/g, '$1')
}
