/** A client requests a withdrawal; the amount is reserved immediately (requirements 9, 18.5). */
import { randomBytes } from 'node:crypto'
import type { requestWithdrawal as endpoint } from '#contract/withdrawals.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '#rules/choices.ts'
import { decimalOf, isLessThan, money, zero, type Currency, type Money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import { checkWithdrawal, withdrawalMachine } from '#rules/withdrawals.ts'
import type { AccountId, WithdrawalId } from '#rules/ids.ts'
import { delayedUntil } from '../../checks/client-facts.ts'
import { row, type Transaction, requireRow } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { limitMoneyRequests } from '../../http/rate-limits.ts'
import { freshSnapshot } from '../../ledger/account-snapshot.ts'
import {
  cachedFundsSummary,
  fundsSummaryOf,
  fundsValues,
  reserve,
  type FundsSummary,
} from '../../ledger/reservations.ts'
import type { Dependencies } from '../../dependencies.ts'
import { feeOfRequest, offeredMethods } from '../../settings/payment-methods.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { amountText, lastFour } from '../../i18n/format.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import {
  assertConnected,
  openAccount,
  ownAccountByNumber,
  platformLogin,
  type OpenAccount,
} from '../accounts/queries.ts'
import { lockRequester } from '../clients/queries.ts'
import { bankOfClient, type OwnBank } from '../bank-details/queries.ts'

type EndpointContext = RequestContext<typeof endpoint>

/** Returns the withdrawal's id and reference, and the remaining available amount. Nothing is debited yet. */
export const requestWithdrawal: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { accountPlatform, accountNumber, withdrawalAmount, withdrawalCurrency, bankId } = context.body
  const { pool } = dependencies
  await limitMoneyRequests(dependencies, context)
  const amount = money(withdrawalAmount, withdrawalCurrency)
  const account = openAccount(await ownAccountByNumber(pool, clientId, accountPlatform, accountNumber), 'accountNumber')
  assertConnected(dependencies, account, 'accountNumber')
  if (account.currency !== amount.currency) throw new Problem('currency-not-account', { field: 'withdrawalCurrency' })
  const bank = requireFound(await bankOfClient(pool, clientId, bankId), { field: 'bankId' })
  const terms = await termsFor(dependencies, context, amount)
  await freshSnapshot(pool, dependencies, platformLogin(account), context.now)
  return withIdempotency(pool, context, (tx) => insertWithdrawal(tx, context, { account, bank, amount, ...terms }))
}

/**
 * Returns minimum, fee, prefix and due time from the settings; the request stores the fee. Throws unless the method is
 * offered in the client's country over its own gateway.
 */
async function termsFor(dependencies: Dependencies, context: EndpointContext, amount: Money) {
  const { get } = dependencies.settings
  const { country } = requireClient(context)
  const { withdrawalType, paymentGatewayService, withdrawalPaymentName } = context.body
  const method = offeredMethods((await get('methods')).withdrawal, country, dependencies.config).find(
    ({ type, paymentGateway, method: names }) =>
      type === withdrawalType &&
      paymentGateway === paymentGatewayService &&
      Object.values(names).includes(withdrawalPaymentName),
  )
  if (!method) throw new Problem('method-not-offered', { field: 'withdrawalPaymentName' })
  const minimum = money((await get('limits')).withdrawalMin[amount.currency], amount.currency)
  return {
    minimum,
    // For an amount below the minimum, the error is about the minimum, not about the fee.
    fee: isLessThan(amount, minimum)
      ? zero(amount.currency)
      : feeOfRequest(method, amount, { field: 'withdrawalAmount', language: context.language }),
    /** The method's name, independent of the client's language. */
    method: method.method.en,
    prefix: (await get('firm')).referencePrefix,
    dueAt: await workItemDueAt(dependencies, 'withdrawal', context.now),
    checks: await get('checks'),
  }
}

type Facts = Awaited<ReturnType<typeof termsFor>> & { account: OpenAccount; bank: OwnBank; amount: Money }

/** Inserts the request under a lock on the account, so that two requests cannot reserve the same money. */
async function insertWithdrawal(tx: Transaction, context: EndpointContext, facts: Facts) {
  const { account, bank, amount, fee, method, prefix, dueAt } = facts
  const { clientId } = requireClient(context)
  const { currency } = amount
  await lockRequester(tx, clientId)
  const funds = await lockAndCheckFunds(tx, facts, { field: 'withdrawalAmount', language: context.language })
  const reference = referenceFrom(prefix, randomBytes(5))
  const { id } = await requireRow<{ id: WithdrawalId }>(tx)`
    insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency,
        reference, figures, requested_at)
      values (${clientId}, ${account.id}, ${bank.id}, ${JSON.stringify(bank.chosen)}::text::jsonb,
        ${context.body.withdrawalType}, ${method}, ${amount.minor}, ${fee.minor}, ${currency}, ${reference},
        ${JSON.stringify(cachedFundsSummary(funds))}::text::jsonb, ${context.now})
      returning id`
  await reserve(tx, { accountId: account.id, subject: 'withdrawal', record: id, amount, now: context.now })
  const summary = { amount: decimalOf(amount.minor), currency, account: account.login, reference }
  const more = { details: summary, workItem: { dueAt, summary } }
  await recordCreation(tx, withdrawalMachine, context.auditContext, { id, clientId }, 'request', more)
  const continuesAt = await delayedUntil(tx, clientId, facts.checks, context.now)
  await notifyRequested(tx, context, facts, { id, reference, continuesAt })
  return {
    id,
    reference,
    status: 'pending' as const,
    amount: amount.minor,
    fee: fee.minor,
    arrives: amount.minor - fee.minor,
    currency,
    available: funds.available.minor - amount.minor,
    continuesAt,
  }
}

interface Covering {
  readonly account: { readonly id: AccountId }
  readonly bank: { readonly state: string; readonly currency: Currency }
  readonly amount: Money
  readonly minimum: Money
}

/** Locks the account; throws if the amount, at its field, or the bank account is not permitted. */
export async function lockAndCheckFunds(
  tx: Transaction,
  { account, bank, amount, minimum }: Covering,
  { field, language }: { readonly field: string; readonly language: Language },
): Promise<FundsSummary> {
  const locked = await row<{ state: string }>(tx)`
    select state from trading_accounts where id = ${account.id} for update`
  const funds = await fundsSummaryOf(tx, account.id, amount.currency)
  const refusal = checkWithdrawal({
    amount,
    minimum,
    balance: funds.figures.balance,
    available: funds.available,
    accountState: locked?.state ?? 'rejected',
    bankState: bank.state,
    bankCurrency: bank.currency,
  })
  if (refusal)
    throw new Problem(refusal, {
      field: refusal.startsWith('bank') ? 'bankId' : field,
      values: { minimum: amountText(minimum, language), ...fundsValues(funds, language) },
    })
  return funds
}

/** Notifies the client of a request by email too, in case another person made it. */
async function notifyRequested(
  tx: Transaction,
  context: EndpointContext,
  { amount, bank }: Facts,
  { id, reference, continuesAt }: { id: WithdrawalId; reference: string; continuesAt: Date | null },
): Promise<void> {
  const { clientId, email, language } = requireClient(context)
  await notifyClient(tx, context.now, {
    kind: 'withdrawal-requested',
    client: { id: clientId, email, language },
    facts: {
      minor: String(amount.minor),
      currency: amount.currency,
      reference,
      account: lastFour(bank.chosen.iban ?? bank.chosen.accountNumber),
      ...(continuesAt === null ? {} : { continuesAt: continuesAt.toISOString() }),
    },
    link: portalPaths.history('withdrawals', id),
    subject: 'withdrawal',
    record: id,
  })
}
