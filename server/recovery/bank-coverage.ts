/**
 * Checks whether the bank has shown everything since the loss: each account of the firm has statements with balances,
 * without a gap from the last one before, to a close at least some banking days after recovery was last widened; or,
 * without movement or if the importer entered a balance of a statement, a closing balance that one person entered and
 * another confirmed (requirements 20.18, 24.217). An account that the settings replaced counts if it was still in use
 * that many banking days before the loss.
 */
import { dayIn, instantIn, isoDay, workingDaysAfter, type PlainDate } from '#rules/dates.ts'
import type { Currency } from '#rules/money.ts'
import { row, rows, type Connection } from '../db/sql.ts'
import { firmAccounts, type FirmAccount } from '../settings/firm-bank-account.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Recovery } from './stopped-money.ts'

interface TypedBalance {
  readonly closing: bigint
  readonly on: string
  readonly typedBy: { id: string; name: string }
  readonly confirmedBy: { id: string; name: string } | null
}

interface BankCoverage {
  readonly account: string
  readonly currency: Currency
  readonly coveredTo: string | null
  readonly neededTo: string
  readonly complete: boolean
  /** The last closing balance that is known without a gap, which an account without movement must still have. */
  readonly lastClosing: bigint | null
  readonly typed: TypedBalance | null
}

interface StatementRow {
  readonly on: string
  readonly opening: bigint | null
  readonly closing: bigint
  /** The importer entered a balance that the file does not state, or may have. */
  readonly isEntered: boolean
}

/**
 * Returns one row for each account of the firm that may have paid lost payouts. Reads them one after the other, because
 * the caller may be in a transaction.
 */
export async function bankCoverage(
  dependencies: Pick<Dependencies, 'settings'>,
  connection: Connection,
  recovery: Recovery,
): Promise<BankCoverage[]> {
  const { timeZone } = await dependencies.settings.get('firm')
  const { recoveryBankingDays } = await dependencies.settings.get('payouts')
  const { holidays } = await dependencies.settings.get('sla')
  const since = isoDay(dayIn(recovery.since, timeZone))
  const neededTo = isoDay(
    dayIn(workingDaysAfter(recovery.widenedAt, recoveryBankingDays, timeZone, holidays), timeZone),
  )
  const usedFrom = dayIn(workingDaysAfter(recovery.since, -recoveryBankingDays, timeZone, holidays), timeZone)
  const coverage: BankCoverage[] = []
  for (const { name: account, currency } of await accountsInUse(connection, usedFrom, timeZone)) {
    const covered = coveredBy(await statementsOf(connection, account), since)
    const typed = await typedBalance(connection, recovery.id, account)
    const byStatement = covered.to !== null && covered.to >= neededTo && !covered.isEntered
    const byPeople =
      typed?.confirmedBy != null &&
      typed.on >= neededTo &&
      (covered.closing === null || typed.closing === covered.closing)
    coverage.push({
      account,
      currency,
      coveredTo: covered.to,
      neededTo,
      complete: byStatement || byPeople,
      lastClosing: covered.closing,
      typed,
    })
  }
  return coverage
}

/**
 * Returns the present accounts, and those that were replaced, or had a bank transaction or a posting such as a payout,
 * on this day or later.
 */
async function accountsInUse(connection: Connection, usedFrom: PlainDate, timeZone: string): Promise<FirmAccount[]> {
  const from = instantIn(usedFrom, 0, timeZone)
  const all = await firmAccounts(connection)
  const accounts = all.filter(({ name }, place) => all.findIndex((one) => one.name === name) === place)
  const moved = await rows<{ name: string }>(connection)`
    select a.name from unnest(${accounts.map(({ name }) => name)}::text[]) as a (name)
      where exists (select from bank_lines b
          where b.bank_account = a.name and b.booked_on >= ${isoDay(usedFrom)}::date and b.state <> 'rejected')
        or exists (select from ledger_accounts l join postings p on p.ledger_account = l.id
            join entries e on e.id = p.entry_id where l.kind = 'bank' and l.name = a.name and e.at >= ${from})`
  const names = new Set(moved.map(({ name }) => name))
  return accounts.filter(({ name, replacedAt }) => replacedAt === null || replacedAt >= from || names.has(name))
}

/**
 * Returns until when statements cover an account: from the last closing balance before the loss, as long as each opens
 * with the closing balance of the previous one; and whether a person may have entered one of these balances.
 */
function coveredBy(
  statements: readonly StatementRow[],
  since: string,
): { to: string | null; closing: bigint | null; isEntered: boolean } {
  const first = statements.findLastIndex(({ on }) => on < since)
  let last = first >= 0 ? statements[first] : statements[0]
  if (!last) return { to: null, closing: null, isEntered: false }
  let { isEntered } = last
  for (const next of statements.slice(Math.max(first, 0) + 1)) {
    if (next.opening !== last.closing) break
    last = next
    isEntered ||= next.isEntered
  }
  return { to: last.on, closing: last.closing, isEntered }
}

function statementsOf(connection: Connection, account: string): Promise<StatementRow[]> {
  return rows<StatementRow>(connection)`
    select closing_on::text as on, opening_minor as opening, closing_minor as closing,
        balances_entered is not false as "isEntered" from statement_imports
      where bank_account = ${account} and closing_minor is not null and closing_on is not null
      order by closing_on, imported_at, id`
}

/** Returns the closing balance that was entered for an account in this recovery, or null. */
export async function typedBalance(
  connection: Connection,
  recoveryId: string,
  account: string,
): Promise<TypedBalance | null> {
  const found = await row<{
    closing: bigint
    on: string
    typedBy: string
    typedName: string
    confirmedBy: string | null
    confirmedName: string | null
  }>(connection)`
    select b.closing_minor as closing, b.closing_on::text as on, b.typed_by as "typedBy", t.name as "typedName",
        b.confirmed_by as "confirmedBy", c.name as "confirmedName"
      from recovery_balances b join staff t on t.id = b.typed_by left join staff c on c.id = b.confirmed_by
      where b.recovery = ${recoveryId} and b.bank_account = ${account}`
  if (!found) return null
  return {
    closing: found.closing,
    on: found.on,
    typedBy: { id: found.typedBy, name: found.typedName },
    confirmedBy: found.confirmedBy === null ? null : { id: found.confirmedBy, name: found.confirmedName ?? '' },
  }
}
