/** A client asks for a withdrawal: the amount is set aside at once (requirements 9, 18.5). */
import { randomBytes } from 'node:crypto'
import type { requestWithdrawal as endpoint } from '#contract/withdrawals.ts'
import { transactionsHistoryPath } from '#contract/portal-paths.ts'
import { atLeastZero, decimalOf, feeOn, isLessThan, minorOf, money, type Money } from '#rules/money.ts'
import { changeCountsUntil } from '#rules/checks/withdrawal-checks.ts'
import { referenceFrom } from '#rules/references.ts'
import { checkWithdrawal, withdrawalMachine } from '#rules/withdrawals.ts'
import { latestSignInChange } from '../../checks/client-facts.ts'
import { recordEvent } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { requireClient, type RequestContext } from '../../http/request-context.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { limitRequests } from '../../http/rate-limits.ts'
import type { Handler } from '../../http/register-endpoint.ts'
import type { ClientCaller } from '../../http/sessions.ts'
import { cachedFundsSummary, fundsSummaryOf, type FundsSummary } from '../../ledger/available.ts'
import { freshSnapshot } from '../../ledger/account-snapshot.ts'
import { reserve } from '../../ledger/reservations.ts'
import type { Dependencies } from '../../dependencies.ts'
import { offeredMethods } from '../../settings/payment-methods.ts'
import { notifyClient } from '../../notifications/notify-client.ts'
import { amountText, lastFour } from '../../i18n/format.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { lockRequester, requesterById } from '../accounts/queries.ts'
import { ownAccount, ownBank, type OwnBank, type SourceAccount } from './queries.ts'

type Asked = RequestContext<typeof endpoint>

/** Answers the withdrawal's id and reference, and what is available after it. Nothing is debited yet. */
export function requestWithdrawal(dependencies: Dependencies): Handler<typeof endpoint> {
  return async (context) => {
    const client = requireClient(context)
    const { moneyRequestsPerMinute } = await dependencies.settings.get('rateLimits')
    const bucket = { name: 'money', who: client.clientId, windowSeconds: 60 }
    await limitRequests(dependencies.pool, bucket, moneyRequestsPerMinute, context)
    const asked = money(context.body.withdrawalAmount, context.body.withdrawalCurrency)
    const account = await sourceAccount(dependencies, context, client)
    const bank = await ownBank(dependencies.pool, client.clientId, context.body.bankId)
    if (!bank) throw new Problem('not-found', { field: 'bankId' })
    const terms = await termsFor(dependencies, context, asked)
    await freshSnapshot(
      dependencies.pool,
      dependencies,
      { accountId: account.id, platform: account.platform, login: account.login, currency: account.currency },
      context.now,
    )
    return withIdempotency(dependencies.pool, context, (tx) =>
      write(tx, context, client, { account, bank, amount: asked, ...terms }),
    )
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

async function sourceAccount(dependencies: Dependencies, context: Asked, client: ClientCaller): Promise<SourceAccount> {
  const { accountPlatform, accountNumber } = context.body
  const account = await ownAccount(dependencies.pool, client.clientId, accountPlatform, accountNumber)
  if (!account) throw new Problem('account-unknown', { field: 'accountNumber' })
  if (account.requestType === 'demo') throw new Problem('demo-account', { field: 'accountNumber' })
  if (account.state !== 'approved') throw new Problem('account-not-approved', { field: 'accountNumber' })
  if (account.currency !== context.body.withdrawalCurrency) {
    throw new Problem('currency-not-account', { field: 'withdrawalCurrency', values: { currency: account.currency } })
  }
  return account
}

/**
 * Minimum, fee, prefix and due time as settings have them now; the fee is kept with the request. The method must be one
 * that is offered in the client's country, over its own gateway.
 */
async function termsFor(dependencies: Dependencies, context: Asked, amount: Money) {
  const { withdrawal: methods } = await dependencies.settings.get('methods')
  const { country } = await requesterById(dependencies.pool, requireClient(context).clientId)
  const { withdrawalType, paymentGatewayService, withdrawalPaymentName } = context.body
  const method = offeredMethods(methods, country, dependencies.config).find(
    ({ type, paymentGateway, method: names }) =>
      type === withdrawalType &&
      paymentGateway === paymentGatewayService &&
      Object.values(names).includes(withdrawalPaymentName),
  )
  if (!method) throw new Problem('method-not-offered', { field: 'withdrawalPaymentName' })
  const { withdrawalMin } = await dependencies.settings.get('limits')
  const { referencePrefix } = await dependencies.settings.get('firm')
  const minimum = money(withdrawalMin[amount.currency], amount.currency)
  const fee = feeOn(amount, { percent: method.fee.percent, flatMinor: minorOf(method.fee.flat) ?? 0n })
  // An amount under the minimum is told that, not its fee.
  if (!isLessThan(amount, minimum) && !isLessThan(fee, amount))
    throw new Problem('fee-over-amount', {
      field: 'withdrawalAmount',
      values: { fee: amountText(fee, context.language) },
    })
  const { signInChange, signInChangeHours } = await dependencies.settings.get('checks')
  return {
    waitHours: signInChange === 'block' ? signInChangeHours : 0,
    minimum,
    fee,
    method: method.method.en,
    prefix: referencePrefix,
    dueAt: await workItemDueAt(dependencies, 'withdrawal', context.now),
  }
}

/** The request itself, under a lock on the account: two of them never set the same money aside. */
async function write(tx: Transaction, context: Asked, client: ClientCaller, facts: Facts) {
  const { account, bank, amount, fee } = facts
  await lockRequester(tx, client.clientId)
  const standing = await covered(tx, context, facts)
  const reference = referenceFrom(facts.prefix, randomBytes(5))
  const id = await insert(tx, context, client, facts, reference, standing)
  await reserve(tx, { accountId: account.id, subject: 'withdrawal', record: id, amount, now: context.now })
  await enqueueRequest(tx, context, client, facts, { id, reference })
  const continuesAt = await waitsUntil(tx, client.clientId, facts.waitHours, context.now)
  await notifyRequested(tx, context, client, { id, reference, amount, bank, continuesAt })
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
 * taken all the same: approval, debit and release wait (requirements 9.10).
 */
async function waitsUntil(tx: Transaction, clientId: string, hours: number, now: Date): Promise<Date | null> {
  const change = await latestSignInChange(tx, clientId, new Date(now.getTime() - hours * 3_600_000))
  return change && hours > 0 ? changeCountsUntil(change.at, hours) : null
}

/** Locks the account, and throws the refusal where the amount or the bank account will not do. */
async function covered(
  tx: Transaction,
  context: Asked,
  { account, bank, amount, minimum }: Facts,
): Promise<FundsSummary> {
  const locked = await row<{ state: string }>(
    tx,
    sql`select state from trading_accounts where id = ${account.id} for update`,
  )
  const standing = await fundsSummaryOf(tx, account.id, amount.currency)
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
  throwIfProblem(refusal, {
    field: refusal?.startsWith('bank') ? 'bankId' : 'withdrawalAmount',
    values: {
      minimum: amountText(minimum, context.language),
      available: amountText(atLeastZero(available), context.language),
      reserved: amountText(reserved, context.language),
      currency: amount.currency,
    },
  })
  return standing
}

/** Answers the new row's id. */
async function insert(
  tx: Transaction,
  context: Asked,
  client: ClientCaller,
  { account, bank, amount, fee, method }: Facts,
  reference: string,
  standing: FundsSummary,
): Promise<string> {
  const written = await row<{ id: string }>(
    tx,
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency,
          reference, figures, requested_at)
        values (${client.clientId}, ${account.id}, ${bank.id}, ${JSON.stringify(bank.chosen)}::text::jsonb,
          ${context.body.withdrawalType}, ${method}, ${amount.minor}, ${fee.minor},
          ${amount.currency}, ${reference}, ${JSON.stringify(cachedFundsSummary(standing))}::text::jsonb, ${context.now})
        returning id`,
  )
  if (!written) throw new Error('a withdrawal was not written')
  return written.id
}

/** The request's event, and its item in the inbox. */
async function enqueueRequest(
  tx: Transaction,
  context: Asked,
  { clientId }: ClientCaller,
  { account, amount, dueAt }: Facts,
  { id, reference }: { id: string; reference: string },
): Promise<void> {
  const { name, first } = withdrawalMachine
  const summary = { amount: decimalOf(amount.minor), currency: amount.currency, account: account.login, reference }
  await recordEvent(tx, context.auditContext, {
    kind: name,
    action: 'request',
    record: id,
    clientId,
    to: first,
    details: summary,
  })
  await openWorkItem(tx, name, id, { state: first, dueAt, clientId, summary }, context.now)
}

/** A withdrawal that was asked for is told by mail too: the client would want to know if it was somebody else. */
async function notifyRequested(
  tx: Transaction,
  context: Asked,
  client: ClientCaller,
  asked: { id: string; reference: string; amount: Money; bank: OwnBank; continuesAt: Date | null },
): Promise<void> {
  await notifyClient(
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
    context.now,
  )
}
