/** Staff match a payment to a deposit; the received amount is credited on the platform (requirements 8.7). */
import type { rejectDeposit as rejectEndpoint } from '#contract/office/deposits.ts'
import type {
  matchDeposit as matchDepositEndpoint,
  matchLine as matchLineEndpoint,
} from '#contract/office/bank-lines.ts'
import type { ClientState } from '#rules/clients.ts'
import { announcementExpiry, bankLineMachine, depositMachine } from '#rules/deposits.ts'
import { decimalOf, isLessThan, money } from '#rules/money.ts'
import type { AccountId, ClientId, DepositId } from '#rules/ids.ts'
import { checkTerms, type DecisionTerms } from '../../checks/checked-request.ts'
import { assertChecksPass } from '../../checks/pass-checks.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { row, run, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import { absentPlatform, decide, requestToDecide } from '../../office/decide.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { PaymentMethod } from '../../settings/payment-methods.ts'
import { isMoneyTaken, totalReturned } from '../../integrations/card-provider/payment-provider.ts'
import { referenceOfLine } from '../../ledger/references.ts'
import { amountText } from '../../i18n/format.ts'
import { lockAccount } from '../accounts/queries.ts'
import { requesterById } from '../clients/queries.ts'
import { refusalsOf } from './bank-line-responses.ts'
import { beginCredit, notifyDeposit } from './credit-deposit.ts'
import { matchChecked } from './line-checks.ts'
import { adoptedWireFor } from './match-queries.ts'
import { bankLineById, depositById, lockDeposit, type BankLine, type Deposit } from './queries.ts'
import { statusForDecision } from './settle-checkout.ts'
import { feeOfBookingDay, feeOfPayment, feesByTerms } from './wire-fees.ts'
import { requestReason } from '../../office/standard-reasons.ts'

const depositKind = depositMachine.name
const lineKind = bankLineMachine.name

interface MatchRequest {
  readonly deposit: Deposit
  readonly depositVersion?: number
  readonly line: BankLine
  readonly lineVersion: number
  readonly note: string
  readonly acknowledged: readonly string[]
  readonly terms: DecisionTerms
}

/** Matches from the deposit's page, with the chosen bank transaction. */
export const matchDeposit: Handler<typeof matchDepositEndpoint> = async (dependencies, context) => {
  const { version: depositVersion, lineId, lineVersion, note, acknowledged } = context.body
  const deposit = await depositForDecision(dependencies, context)
  const line = await bankLineById(dependencies.pool, lineId)
  if (!line) throw new Problem('not-found', { field: 'lineId' })
  const terms = await checkTerms(dependencies, context.now)
  const matching = { deposit, depositVersion, line, lineVersion, note, acknowledged, terms }
  assertMatchable(dependencies, context, matching)
  return takeDecision(dependencies, context, depositKind, deposit.id, async (tx) => {
    const matched = await matchPayment(tx, dependencies.keys, context, matching)
    return matched.deposit
  })
}

/**
 * Matches from the bank transaction's page: with the chosen deposit, or with an account if the client requested no
 * deposit.
 */
export const matchLine: Handler<typeof matchLineEndpoint> = async (dependencies, context) => {
  const { version: lineVersion, depositId, accountId, note, acknowledged } = context.body
  const line = await bankLineById(dependencies.pool, context.params.id)
  if (!line) throw new Problem('not-found')
  if ((depositId === undefined) === (accountId === undefined)) throw new Problem('required', { field: 'depositId' })
  const { deposit: methods } = await dependencies.settings.get('methods')
  const announced = depositId === undefined ? null : await depositById(dependencies.pool, depositId)
  if (depositId !== undefined && !announced) throw new Problem('not-found', { field: 'depositId' })
  if (announced) assertMatchable(dependencies, context, { deposit: announced, line })
  const { referencePrefix } = await dependencies.settings.get('firm')
  const terms = await checkTerms(dependencies, context.now)
  return takeDecision(dependencies, context, lineKind, line.id, async (tx) => {
    const deposit =
      announced ??
      (await createUnannouncedDeposit(tx, context, line, accountId ?? ('' as AccountId), {
        keys: dependencies.keys,
        prefix: referencePrefix,
        methods,
        timeZone: terms.timeZone,
      }))
    if (!announced) assertMatchable(dependencies, context, { deposit, line })
    const { line: after } = await matchPayment(tx, dependencies.keys, context, {
      deposit,
      line,
      lineVersion,
      note,
      acknowledged,
      terms,
    })
    return after
  })
}

/**
 * Checks what a version number cannot show: currencies, direction, own requests, and whether the platform is connected.
 */
function assertMatchable(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller'>,
  { deposit, line }: Pick<MatchRequest, 'deposit' | 'line'>,
): void {
  const staff = requireStaff(context)
  const refusal = refusalsOf(line, staff.staffId)['match']
  if (refusal) throw refusal
  if (deposit.type !== 'wire') throw new Problem('wrong-state', { values: { state: deposit.state } })
  if (deposit.currency !== line.currency) throw new Problem('other-currency')
  assertNotOwnRequest(staff, deposit.clientEmail)
  const absent = absentPlatform(dependencies, deposit.platform)
  if (absent) throw absent
}

/**
 * Changes deposit and bank transaction and writes the credit in one database transaction, so that a payment is used for
 * one deposit only (requirements 28.15).
 */
async function matchPayment(
  tx: Transaction,
  keys: Dependencies['keys'],
  context: Pick<RequestContext, 'auditContext' | 'now' | 'caller' | 'language'>,
  matching: MatchRequest,
) {
  const { deposit, line, note } = matching
  if (isAdoptedWithoutLine(deposit)) throw new Problem('line-of-adopted', { values: { reference: deposit.reference } })
  const received = money(line.amountMinor, line.currency)
  const feesOf = await feesByTerms(tx, context.now)
  const adopted = await adoptedWireFor(tx, line, feesOf(received))
  if (adopted) throw new Problem('line-of-adopted', { values: { reference: adopted.reference } })
  const fee = await feeOfPayment(tx, deposit, received)
  if (!isLessThan(fee, received))
    throw new Problem('fee-over-amount', { values: { fee: amountText(fee, context.language) } })
  const set = {
    received_minor: received.minor,
    fee_minor: fee.minor,
    bank_line: line.id,
    decided_by: requireStaff(context).staffId,
  }
  const details = await assertMatchChecksPass(tx, context, matching)
  // The bank transaction first: of two people who match it to two deposits, the slower one gets the conflict here.
  const of = { id: line.id, clientId: deposit.clientId }
  const movedLine = await applyTransition(tx, bankLineMachine, context.auditContext, of, 'match', {
    version: matching.lineVersion,
    reason: note,
    details: { deposit: deposit.reference, ...details },
    workItem: null,
  })
  const movedDeposit = await applyTransition(tx, depositMachine, context.auditContext, deposit, 'match', {
    version: matching.depositVersion,
    reason: note,
    details,
    set,
    workItem: null,
  })
  await beginCredit(tx, keys, deposit, received.minor, fee.minor, context.now)
  return { deposit: movedDeposit, line: movedLine }
}

/**
 * Runs the checks under the locks; `applyTransition` reports a bank transaction or deposit that was decided in the
 * meantime.
 */
async function assertMatchChecksPass(
  tx: Transaction,
  context: Pick<RequestContext, 'auditContext' | 'now' | 'caller' | 'language'>,
  { deposit, line, lineVersion, note, acknowledged, terms }: MatchRequest,
): Promise<{ readonly checks?: unknown }> {
  const checked = matchChecked(deposit.clientId)
  await run(tx)`select 1 from clients where id = ${deposit.clientId} for share`
  await run(tx)`select 1 from bank_lines where id = ${line.id} for update`
  const locked = await checked.find(tx, line.id)
  if (locked?.state !== 'unmatched' || locked.version !== lineVersion) return {}
  return assertChecksPass(tx, context, checked, locked, terms, { acknowledged, reason: note })
}

/**
 * Returns whether recovery adopted the deposit before a statement showed its payment, which two people then choose
 * (ADR 165).
 */
function isAdoptedWithoutLine({ type, state, bankLine, receivedMinor }: Deposit): boolean {
  return type === 'wire' && ['processing', 'approved'].includes(state) && bankLine === null && receivedMinor !== null
}

interface UnannouncedTerms {
  readonly keys: Dependencies['keys']
  readonly prefix: string
  readonly methods: readonly PaymentMethod[]
  readonly timeZone: string
}

/** Creates a deposit that the client did not request, for the account that staff chose. It is matched like others. */
async function createUnannouncedDeposit(
  tx: Transaction,
  context: Pick<RequestContext, 'auditContext' | 'now'>,
  line: BankLine,
  accountId: AccountId,
  { keys, prefix, methods, timeZone }: UnannouncedTerms,
): Promise<Deposit> {
  const account = isUuid(accountId) ? await lockAccount(tx, accountId) : null
  if (!account) throw new Problem('not-found', { field: 'accountId' })
  if (account.requestType !== 'live') throw new Problem('demo-account', { field: 'accountId' })
  if (account.state !== 'approved' || account.closed) throw new Problem('account-not-approved', { field: 'accountId' })
  if (account.currency !== line.currency) throw new Problem('other-currency', { field: 'accountId' })
  await assertOwnerOpen(tx, account.clientId)
  if (line.amountMinor <= 0n) throw new Problem('line-outgoing')
  const method = methods.find(({ type }) => type === 'wire')
  const fee = await feeOfBookingDay(tx, line, timeZone)
  const reference = await unusedReference(tx, keys, prefix, line)
  const { language } = await requesterById(tx, account.clientId)
  const written = await row<{ id: DepositId }>(tx)`
    insert into deposits (client_id, account_id, type, method, gateway, amount_minor, fee_minor, currency, reference,
        language, requested_at, expires_at)
      values (${account.clientId}, ${account.id}, 'wire', ${method?.method.en ?? 'Bank Transfer'},
        ${method?.paymentGateway ?? 'bank'}, ${line.amountMinor}, ${fee.minor}, ${line.currency}, ${reference},
        ${language}, ${context.now}, ${announcementExpiry(context.now)}) returning id`
  const deposit = written && (await lockDeposit(tx, written.id))
  if (!deposit) throw new Error('the deposit was not inserted')
  await recordEvent(tx, context.auditContext, {
    kind: depositKind,
    action: 'request',
    record: deposit.id,
    clientId: account.clientId,
    to: depositMachine.first,
    details: {
      amount: decimalOf(line.amountMinor),
      currency: line.currency,
      account: deposit.login,
      reference,
      bankLine: line.bankId,
    },
  })
  return deposit
}

/**
 * Returns the shown reference of a deposit that the client did not request. It is derived from the bank transaction, so
 * that it is equal in every copy of the database. If the platform rejected a deposit of the transaction, that deposit
 * keeps its reference and the next one gets the next.
 */
async function unusedReference(
  tx: Transaction,
  keys: Dependencies['keys'],
  prefix: string,
  line: BankLine,
): Promise<string> {
  for (let round = 0; ; round += 1) {
    const shown = referenceOfLine(keys.reference.bytes, prefix, line, round)
    const taken = await row(tx)`select 1 from deposits where reference = ${shown}
      union all select 1 from recovery_items where reference = ${shown} and action = 'reverse' and decided_by is not null`
    if (!taken) return shown
  }
}

async function depositForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof rejectEndpoint>, 'params' | 'caller'>,
) {
  const deposit = await depositById(dependencies.pool, context.params.id)
  return requestToDecide<Deposit>(context, deposit, ({ clientEmail }) => clientEmail)
}

/** Rejects a deposit with an internal reason and the text for the client (ADR 160). */
export const rejectDeposit: Handler<typeof rejectEndpoint> = async (dependencies, context) => {
  const deposit = await depositForDecision(dependencies, context)
  if (deposit.state === 'in_review') await assertReturned(dependencies, deposit, context.now)
  const { reason, version } = context.body
  const clientReason = requestReason(context.body)
  const set = { comment: clientReason, rejected_at: context.now, decided_by: requireStaff(context).staffId }
  return decide(
    dependencies,
    context,
    depositMachine,
    { request: deposit, action: 'reject', version, reason, clientReason, set },
    (tx) => notifyDeposit(tx, deposit, 'deposit-rejected', deposit.amountMinor, clientReason, context.now),
  )
}

/** Throws while the provider has the payment of a deposit in review: rejected, the payment would be lost (ADR 347). */
async function assertReturned(dependencies: Dependencies, deposit: Deposit, now: Date): Promise<void> {
  const status = await statusForDecision(dependencies, deposit, now)
  if (status && isMoneyTaken(status) && totalReturned(status.back) < status.amount.minor)
    throw new Problem('payment-not-returned')
}

/**
 * Locks the client until the transaction ends, so that a concurrent closure sees the deposit or the deposit sees the
 * closure (requirements 28.13).
 */
async function assertOwnerOpen(tx: Transaction, clientId: ClientId): Promise<void> {
  const owner = await row<{ state: ClientState }>(tx)`select state from clients where id = ${clientId} for key share`
  if (owner?.state === 'closed') throw new Problem('owner-closed', { field: 'accountId' })
}
