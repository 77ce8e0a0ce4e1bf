/**
 * Requests of deposits: the steps that wire and card share, and the wire, which receives its account and reference.
 */
import type { MethodType } from '#rules/payment-methods.ts'
import { checkDeposit, announcedUntil, depositMachine } from '#rules/deposits.ts'
import { money, type Currency, type Money, decimalOf } from '#rules/money.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { limitMoneyRequests } from '../../http/rate-limits.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { feeOfRequest, offeredMethods, type PaymentMethod } from '../../settings/payment-methods.ts'
import { amountText } from '../../i18n/format.ts'
import {
  ownAccountByNumber,
  requesterById,
  type OpenAccount,
  type Requester,
  lockRequester,
} from '../accounts/queries.ts'
import { randomBytes } from 'node:crypto'
import type { requestWirePayment as endpoint } from '#contract/deposits.ts'
import { referenceFrom } from '#rules/references.ts'
import type { DepositId } from '#rules/ids.ts'
import { recordCreation } from '../../db/transition.ts'
import { row, type Transaction, requireRow } from '../../db/sql.ts'
import { withIdempotency } from '../../http/idempotency.ts'

interface DepositFields {
  readonly accountPlatform: Platform
  readonly accountNumber: string
  readonly depositCurrency: Currency
  readonly depositAmountSent: bigint
  readonly paymentGatewayService: string
  readonly type: MethodType
  readonly cardType: number | null
}

export interface AllowedDeposit {
  readonly client: Requester
  readonly account: OpenAccount
  readonly amount: Money
  readonly fee: Money
  readonly method: PaymentMethod
  readonly prefix: string
}

/** Returns the checked request of a client; throws at the invalid field. Writes nothing. */
export async function allowedDeposit(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'now' | 'language' | 'idempotency'>,
  fields: DepositFields,
): Promise<AllowedDeposit> {
  const { clientId } = requireClient(context)
  await limitMoneyRequests(dependencies, context)
  const { accountPlatform, accountNumber, depositCurrency } = fields
  const account = await ownAccountByNumber(dependencies.pool, clientId, accountPlatform, accountNumber)
  if (!account) throw new Problem('account-unknown', { field: 'accountNumber' })
  const client = await requesterById(dependencies.pool, clientId)
  const amount = money(fields.depositAmountSent, depositCurrency)
  const { depositMin } = await dependencies.settings.get('limits')
  const minimum = money(depositMin[depositCurrency], depositCurrency)
  const { deposit: methods } = await dependencies.settings.get('methods')
  const offered = offeredMethods(methods, client.country, dependencies.config)
  const method = offered.find(
    ({ type, paymentGateway }) => type === fields.type && paymentGateway === fields.paymentGatewayService,
  )
  const { deposits: windDown } = await dependencies.settings.get('windDown')
  const { clientAssetsDeclaration } = await dependencies.settings.get('legalTexts')
  const refusal = checkDeposit({
    amount,
    minimum,
    accountState: account.state,
    accountClosed: account.closed,
    accountType: account.requestType,
    accountCurrency: account.currency,
    declarationAccepted: client.declarationVersion === clientAssetsDeclaration.version,
    windDown,
    method: fields.type,
    offered: method ? [method.type] : [],
    cardType: fields.cardType,
  })
  throwIfProblem(refusal, {
    field: fieldOf(refusal),
    values: { minimum: amountText(minimum, context.language), currency: account.currency },
  })
  if (!method || account.login === null) throw new Problem('method-not-offered', { field: 'depositType' })
  const fee = feeOfRequest(method, amount, { field: 'depositAmountSent', language: context.language })
  const { referencePrefix: prefix } = await dependencies.settings.get('firm')
  return { client, account: { ...account, login: account.login }, amount, fee, method, prefix }
}

const fields: Readonly<Record<string, string>> = {
  'demo-account': 'accountNumber',
  'account-not-approved': 'accountNumber',
  'method-not-offered': 'depositType',
  'currency-not-account': 'depositCurrency',
  'deposit-too-low': 'depositAmountSent',
  'card-type-required': 'ccType',
}

function fieldOf(refusal: string | null): string {
  return fields[refusal ?? ''] ?? 'server'
}

/**
 * Throws if announced wires that have not arrived would exceed their common maximum (requirements 8.17). The lock on
 * the client's row serializes concurrent requests.
 */
async function assertWithinLimits(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  amount: Money,
  most: Money,
) {
  const { clientId } = requireClient(context)
  const { currency } = amount
  await row(tx)`select id from clients where id = ${clientId} for no key update`
  const announced = await row<{ sum: bigint }>(tx)`select coalesce(sum(amount_minor), 0)::bigint as sum from deposits
      where client_id = ${clientId} and type = 'wire' and state = 'pending' and currency = ${currency}`
  const sum = money(announced?.sum ?? 0n, currency)
  if (sum.minor + amount.minor <= most.minor) return
  throw new Problem('announced-too-much', {
    field: 'depositAmountSent',
    values: {
      sum: amountText(sum, context.language),
      most: amountText(most, context.language),
    },
  })
}

/** A client announces a wire and receives the account and the reference for it (requirements 8.7). */
export const requestWirePayment: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const allowed = await allowedDeposit(dependencies, context, { ...context.body, type: 'wire', cardType: null })
  const { account, amount, fee, method, prefix } = allowed
  const { currency } = amount
  const wireAccount = (await dependencies.settings.get('wireAccounts'))[currency]
  if (wireAccount.IBAN === '' && wireAccount.BankAccountNumber === '')
    throw new Problem('wire-account-missing', { values: { currency } })
  const { announcedMax } = await dependencies.settings.get('limits')
  const most = money(announcedMax[currency], currency)
  const expiresAt = announcedUntil(context.now)
  return withIdempotency(dependencies.pool, context, async (tx) => {
    await lockRequester(tx, clientId)
    await assertWithinLimits(tx, context, amount, most)
    const reference = referenceFrom(prefix, randomBytes(5))
    const written = await requireRow<{ id: DepositId }>(tx)`
      insert into deposits (client_id, account_id, type, method, gateway, amount_minor, fee_minor, currency,
          reference, wire_account, requested_at, expires_at)
        values (${clientId}, ${account.id}, 'wire', ${method.method.en}, ${method.paymentGateway}, ${amount.minor},
          ${fee.minor}, ${currency}, ${reference}, ${JSON.stringify(wireAccount)}::text::jsonb, ${context.now},
          ${expiresAt})
        returning id`
    const details = { amount: decimalOf(amount.minor), currency, account: account.login, reference, type: 'wire' }
    await recordCreation(tx, depositMachine, context.auditContext, { id: written.id, clientId }, 'request', { details })
    return {
      id: written.id,
      bankDetails: { ...wireAccount, BankReference: reference },
      amount: amount.minor,
      currency,
      expiresAt,
    }
  })
}
