/** Bank transactions for staff, with the expected deposits that each may pay. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BankLine as BankLineAnswer } from '#contract/office/bank-lines.ts'
import {
  bankLineMachine,
  depositToMatch,
  grossSettlement,
  isOverdueLine,
  lineToMatch,
  matchReasons,
  type MatchReason,
} from '#rules/deposits.ts'
import { money, type Money } from '#rules/money.ts'
import { canSeeNumbers } from '#rules/permissions.ts'
import { checkReturn } from '#rules/withdrawals.ts'
import type { StaffId } from '#rules/ids.ts'
import type { Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { ReturnedPayout } from '../../ledger/returned-payouts.ts'
import { reasonText } from '../../i18n/format.ts'
import { recordsOverriddenBy } from '../../checks/overrides.ts'
import { staffNames, availableActionsOf } from '../../office/records.ts'
import { rolesRequired } from '../../office/work-item-access.ts'
import { stoppedActions } from '../../recovery/stopped-money.ts'
import { clientsPaidFrom } from './match-queries.ts'
import type { BankLine, Deposit } from './queries.ts'

/** Returns bank transactions in the form of the contract, using three further SQL statements. */
export async function bankLineResponses(
  context: RequestContext,
  connection: Connection,
  lines: readonly BankLine[],
): Promise<BankLineAnswer[]> {
  const by = await staffNames(connection, lines, (line) => [
    line.typedBy,
    line.importedBy,
    line.confirmedBy,
    line.settlementAskedBy,
  ])
  const stopped = await stoppedActions(connection, bankLineMachine.name)
  const staff = requireStaff(context)
  const numbers = canSeeNumbers(staff.roles)
  const ids = lines.map(({ id }) => id)
  const overridden = await recordsOverriddenBy(connection, staff.staffId, bankLineMachine.name, ids)
  return lines.map((line) => ({
    ...line,
    amount: line.amountMinor,
    payerAccount: numbers ? line.payerAccount : line.payerAccount.replace(/.(?=.{4})/g, '•'),
    typedBy: by(line.typedBy),
    importedBy: by(line.importedBy),
    confirmedBy: by(line.confirmedBy),
    settlement: settlementOf(line, by(line.settlementAskedBy)),
    reason: reasonText(line.reason, context.language),
    overdue: line.state === 'unmatched' && line.amountMinor > 0n && isOverdueLine(line.createdAt, context.now),
    verbs: availableActionsOf(context, {
      machine: bankLineMachine,
      state: line.state,
      refusals: refusalsOf(line, staff.staffId),
      stopped,
      isOverridden: overridden.has(line.id),
    }),
    requiredRoles: rolesRequired({ kind: bankLineMachine.name, state: line.state }, staff.roles, false),
  }))
}

function settlementOf(
  { amountMinor: net, settlementFeeMinor: fee }: BankLine,
  proposedBy: BankLineAnswer['typedBy'],
): BankLineAnswer['settlement'] {
  return fee === null || proposedBy === null ? null : { gross: grossSettlement({ net, fee }), fee, proposedBy }
}

/** Returns one bank transaction in the form of the contract. */
export async function bankLineResponse(
  context: RequestContext,
  connection: Connection,
  line: BankLine,
): Promise<BankLineAnswer> {
  const [shown] = await bankLineResponses(context, connection, [line])
  if (!shown) throw new Error('the bank transaction was not found')
  return shown
}

/**
 * Returns why actions on a bank transaction are unavailable: approval and the decision of a proposed settlement need a
 * second person, and only incoming payments can be matched or returned.
 */
export function refusalsOf(line: BankLine, staffId: StaffId): Record<string, Problem | null> {
  const own = (line.typedBy ?? line.importedBy) === staffId ? new Problem('own-act') : null
  const outgoing = line.amountMinor < 0n ? new Problem('line-outgoing') : null
  const ownProposal = line.settlementAskedBy === staffId ? new Problem('own-act') : null
  return {
    confirm: own,
    reject: own,
    match: outgoing,
    sendBack: outgoing,
    comeBack: outgoing,
    confirmSettlement: ownProposal,
    rejectSettlement: ownProposal,
  }
}

/** Returns why a person cannot take a bank transaction as a returned payout, or null. */
export function payoutReturnProblem(
  { amountMinor, currency }: Pick<BankLine, 'amountMinor' | 'currency'>,
  { state, sentMinor, currency: sentIn, returnedBy, wasPaid, hasLine }: ReturnedPayout,
  staffId: StaffId,
) {
  const [sent, came] = [money(sentMinor, sentIn), money(amountMinor, currency)]
  return checkReturn({ state, sent, came, returnedBy, staffId, wasPaid, hasLine })
}

interface MatchSuggestion {
  readonly line: BankLine
  readonly deposit: Deposit
  readonly reasons: MatchReason[]
  /** The received amount minus the expected one. */
  readonly difference: bigint
}

const reasonWeights: Readonly<Record<MatchReason, number>> = { reference: 8, amount: 3, name: 2, 'account-before': 2 }
const suggestionsMax = 10

/** Returns the likeliest pairs with any evidence, best first. A person decides. */
export async function suggestMatches(
  connection: Connection,
  lines: readonly BankLine[],
  deposits: readonly Deposit[],
): Promise<MatchSuggestion[]> {
  const reasonsOf = await matchReasonsFor(connection, lines, deposits)
  const fits = lines.flatMap((line) =>
    deposits.flatMap((deposit) => {
      const reasons = reasonsOf(line, deposit)
      return reasons.length > 0 ? [{ line, deposit, reasons, difference: line.amountMinor - deposit.amountMinor }] : []
    }),
  )
  return fits.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, suggestionsMax)
}

const linesATurn = 100

/** Returns how many of the transactions have evidence; yields to other requests during a long statement. */
export async function countMatchable(
  connection: Connection,
  lines: readonly BankLine[],
  deposits: readonly Deposit[],
): Promise<number> {
  const reasonsOf = await matchReasonsFor(connection, lines, deposits)
  let count = 0
  for (const [place, line] of lines.entries()) {
    if (place % linesATurn === linesATurn - 1) await nextTurn()
    if (deposits.some((deposit) => reasonsOf(line, deposit).length > 0)) count += 1
  }
  return count
}

/** Returns a function that returns the evidence for a pair; an outgoing payment has none. */
async function matchReasonsFor(connection: Connection, lines: readonly BankLine[], deposits: readonly Deposit[]) {
  const known = await clientsPaidFrom(connection, [...new Set(lines.map(({ payerAccount }) => payerAccount))])
  const sides = new Map(deposits.map((deposit) => [deposit, depositToMatch({ ...deposit, amount: amountOf(deposit) })]))
  const compared = new Map(lines.map((line) => [line, lineToMatch({ ...line, amount: amountOf(line) })]))
  return (line: BankLine, deposit: Deposit): MatchReason[] => {
    const [one, other] = [compared.get(line), sides.get(deposit)]
    if (!one || !other || line.amountMinor <= 0n) return []
    return matchReasons(one, other, known.get(line.payerAccount)?.has(deposit.clientId) === true)
  }
}

function amountOf({ amountMinor, currency }: Pick<BankLine, 'amountMinor' | 'currency'>): Money {
  return money(amountMinor, currency)
}

function weightOf({ reasons }: MatchSuggestion): number {
  return reasons.reduce((sum, reason) => sum + reasonWeights[reason], 0)
}
