/** SQL that matches expected deposits with bank transactions. */
import type { Currency } from '#rules/money.ts'
import type { ClientId } from '#rules/ids.ts'
import { limitTo, row, rows, sql, type Connection } from '../../db/sql.ts'
import { namesReference } from '../../ledger/named-references.ts'
import { depositColumns, depositTables, lineColumns, lineTables, type BankLine, type Deposit } from './queries.ts'

const wiresSearched = 500

/**
 * Condition for a wire, `d`, that recovery adopted before a statement showed its transaction: it is credited, and only
 * that transaction can be assigned to it.
 */
export const hasNoBankLine = sql`d.type = 'wire' and d.state in ('processing', 'approved') and d.bank_line is null
  and d.received_minor is not null`

/**
 * Returns the adopted wire that a payment of this amount may have paid, or null. Considers the wire's own fee and
 * `fees`, in minor units.
 */
export function adoptedWireFor(
  connection: Connection,
  { amountMinor, currency }: Pick<BankLine, 'amountMinor' | 'currency'>,
  fees: readonly bigint[],
) {
  return row<{ id: string; reference: string }>(
    connection,
  )`select d.id, d.reference from deposits d where ${hasNoBankLine} and d.currency = ${currency}
        and (d.received_minor = ${amountMinor}
          or d.received_minor - d.fee_minor = any (${fees.map((fee) => amountMinor - fee)}::bigint[]))
      order by d.requested_at, d.id limit 1`
}

/** Returns the pending wires of a currency, newest first. */
export async function openWires(connection: Connection, currency: Currency): Promise<Deposit[]> {
  return rows<Deposit>(connection)`select ${depositColumns} from ${depositTables}
      where d.type = 'wire' and d.state = 'pending' and d.currency = ${currency}
      order by d.requested_at desc ${limitTo(wiresSearched)}`
}

/** Returns the pending wires that a bank transaction may pay, those that it names or that have its amount first. */
export async function openWiresFor(connection: Connection, line: BankLine): Promise<Deposit[]> {
  return rows<Deposit>(connection)`select ${depositColumns} from ${depositTables}
      where d.type = 'wire' and d.state = 'pending' and d.currency = ${line.currency}
      order by ${namesReference(sql`${line.remittance}::text`, sql`d.reference`)} desc,
        d.amount_minor = ${line.amountMinor} desc, d.requested_at desc ${limitTo(wiresSearched)}`
}

/** Returns unmatched bank transactions that may pay a deposit: those that name it or have its amount first. */
export async function unmatchedLinesFor(connection: Connection, deposit: Deposit): Promise<BankLine[]> {
  return rows<BankLine>(connection)`select ${lineColumns} from ${lineTables}
      where l.state = 'unmatched' and l.amount_minor > 0 and l.currency = ${deposit.currency}
      order by ${namesReference(sql`l.remittance`, sql`${deposit.reference}::text`)} desc,
        l.amount_minor = ${deposit.amountMinor} desc, l.created_at desc, l.id desc ${limitTo(linesSearched)}`
}

const linesSearched = 300

/** Returns the clients whose matched deposits came from these payers' accounts before. */
export async function clientsPaidFrom(
  connection: Connection,
  payerAccounts: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const named = payerAccounts.filter((one) => one !== '')
  const clients = new Map(named.map((account) => [account, new Set<string>()]))
  if (named.length === 0) return clients
  const found = await rows<{ account: string; clientId: ClientId }>(connection)`
    select distinct n.account, d.client_id as "clientId"
      from unnest(${named}::text[]) as n (account)
        join bank_lines l on l.payer_account <> '' and british_number(l.payer_account) = british_number(n.account)
        join deposits d on d.bank_line = l.id
      where d.state = 'approved'`
  for (const { account, clientId } of found) clients.get(account)?.add(clientId)
  return clients
}
