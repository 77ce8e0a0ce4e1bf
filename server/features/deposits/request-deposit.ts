/** Steps that wire and card deposits share: account, method and checks. */
import type { MethodType } from '#rules/payment-methods.ts'
import { checkDeposit } from '#rules/deposits.ts'
import { money, type Currency, type Money } from '#rules/money.ts'
import { requireClient, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { limitMoneyRequests } from '../../http/rate-limits.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { feeOfRequest, offeredMethods, type PaymentMethod } from '../../settings/payment-methods.ts'
import { amountText } from '../../i18n/format.ts'
import { assertConnected, ownAccountByNumber, type OpenAccount } from '../accounts/queries.ts'
import { requesterById, type Requester } from '../clients/queries.ts'

interface DepositFields {
  readonly accountPlatform: Platform
  readonly accountNumber: string
  readonly depositCurrency: Currency
  readonly depositAmountSent: bigint
  readonly paymentGatewayService: string
  readonly type: MethodType
  readonly cardType: number | null
}

export interface ValidatedDeposit {
  readonly client: Requester
  readonly account: OpenAccount
  readonly amount: Money
  readonly fee: Money
  readonly method: PaymentMethod
  readonly prefix: string
}

/** Returns the checked request of a client; throws at the invalid field. Writes nothing. */
export async function validateDeposit(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'now' | 'language' | 'idempotency'>,
  fields: DepositFields,
): Promise<ValidatedDeposit> {
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
  if (refusal)
    throw new Problem(refusal, {
      field: fieldOf[refusal] ?? 'server',
      values: { minimum: amountText(minimum, context.language), currency: account.currency },
    })
  assertConnected(dependencies, account, 'accountNumber')
  if (!method || account.login === null) throw new Problem('method-not-offered', { field: 'depositType' })
  const fee = feeOfRequest(method, amount, { field: 'depositAmountSent', language: context.language })
  const { referencePrefix: prefix } = await dependencies.settings.get('firm')
  return { client, account: { ...account, login: account.login }, amount, fee, method, prefix }
}

const fieldOf: Readonly<Record<string, string>> = {
  'demo-account': 'accountNumber',
  'account-not-approved': 'accountNumber',
  'method-not-offered': 'depositType',
  'currency-not-account': 'depositCurrency',
  'deposit-too-low': 'depositAmountSent',
  'card-type-required': 'ccType',
}
