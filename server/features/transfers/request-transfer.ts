/** A client requests a transfer between own accounts; its amount is reserved immediately (requirements 10.3). */
import { randomBytes } from 'node:crypto'
import type { quoteTransfer as quoteEndpoint, requestTransfer as endpoint } from '#contract/transfers.ts'
import { decimalOf, money, type Currency, type Money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import {
  areRatesCurrent,
  arrivingAmount,
  checkTransfer,
  quotedUntil,
  rateBetween,
  transferMachine,
  type RateAge,
  type TransferRates,
} from '#rules/transfers.ts'
import type { TransferId } from '#rules/ids.ts'
import { run, type Transaction, requireRow } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import { limitMoneyRequests } from '../../http/rate-limits.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { freshSnapshot } from '../../ledger/account-snapshot.ts'
import { cachedFundsSummary, fundsSummaryOf, fundsValues, reserve } from '../../ledger/reservations.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { amountText } from '../../i18n/format.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import {
  assertConnected,
  openAccount,
  ownAccountByNumber,
  ownAccountsByNumber,
  platformLogin,
  type OpenAccount,
} from '../accounts/queries.ts'
import { lockRequester } from '../clients/queries.ts'

type EndpointContext = RequestContext<typeof endpoint>

export const quoteTransfer: Handler<typeof quoteEndpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { body } = context
  const { transferAmount } = body
  const pick = async (login: string, platform: Platform | undefined, field: string) => {
    const all = await ownAccountsByNumber(dependencies.pool, clientId, login)
    const found = all.filter((one) => platform === undefined || one.platform === platform)
    return openAccount(found.find((one) => one.state === 'approved') ?? found[0] ?? null, field)
  }
  const source = await pick(body.sourceAccount, body.sourceAccountPlatform, 'sourceAccount')
  const destination = await pick(body.destinationAccount, body.destinationAccountPlatform, 'destinationAccount')
  assertConnected(dependencies, source, 'sourceAccount')
  assertConnected(dependencies, destination, 'destinationAccount')
  if (source.id === destination.id) throw new Problem('same-account', { field: 'destinationAccount' })
  const { pairs, ...age } = await dependencies.settings.get('rates')
  assertRatesCurrent(age, [source.currency, destination.currency], context.now)
  const arrives = arrivingAmount(money(transferAmount, source.currency), destination.currency, pairs)
  if (!arrives) throw new Problem('no-rate', { field: 'destinationAccount' })
  const rate = rateBetween(source.currency, destination.currency, pairs) ?? '1'
  return { rate, arrives: arrives.minor, currency: destination.currency, until: quotedUntil(context.now) }
}

export const requestTransfer: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { body } = context
  await limitMoneyRequests(dependencies, context)
  const source = openAccount(
    await ownAccountByNumber(dependencies.pool, clientId, body.sourceAccountPlatform, body.sourceAccount),
    'sourceAccount',
  )
  const destination = openAccount(
    await ownAccountByNumber(dependencies.pool, clientId, body.destinationAccountPlatform, body.destinationAccount),
    'destinationAccount',
  )
  assertConnected(dependencies, source, 'sourceAccount')
  assertConnected(dependencies, destination, 'destinationAccount')
  if (body.transferCurrency !== source.currency)
    throw new Problem('currency-not-account', { field: 'transferCurrency' })
  const amount = money(body.transferAmount, source.currency)
  const terms = await termsFor(dependencies, context, amount, destination)
  await freshSnapshot(dependencies.pool, dependencies, platformLogin(source), context.now)
  return withIdempotency(dependencies.pool, context, (tx) =>
    insertTransfer(tx, context, { clientId, source, destination, amount, ...terms }),
  )
}

interface Facts {
  readonly clientId: SignedInClientId
  readonly source: OpenAccount
  readonly destination: OpenAccount
  readonly amount: Money
  readonly minimum: Money
  readonly rate: string | null
  readonly arrives: Money | null
  readonly rateAsOf: string | null
  readonly prefix: string
  readonly dueAt: Date
}

/**
 * Returns rate, minimum and due time from the settings; throws if the rate differs from the one shown (requirements
 * 28.14).
 */
async function termsFor(dependencies: Dependencies, context: EndpointContext, amount: Money, destination: OpenAccount) {
  const { pairs, ...age } = await dependencies.settings.get('rates')
  assertRatesCurrent(age, [amount.currency, destination.currency], context.now)
  const { transferMin } = await dependencies.settings.get('limits')
  const { referencePrefix } = await dependencies.settings.get('firm')
  const rate = rateBetween(amount.currency, destination.currency, pairs as TransferRates)
  const arrives = arrivingAmount(amount, destination.currency, pairs as TransferRates)
  const { rate: shown } = context.body
  if (shown !== undefined && rate !== null && arrives && withoutTrailingZeros(shown) !== withoutTrailingZeros(rate)) {
    throw new Problem('rate-changed', {
      field: 'transferAmount',
      values: { arrives: amountText(arrives, context.language), rate },
    })
  }
  return {
    minimum: money(transferMin[amount.currency], amount.currency),
    rate,
    arrives,
    rateAsOf: age.asOf,
    prefix: referencePrefix,
    dueAt: await workItemDueAt(dependencies, 'transfer', context.now),
  }
}

/** Throws if a transfer between these currencies needs rates and they are out of date. */
function assertRatesCurrent(age: RateAge, [from, to]: readonly [Currency, Currency], now: Date): void {
  if (from !== to && !areRatesCurrent(age, now)) throw new Problem('rates-out-of-date', { field: 'destinationAccount' })
}

/** Removes trailing zeros of a rate: "1.0850" and "1.085" are equal. */
function withoutTrailingZeros(rate: string): string {
  return rate.includes('.') ? rate.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : rate
}

/** Inserts the request under locks on both accounts, taken in a fixed order so that two requests cannot deadlock. */
async function insertTransfer(tx: Transaction, context: EndpointContext, facts: Facts) {
  const { clientId, source, destination, amount, dueAt } = facts
  await lockRequester(tx, clientId)
  const { funds, rate, arrives } = await lockAndCheckFunds(tx, context, facts)
  const reference = referenceFrom(facts.prefix, randomBytes(5))
  /** The balances and the rate's time with which the request was checked. */
  const used = { ...cachedFundsSummary(funds), rateAsOf: facts.rateAsOf }
  const { id } = await requireRow<{ id: TransferId }>(tx)`
    insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate, arrives_minor,
        arrives_currency, reference, figures, requested_at)
      values (${clientId}, ${source.id}, ${destination.id}, ${amount.minor}, ${amount.currency}, ${rate}, ${arrives.minor},
        ${arrives.currency}, ${reference}, ${JSON.stringify(used)}::text::jsonb, ${context.now})
      returning id`
  await reserve(tx, { accountId: source.id, subject: 'transfer', record: id, amount, now: context.now })
  const summary = {
    amount: decimalOf(amount.minor),
    currency: amount.currency,
    source: source.login,
    destination: destination.login,
    reference,
  }
  const more = { details: summary, workItem: { dueAt, summary } }
  await recordCreation(tx, transferMachine, context.auditContext, { id, clientId }, 'request', more)
  return {
    id,
    reference,
    status: transferMachine.first,
    amount: amount.minor,
    currency: amount.currency,
    rate,
    arrives: arrives.minor,
    arrivesCurrency: arrives.currency,
  }
}

/** Refusals that another destination can avoid. */
const destinationProblems: ReadonlySet<string> = new Set(['same-account', 'account-not-approved', 'no-rate'])

/** Locks both accounts; throws if the amount is not permitted or the rate is unknown. */
async function lockAndCheckFunds(tx: Transaction, context: EndpointContext, facts: Facts) {
  const { source, destination, amount, minimum, arrives, rate } = facts
  await run(tx)`
    select 1 from trading_accounts where id = any (${[source.id, destination.id]}::uuid[]) order by id for update`
  const funds = await fundsSummaryOf(tx, source.id, amount.currency)
  const { figures, available } = funds
  const refusal = checkTransfer({ source, destination, amount, minimum, balance: figures.balance, available, arrives })
  if (refusal)
    throw new Problem(refusal, {
      field: destinationProblems.has(refusal) ? 'destinationAccount' : 'transferAmount',
      values: { minimum: amountText(minimum, context.language), ...fundsValues(funds, context.language) },
    })
  if (!arrives || rate === null) throw new Problem('no-rate', { field: 'destinationAccount' })
  return { funds, rate, arrives }
}
