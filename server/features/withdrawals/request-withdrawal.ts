/** A client asks for a withdrawal: the amount is set aside at once (specification sections 2, 5, 7; mechanics 1, 3). */
import { randomBytes } from 'node:crypto'
import type { requestWithdrawal as endpoint } from '#contract/withdrawals.ts'
import { transactionsHistoryPath } from '#contract/portal-paths.ts'
import { atLeastZero, decimalOf, feeOn, less, minorOf, money, type Money } from '#rules/money.ts'
import { changeCountsUntil } from '#rules/checks/withdrawal-checks.ts'
import { referenceFrom } from '#rules/references.ts'
import { checkWithdrawal, withdrawalLife } from '#rules/withdrawals.ts'
import { latestSignInChange } from '../../checks/client-facts.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { once } from '../../http/idempotency.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { limitRequests } from '../../http/rate-limits.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { ClientCaller } from '../../http/sessions.ts'
import { keptStanding, standingOf, type Standing } from '../../ledger/available.ts'
import { freshFigures } from '../../ledger/account-snapshot.ts'
import { reserve } from '../../ledger/reservations.ts'
import type { Parts } from '../../dependencies.ts'
import { offeredMethods } from '../../settings/payment-methods.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { amountText, lastFour } from '../../i18n/format.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { holdRequester, requesterById } from '../accounts/queries.ts'
import { ownAccount, ownBank, type OwnBank, type SourceAccount } from './queries.ts'

type Asked = Call<typeof endpoint>

/** Answers the withdrawal's id and reference, and what is available after it. Nothing is debited yet. */
export function requestWithdrawal(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const client = clientOf(call)
    const { moneyRequestsPerMinute } = await parts.settings.get('rateLimits')
    const bucket = { name: 'money', who: client.clientId, windowSeconds: 60 }
    await limitRequests(parts.pool, bucket, moneyRequestsPerMinute, call)
    const asked = money(call.body.withdrawalAmount, call.body.withdrawalCurrency)
    const account = await sourceAccount(parts, call, client)
    const bank = await ownBank(parts.pool, client.clientId, call.body.bankId)
    if (!bank) throw new Problem('not-found', { field: 'bankId' })
    const terms = await termsFor(parts, call, asked)
    await freshFigures(
      parts.pool,
      parts,
      { accountId: account.id, platform: account.platform, login: account.login, currency: account.currency },
      call.now,
    )
    return once(parts.pool, call, (tx) => write(tx, call, client, { account, bank, amount: asked, ...terms }))
  }
}

interface Facts {
  readonly account: SourceAccount
  readonly bank: OwnBank
  readonly amount: Money
  readonly minimum: Money
  readonly fee: Money
  /** The method's own name, whatever language the client read it in. */
  readonly method: string
  readonly prefix: string
  readonly dueAt: Date
  /** How long a withdrawal waits after a change of the sign-in details; 0 where the firm only warns. */
  readonly waitHours: number
}

async function sourceAccount(parts: Parts, call: Asked, client: ClientCaller): Promise<SourceAccount> {
  const { accountPlatform, accountNumber } = call.body
  const account = await ownAccount(parts.pool, client.clientId, accountPlatform, accountNumber)
  if (!account) throw new Problem('account-unknown', { field: 'accountNumber' })
  if (account.requestType === 'demo') throw new Problem('demo-account', { field: 'accountNumber' })
  if (account.state !== 'approved') throw new Problem('account-not-approved', { field: 'accountNumber' })
  if (account.currency !== call.body.withdrawalCurrency) {
    throw new Problem('currency-not-account', { field: 'withdrawalCurrency', values: { currency: account.currency } })
  }
  return account
}

/**
 * Minimum, fee, prefix and due time as settings have them now; the fee is kept with the request. The method must be one
 * that is offered in the client's country, over its own gateway.
 */
async function termsFor(parts: Parts, call: Asked, amount: Money) {
  const { withdrawal: methods } = await parts.settings.get('methods')
  const { country } = await requesterById(parts.pool, clientOf(call).clientId)
  const { withdrawalType, paymentGatewayService, withdrawalPaymentName } = call.body
  const method = offeredMethods(methods, country, parts.config).find(
    ({ type, paymentGateway, method: names }) =>
      type === withdrawalType &&
      paymentGateway === paymentGatewayService &&
      Object.values(names).includes(withdrawalPaymentName),
  )
  if (!method) throw new Problem('method-not-offered', { field: 'withdrawalPaymentName' })
  const { withdrawalMin } = await parts.settings.get('limits')
  const { referencePrefix } = await parts.settings.get('firm')
  const minimum = money(withdrawalMin[amount.currency], amount.currency)
  const fee = feeOn(amount, { percent: method.fee.percent, flatMinor: minorOf(method.fee.flat) ?? 0n })
  // An amount under the minimum is told that, not its fee.
  if (!less(amount, minimum) && !less(fee, amount))
    throw new Problem('fee-over-amount', { field: 'withdrawalAmount', values: { fee: amountText(fee, call.language) } })
  const { signInChange, signInChangeHours } = await parts.settings.get('checks')
  return {
    waitHours: signInChange === 'block' ? signInChangeHours : 0,
    minimum,
    fee,
    method: method.method.en,
    prefix: referencePrefix,
    dueAt: await workDueAt(parts, 'withdrawal', call.now),
  }
}

/** The request itself, under a lock on the account: two of them never set the same money aside. */
async function write(tx: Transaction, call: Asked, client: ClientCaller, facts: Facts) {
  const { account, bank, amount, fee } = facts
  await holdRequester(tx, client.clientId)
  const standing = await covered(tx, call, facts)
  const reference = referenceFrom(facts.prefix, randomBytes(5))
  const id = await insert(tx, call, client, facts, reference, standing)
  await reserve(tx, { accountId: account.id, subject: 'withdrawal', record: id, amount, now: call.now })
  await putInLine(tx, call, client, facts, { id, reference })
  const continuesAt = await waitsUntil(tx, client.clientId, facts.waitHours, call.now)
  await tell(tx, call, client, { id, reference, amount, bank, continuesAt })
  return {
    id,
    reference,
    status: 'pending' as const,
    amount: amount.minor,
    fee: fee.minor,
    arrives: amount.minor - fee.minor,
    currency: amount.currency,
    available: standing.available.minor - amount.minor,
    continuesAt,
  }
}

/**
 * From when a withdrawal can go on after the client's sign-in details were changed; null where it can now. The request is
 * taken all the same: approval, debit and release wait (product-decisions section 12).
 */
async function waitsUntil(tx: Transaction, clientId: string, hours: number, now: Date): Promise<Date | null> {
  const change = await latestSignInChange(tx, clientId, new Date(now.getTime() - hours * 3_600_000))
  return change && hours > 0 ? changeCountsUntil(change.at, hours) : null
}

/** Locks the account, and throws the refusal where the amount or the bank account will not do. */
async function covered(tx: Transaction, call: Asked, { account, bank, amount, minimum }: Facts): Promise<Standing> {
  const locked = await row<{ state: string }>(
    tx,
    sql`select state from trading_accounts where id = ${account.id} for update`,
  )
  const standing = await standingOf(tx, account.id, amount.currency)
  const { figures, reserved, available } = standing
  const refusal = checkWithdrawal({
    amount,
    minimum,
    balance: figures.balance,
    available,
    accountState: locked?.state ?? 'rejected',
    bankState: bank.state,
    bankCurrency: bank.currency,
  })
  refuse(refusal, {
    field: refusal?.startsWith('bank') ? 'bankId' : 'withdrawalAmount',
    values: {
      minimum: amountText(minimum, call.language),
      available: amountText(atLeastZero(available), call.language),
      reserved: amountText(reserved, call.language),
      currency: amount.currency,
    },
  })
  return standing
}

/** Answers the new row's id. */
async function insert(
  tx: Transaction,
  call: Asked,
  client: ClientCaller,
  { account, bank, amount, fee, method }: Facts,
  reference: string,
  standing: Standing,
): Promise<string> {
  const written = await row<{ id: string }>(
    tx,
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency,
          reference, figures, requested_at)
        values (${client.clientId}, ${account.id}, ${bank.id}, ${JSON.stringify(bank.chosen)}::text::jsonb,
          ${call.body.withdrawalType}, ${method}, ${amount.minor}, ${fee.minor},
          ${amount.currency}, ${reference}, ${JSON.stringify(keptStanding(standing))}::text::jsonb, ${call.now})
        returning id`,
  )
  if (!written) throw new Error('a withdrawal was not written')
  return written.id
}

/** The request's event, and its item in the inbox. */
async function putInLine(
  tx: Transaction,
  call: Asked,
  { clientId }: ClientCaller,
  { account, amount, dueAt }: Facts,
  { id, reference }: { id: string; reference: string },
): Promise<void> {
  const { name, first } = withdrawalLife
  const summary = { amount: decimalOf(amount.minor), currency: amount.currency, account: account.login, reference }
  await record(tx, call.act, { kind: name, verb: 'request', record: id, clientId, to: first, details: summary })
  await openWork(tx, name, id, { state: first, dueAt, clientId, summary }, call.now)
}

/** A withdrawal that was asked for is told by mail too: the client would want to know if it was somebody else. */
async function tell(
  tx: Transaction,
  call: Asked,
  client: ClientCaller,
  asked: { id: string; reference: string; amount: Money; bank: OwnBank; continuesAt: Date | null },
): Promise<void> {
  await tellClient(
    tx,
    {
      kind: 'withdrawal-requested',
      client: { id: client.clientId, email: client.email, language: client.language },
      facts: {
        minor: String(asked.amount.minor),
        currency: asked.amount.currency,
        reference: asked.reference,
        account: lastFour(asked.bank.chosen.iban ?? asked.bank.chosen.accountNumber),
        ...(asked.continuesAt === null ? {} : { continuesAt: asked.continuesAt.toISOString() }),
      },
      link: transactionsHistoryPath({ list: 'withdrawals', record: asked.id }),
      subject: 'withdrawal',
      record: asked.id,
    },
    call.now,
  )
}
