import type { ResponseOf } from '#contract/endpoint.ts'
import { listCorrections, type listReturnableDeposits } from '#contract/office/accounting.ts'
import type { CorrectionState } from '#rules/corrections.ts'
import type { Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import type { AccountId, ClientId, CorrectionId, DepositId } from '#rules/ids.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { clientsNamed, wordsPattern } from '../../office/lists.ts'
import { listing, whereEquals, byTimeOrAmount, amountBetween } from '../../office/listing.ts'
import type { Platform } from '../../dependencies.ts'

export interface Correction {
  readonly id: CorrectionId
  readonly version: number
  readonly accountId: AccountId
  readonly clientId: ClientId
  readonly clientEmail: string
  readonly clientLanguage: Language
  readonly platform: Platform
  readonly login: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly reference: string
  readonly state: CorrectionState
  readonly reason: string
  readonly decisionReason: string | null
  /** The deposit that it returns, or null. */
  readonly depositId: DepositId | null
  readonly depositReference: string | null
  readonly askedBy: string
  readonly askedByName: string
  readonly askedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

export const correctionColumns = sql`k.id, k.version, k.account_id as "accountId", a.client_id as "clientId",
  c.email::text as "clientEmail", c.language as "clientLanguage", a.platform, a.login, k.amount_minor as "amountMinor",
  k.currency, k.reference, k.state, k.reason, k.decision_reason as "decisionReason",
  k.deposit_id as "depositId", d.reference as "depositReference", k.asked_by as "askedBy", s.name as "askedByName",
  k.asked_at as "askedAt", k.decided_by as "decidedBy", k.decided_at as "decidedAt"`
const tables = sql`corrections k join trading_accounts a on a.id = k.account_id join clients c on c.id = a.client_id
  join staff s on s.id = k.asked_by left join deposits d on d.id = k.deposit_id`

/** Returns one correction, or null. */
export function correctionById(connection: Connection, id: CorrectionId): Promise<Correction | null> {
  return row<Correction>(connection)`select ${correctionColumns} from ${tables} where k.id = ${uuidOrNull(id)}::uuid`
}

/** The listing of corrections, newest first; searched by account, client, reference or reason. */
export const correctionListing = listing(listCorrections, {
  name: 'corrections',
  tables,
  id: { by: 'k.id', type: 'uuid' },
  sorts: byTimeOrAmount('k.asked_at', 'k.amount_minor'),
  at: { by: 'k.asked_at', type: 'timestamptz' },
  standard: () => ({ sort: 'createdAt', direction: 'desc' }),
  where: ({ state, currency, ...amounts }) => [
    whereEquals('k.state', state),
    whereEquals('k.currency', currency),
    ...amountBetween('k.amount_minor', amounts),
  ],
  finds: (words) => sql`(a.login like ${wordsPattern(words)} or a.client_id in (${clientsNamed(words)})
    or lower(k.reason) like ${wordsPattern(words)} or lower(k.reference) like ${wordsPattern(words)})`,
})

/** Returns the ledger balance of the account right after the correction was booked, or null before. */
export async function liabilityAfter(
  connection: Connection,
  correction: Pick<Correction, 'id' | 'accountId'>,
): Promise<bigint | null> {
  const found = await row<{ owed: bigint | null }>(connection)`
    select -sum(p.minor)::bigint as owed from postings p join ledger_accounts l on l.id = p.ledger_account
      where l.kind = 'client' and l.trading_account = ${correction.accountId} and p.entry_id <=
        (select max(id) from entries where subject = 'correction' and record = ${correction.id})`
  return found?.owed ?? null
}

interface CorrectableAccount extends Pick<Correction, 'platform' | 'login' | 'currency' | 'clientId' | 'clientEmail'> {
  readonly id: string
}

/** Returns an approved live account, or null. */
export function correctableAccount(connection: Connection, id: AccountId): Promise<CorrectableAccount | null> {
  return row<CorrectableAccount>(connection)`
    select a.id, a.platform, a.login, a.currency, a.client_id as "clientId", c.email::text as "clientEmail"
      from trading_accounts a join clients c on c.id = a.client_id
      where a.id = ${uuidOrNull(id)}::uuid and a.state = 'approved' and a.request_type = 'live'`
}

const returnableMax = 500

/** The amount of a deposit `d` that its corrections have returned or are requested to return, in minor units. */
const returnedOf = sql`(select coalesce(-sum(k.amount_minor), 0) from corrections k
  where k.deposit_id = d.id and k.state <> 'rejected')::bigint`

/** Returns the amount of a locked deposit that can still be returned, in minor units. */
export async function returnableAmount(tx: Connection, id: DepositId): Promise<bigint> {
  const found = await row<{ left: bigint }>(tx)`
    select d.received_minor - ${returnedOf} as left from deposits d where d.id = ${id}`
  return found?.left ?? 0n
}

/**
 * Returns whether the card provider has returned at least what the deposit's corrections return, including pending
 * ones. The returned amount of a bank transfer is that of its corrections (`addReturnedWire`).
 */
export async function isReturnedByProvider(connection: Connection, id: DepositId): Promise<boolean> {
  const found = await row<{ returned: boolean }>(connection)`
    select d.type <> 'wire' and d.refunded_minor >= ${returnedOf} as returned from deposits d where d.id = ${id}`
  return found?.returned ?? false
}

type ReturnableDeposit = ResponseOf<typeof listReturnableDeposits>['deposits'][number]

/** Returns an account's credited deposits with something left to return, newest first. */
export function returnableDeposits(connection: Connection, accountId: AccountId): Promise<ReturnableDeposit[]> {
  return rows<ReturnableDeposit>(connection)`
    select * from (select d.id, d.reference, coalesce(d.approved_at, d.requested_at) as at, d.currency, d.received_minor as received,
        d.received_minor - ${returnedOf} as left
      from deposits d where d.account_id = ${uuidOrNull(accountId)}::uuid and d.state = 'approved' and d.received_minor > 0) r
      where r.left > 0 order by r.at desc, r.id desc limit ${returnableMax}`
}
