/** The facts for a withdrawal's checks at each stage before its payout (requirements 19.7 to 19.15). */
import {
  isCheckOfStage,
  lastBalanceChecks,
  withdrawalChecks,
  type Origins,
  type WithdrawalFacts,
  type WithdrawalStage,
} from '#rules/checks/withdrawal-checks.ts'
import { maskDistinctly } from '#rules/bank-details.ts'
import { judgeAll } from '#rules/checks/check.ts'
import { money } from '#rules/money.ts'
import { isBefore } from '#rules/state-machine.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { accountFacts, refreshBalances } from '../../checks/account-facts.ts'
import { numberOf, numberOfPayout } from '../../checks/bank-numbers.ts'
import type { CheckedRequest, CheckTerms } from '../../checks/checked-request.ts'
import { clientFacts, identityFacts, latestSignInChange, openChargebacks, factAsOf } from '../../checks/client-facts.ts'
import { detailsSharedWithOthers } from '../../checks/shared-details.ts'
import { row, rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { withdrawalById, type Withdrawal } from './queries.ts'

const kind = withdrawalMachine.name

/** The steps that the checks of a stage can stop. */
const stoppableSteps = {
  approve: ['approve', 'approveLastBalance'],
  confirm: ['confirm'],
  debit: ['debited'],
  batch: ['pay'],
  release: ['pay'],
} as const satisfies Record<WithdrawalStage, readonly (keyof typeof withdrawalMachine.transitions)[]>

/** Returns a withdrawal's checks for a stage. */
export function withdrawalChecked(stage: WithdrawalStage): CheckedRequest<Withdrawal> {
  const isToCome = isBefore(withdrawalMachine, ...stoppableSteps[stage])
  return {
    kind,
    // The release of its batch is the last step that these checks can stop.
    isOpen: (withdrawal) => isToCome(withdrawal) && !withdrawal.isReleased,
    find: withdrawalById,
    clientOf: ({ clientId, clientEmail }) => ({ id: clientId, email: clientEmail }),
    involved: ({ enteredBy, approvedBy, confirmedBy }) => [enteredBy, approvedBy, confirmedBy],
    refresh: refreshBalances,
    lock: lockWithdrawal,
    async judge(connection, withdrawal, terms) {
      const facts = await withdrawalFacts(connection, withdrawal, terms)
      // Bank details entered by finance are approved with the payout; chosen ones are approved already.
      const approvesBank =
        stage === 'approve' && withdrawal.enteredBy !== null && (await isPending(connection, withdrawal))
      if (!approvesBank) return judgeAll(withdrawalChecks, facts, isCheckOfStage(stage))
      const elsewhere = await detailsSharedWithOthers(connection, withdrawal.clientId, terms.now)
      return judgeAll(lastBalanceChecks, { ...facts, elsewhere }, isCheckOfStage(stage))
    },
  }
}

/** Returns the stage of a state. */
export function stageOf(state: Withdrawal['state']): WithdrawalStage {
  if (state === 'pending') return 'approve'
  if (state === 'second_approval') return 'confirm'
  return state === 'processing' ? 'debit' : 'batch'
}

async function lockWithdrawal(tx: Transaction, { id, clientId, accountId }: Withdrawal): Promise<void> {
  await run(tx)`select 1 from clients where id = ${clientId} for share`
  await run(tx)`select 1 from trading_accounts where id = ${accountId} for update`
  await run(tx)`select 1 from withdrawals where id = ${id} for update`
}

async function withdrawalFacts(
  connection: Connection,
  withdrawal: Withdrawal,
  terms: CheckTerms,
): Promise<WithdrawalFacts> {
  const { id, clientId, accountId, amountMinor, currency, clientName } = withdrawal
  const { checks, now } = terms
  const amount = money(amountMinor, currency)
  const since = new Date(now.getTime() - checks.signInChangeHours * 3_600_000)
  const bank = await row<{ holder: string | null; approvedAt: Date | null }>(connection)`
    select holder_name as holder, case when state = 'approved' then decided_at end as "approvedAt"
      from bank_details where id = ${withdrawal.bankId}`
  return {
    ...(await clientFacts(connection, clientId, now)),
    ...(await identityFacts(connection, clientId, terms)),
    ...(await accountFacts(connection, { accountId, amount, subject: kind, record: id }, terms)),
    clientName,
    isLastBalance: withdrawal.enteredBy !== null,
    holder: factAsOf(bank?.holder ?? null, now),
    bank: factAsOf({ approvedAt: bank?.approvedAt ?? null, payouts: await payoutsTo(connection, withdrawal) }, now),
    signInChange: factAsOf(await latestSignInChange(connection, clientId, since), now),
    signInChangeHours: checks.signInChangeHours,
    signInChangeCounts: checks.signInChange,
    origins: factAsOf(await originsOf(connection, withdrawal), now),
    chargebacks: await openChargebacks(connection, clientId, now),
  }
}

async function isPending(connection: Connection, { bankId }: Withdrawal): Promise<boolean> {
  const bank = await row<{ state: string }>(connection)`select state from bank_details where id = ${bankId}`
  return bank?.state === 'pending'
}

/** Condition for another withdrawal to the same number, however often the client had it approved. */
const sameNumber = sql`${numberOfPayout(sql`o`)} is not distinct from ${numberOfPayout(sql`w`)}`

async function payoutsTo(connection: Connection, { id }: Withdrawal): Promise<number> {
  const found = await row<{ count: number }>(connection)`select count(*)::int as count from withdrawals w
        join withdrawals o on o.client_id = w.client_id and o.id <> w.id and o.state = 'paid' and ${sameNumber}
      where w.id = ${id}`
  return found?.count ?? 0
}

interface ArrivedRow {
  origin: string
  came: bigint
}

/** Returns the client's deposits in this currency by origin, less the amounts returned there or in transit. */
async function originsOf(connection: Connection, { id, clientId, currency, bank }: Withdrawal): Promise<Origins> {
  const number = numberOf(bank)
  const came = await rows<ArrivedRow>(connection)`
    select coalesce(nullif(british_number(l.payer_account), ''), d.method) as origin,
        sum(coalesce(d.received_minor, d.amount_minor) - d.refunded_minor)::bigint as came
      from deposits d left join bank_lines l on l.id = d.bank_line
      where d.client_id = ${clientId} and d.currency = ${currency} and d.state = 'approved' group by 1 order by 1`
  const sent = await rows<{ number: string | null; sent: bigint }>(connection)`
    select ${numberOfPayout(sql`o`)} as number, sum(o.amount_minor)::bigint as sent
      from withdrawals o where o.client_id = ${clientId} and o.currency = ${currency} and o.id <> ${id}
        and o.state in ('processing', 'approved', 'paid') group by 1`
  const sentTo = (origin: string) => sent.find((one) => one.number === origin)?.sent ?? 0n
  const left = came.map(({ origin, came: sum }) => ({ origin, left: sum - sentTo(origin) }))
  const here = left.filter(({ origin }) => origin === number)
  const elsewhere = left.filter((one) => !here.includes(one))
  // The account of the payout is on the page as well.
  const shown = maskDistinctly([number, ...elsewhere.map(({ origin }) => origin).filter(isNumber)])
  return {
    here: money(
      here.reduce((sum, one) => sum + one.left, 0n),
      currency,
    ),
    elsewhere: elsewhere.map(({ origin, left: sum }) => ({
      origin: isNumber(origin) ? { text: shown.get(origin) ?? '' } : { method: origin },
      left: money(sum, currency),
    })),
  }
}

/** Returns whether an origin is a bank account and not a method. */
function isNumber(origin: string): boolean {
  return /\d{4}/.test(origin)
}
