/** SQL of account requests, for staff and for the operation that opens the account. */
import type { Language } from '#rules/choices.ts'
import type { ClientState } from '#rules/clients.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { type TradingAccount, accountColumns } from './queries.ts'

/** The data that the platform receives when it opens an account. */
export interface AccountOpening extends TradingAccount {
  readonly name: string
  readonly surname: string
  readonly email: string
  readonly country: string
  readonly language: Language
  readonly mobilePhone: string | null
  readonly addressNo: string | null
  readonly address: string
  readonly city: string | null
  readonly postcode: string | null
  readonly county: string
}

const openingColumns = sql`${accountColumns}, c.name, c.surname, c.email::text as email, c.country, c.language,
  c.mobile_phone as "mobilePhone", c.address_no as "addressNo", c.address, c.city, c.postcode, c.county`

/** Returns the account and its owner for the operation that opens it. */
export async function accountOpening(connection: Connection, accountId: AccountId) {
  return row<AccountOpening>(connection)`
    select ${openingColumns} from trading_accounts a join clients c on c.id = a.client_id where a.id = ${accountId}`
}

/** An account request with the data that its page shows in addition. */
export interface AccountRequest extends AccountOpening {
  readonly groupName: string | null
  readonly decidedBy: string | null
  readonly clientState: ClientState
}

/** Returns one account request for staff, or null. */
export async function accountRequestById(connection: Connection, id: AccountId) {
  return row<AccountRequest>(connection)`
    select ${openingColumns}, a.group_name as "groupName", a.decided_by as "decidedBy", c.state as "clientState"
      from trading_accounts a join clients c on c.id = a.client_id where a.id = ${uuidOrNull(id)}::uuid`
}

interface OtherAccount extends TradingAccount {
  readonly balanceMinor: bigint | null
  readonly readAt: Date | null
}

/** Returns the client's other accounts, for staff. */
export async function otherAccounts(connection: Connection, clientId: ClientId, except: string) {
  return rows<OtherAccount>(connection)`
    select ${accountColumns}, f.balance_minor as "balanceMinor", f.read_at as "readAt"
      from trading_accounts a left join platform_figures f on f.account_id = a.id
      where a.client_id = ${clientId} and a.id <> ${except} order by a.id limit 100`
}
