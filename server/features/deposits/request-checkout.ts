/**
 * Requests a payment through the provider. Our row is committed first, then a page is requested from the provider with
 * our reference. A second request returns the same page, so a lost response can be requested again (requirements
 * 18.13).
 */
import { randomBytes } from 'node:crypto'
import type { requestCreditCardPayment as endpoint } from '#contract/deposits.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { depositMachine } from '#rules/deposits.ts'
import { decimalOf, money } from '#rules/money.ts'
import { requiresCardType, paymentMethods } from '#rules/payment-methods.ts'
import { referenceFrom } from '#rules/references.ts'
import type { ClientId, DepositId } from '#rules/ids.ts'
import type { AuditContext } from '../../db/events.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { row, run, transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { withRetryableOutcome, withIdempotency } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import type { PaymentProvider } from '../../integrations/card-provider/payment-provider.ts'
import { isIntegrationError, Rejected } from '../../integrations/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { assertMoneyNotStopped } from '../../recovery/stopped-money.ts'
import { merchantReference } from '../../ledger/references.ts'
import { platformErrorComment, platformErrorText } from '../../i18n/format.ts'
import { lockRequester } from '../clients/queries.ts'
import { validateDeposit, type ValidatedDeposit } from './request-deposit.ts'
import { lockDeposit } from './queries.ts'

type EndpointContext = RequestContext<typeof endpoint>

export const providerName = 'card'
/** A checkout that did not reach the provider expires after this time. */
const unreachedMs = 30 * 60_000

export const requestCreditCardPayment: Handler<typeof endpoint> = async (dependencies, context) => {
  const { cards } = dependencies
  if (!cards) throw new Problem('provider-unavailable', { retryAfterSeconds: 60 })
  const { depositType: type, method, ccType } = context.body
  if (method !== type) throw new Problem('unknown-value', { field: 'method' })
  if (!requiresCardType(type) && ccType !== undefined) throw new Problem('unknown-value', { field: 'ccType' })
  const allowed = await validateDeposit(dependencies, context, { ...context.body, type, cardType: ccType ?? null })
  const written = await withRetryableOutcome(context, () =>
    transaction(dependencies.pool, (tx) => insertDeposit(tx, dependencies.keys, context, allowed)),
  )
  const checkout = await openCheckout(dependencies, cards, context, allowed, written)
  return withIdempotency(dependencies.pool, context, async (tx) => {
    await run(tx)`update deposits set provider_id = ${checkout.providerId}, payment_url = ${checkout.redirectUrl},
          provider_mac = ${checkout.returnMac ?? null}
        where id = ${written.id} and provider_id is null`
    return { id: written.id, paymentUrl: checkout.redirectUrl, REF: written.reference }
  })
}

interface InsertedDeposit {
  readonly id: DepositId
  readonly reference: string
  readonly providerRef: string
}

/** Inserts the deposit, or returns the one that an earlier attempt with the same key inserted. */
async function insertDeposit(
  tx: Transaction,
  keys: Dependencies['keys'],
  context: EndpointContext,
  allowed: ValidatedDeposit,
): Promise<InsertedDeposit> {
  await assertMoneyNotStopped(tx, context.endpoint.stopsWith, context.auditContext.identity)
  const { client, account, amount, fee, method, prefix } = allowed
  await lockRequester(tx, requireClient(context).clientId)
  const { key = null, bodyHash = null } = context.idempotency ?? {}
  const reference = referenceFrom(prefix, randomBytes(5))
  const providerRef = merchantReference({ key: keys.reference.bytes, shown: reference })
  const written = await row<InsertedDeposit>(tx)`
    insert into deposits (client_id, account_id, type, method, gateway, amount_minor, fee_minor, currency, reference,
        provider_ref, card_type, provider, request_key, request_body, language, requested_at, expires_at)
      values (${client.id}, ${account.id}, ${context.body.depositType}, ${method.method.en}, ${method.paymentGateway},
        ${amount.minor}, ${fee.minor}, ${amount.currency}, ${reference}, ${providerRef}, ${context.body.ccType ?? null}, ${providerName},
        ${key}, ${bodyHash}, ${context.language}, ${context.now}, ${new Date(context.now.getTime() + unreachedMs)})
      on conflict (client_id, request_key) where request_key is not null do nothing
      returning id, reference, provider_ref as "providerRef"`
  if (!written) return earlierDeposit(tx, client.id, key, bodyHash)
  await recordCreation(tx, depositMachine, context.auditContext, { id: written.id, clientId: client.id }, 'request', {
    details: {
      amount: decimalOf(amount.minor),
      currency: amount.currency,
      account: account.login,
      reference,
      type: context.body.depositType,
    },
  })
  return written
}

async function earlierDeposit(
  tx: Transaction,
  clientId: ClientId,
  key: string | null,
  bodyHash: Buffer | null,
): Promise<InsertedDeposit> {
  const found = await requireRow<InsertedDeposit & { state: string; request_body: Buffer | null }>(tx)`
    select id, reference, provider_ref as "providerRef", state, request_body from deposits where client_id = ${clientId} and request_key = ${key}`
  if (bodyHash === null || !found.request_body?.equals(bodyHash)) throw new Problem('key-reused')
  if (found.state !== 'pending') throw new Problem('wrong-state', { values: { state: found.state } })
  return found
}

async function openCheckout(
  dependencies: Dependencies,
  cards: PaymentProvider,
  context: EndpointContext,
  allowed: ValidatedDeposit,
  written: InsertedDeposit,
) {
  const { depositType: type, ccType } = context.body
  const path = portalPaths[paymentMethods[type].returnPage]
  const { card } = dependencies.config
  const product = ccType === undefined ? card?.products[type] : card?.cardNumbers.get(ccType)
  try {
    return await cards.createCheckout({
      ref: written.providerRef,
      amount: money(allowed.amount.minor, allowed.amount.currency),
      country: allowed.client.country,
      ...(product === undefined ? {} : { productIds: [product] }),
      returnUrl: `${dependencies.config.portalUrl}${path}?REF=${encodeURIComponent(written.reference)}`,
      language: context.language,
    })
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    if (!(error instanceof Rejected)) throw new Problem('provider-unavailable')
    const { reason } = error
    await declineDeposit(dependencies, context, written, reason)
    throw new Problem('payment-refused', { values: { reason: platformErrorText(reason, context.language) } })
  }
}

async function declineDeposit(
  dependencies: Dependencies,
  context: EndpointContext,
  { id }: InsertedDeposit,
  reason: string,
): Promise<void> {
  const { clientId } = requireClient(context)
  const comment = platformErrorComment(reason)
  await transaction(dependencies.pool, async (tx) => {
    if ((await lockDeposit(tx, id))?.state !== 'pending') return
    const set = { comment, rejected_at: context.now }
    const auditContext: AuditContext = { ...context.auditContext, identity: { kind: 'external' } }
    await applyTransition(tx, depositMachine, auditContext, { id, clientId }, 'declined', {
      reason,
      set,
      workItem: null,
    })
  })
}
