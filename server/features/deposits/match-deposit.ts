/** Staff match a payment to a deposit: what arrived is credited on the platform (product-decisions section 7). */
import type {
  matchDeposit as matchDepositEndpoint,
  matchLine as matchLineEndpoint,
  rejectDeposit as rejectEndpoint,
} from '#contract/office/deposits.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import type { ClientState } from '#rules/clients.ts'
import { announcedUntil, bankLineLife, depositLife } from '#rules/deposits.ts'
import { decimalOf, less, money } from '#rules/money.ts'
import { checkTerms, type CheckTerms } from '../../checks/checked-request.ts'
import { passChecks } from '../../checks/pass-checks.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { isUuid } from '../../db/ids.ts'
import { absentPlatform, decide, requestToDecide } from '../../office/decide.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import type { PaymentMethod } from '../../settings/payment-methods.ts'
import { shownOfLine } from '../../ledger/references.ts'
import { amountText } from '../../i18n/format.ts'
import { lockAccount, requesterById } from '../accounts/queries.ts'
import { refusalsOf } from './bank-line-responses.ts'
import { beginCredit, tellOf } from './credit-deposit.ts'
import { matchChecked } from './line-checks.ts'
import { adoptedWireFor } from './match-queries.ts'
import { bankLineById, depositById, lockDeposit, type BankLine, type Deposit } from './queries.ts'
import { feeOf } from './request-deposit.ts'

const depositKind = depositLife.name
const lineKind = bankLineLife.name

interface Matching {
  readonly deposit: Deposit
  readonly depositVersion?: number
  readonly line: BankLine
  readonly lineVersion: number
  readonly note: string
  readonly acknowledged: readonly string[]
  readonly terms: CheckTerms
  readonly methods: readonly PaymentMethod[]
}

/** From the deposit's page: a line is chosen. */
export function matchDeposit(parts: Parts): Verb<typeof matchDepositEndpoint> {
  return async (call) => {
    const { version: depositVersion, lineId, lineVersion, note, acknowledged } = call.body
    const deposit = await depositForDecision(parts, call)
    const line = await bankLineById(parts.pool, lineId)
    if (!line) throw new Problem('not-found', { field: 'lineId' })
    const { deposit: methods } = await parts.settings.get('methods')
    const terms = await checkTerms(parts, call.now)
    const matching = { deposit, depositVersion, line, lineVersion, note, acknowledged, terms, methods }
    check(parts, call, matching)
    return namingDecider(parts, depositKind, deposit.id, () =>
      transaction(parts.pool, async (tx) => {
        const { deposit: after } = await match(tx, parts.keys, call, matching)
        return decidedAnswer(tx, call, depositKind, deposit.id, after)
      }),
    )
  }
}

/** From the line's page: an announced deposit is chosen, or an account where nothing was announced. */
export function matchLine(parts: Parts): Verb<typeof matchLineEndpoint> {
  return async (call) => {
    const { version: lineVersion, depositId, accountId, note, acknowledged } = call.body
    const line = await bankLineById(parts.pool, call.params.id)
    if (!line) throw new Problem('not-found')
    if ((depositId === undefined) === (accountId === undefined)) throw new Problem('required', { field: 'depositId' })
    const { deposit: methods } = await parts.settings.get('methods')
    const announced = depositId === undefined ? null : await depositById(parts.pool, depositId)
    if (depositId !== undefined && !announced) throw new Problem('not-found', { field: 'depositId' })
    if (announced) check(parts, call, { deposit: announced, line })
    const { referencePrefix } = await parts.settings.get('firm')
    const terms = await checkTerms(parts, call.now)
    return namingDecider(parts, lineKind, line.id, () =>
      transaction(parts.pool, async (tx) => {
        const deposit =
          announced ??
          (await unannounced(tx, call, line, accountId ?? '', { keys: parts.keys, prefix: referencePrefix, methods }))
        if (!announced) check(parts, call, { deposit, line })
        const { line: after } = await match(tx, parts.keys, call, {
          deposit,
          line,
          lineVersion,
          note,
          acknowledged,
          terms,
          methods,
        })
        return decidedAnswer(tx, call, lineKind, line.id, after)
      }),
    )
  }
}

/** What no version can know: currencies, direction, one's own request, a platform that is not there. */
function check(parts: Parts, call: Pick<Call, 'caller'>, { deposit, line }: Pick<Matching, 'deposit' | 'line'>): void {
  const staff = staffOf(call)
  const refusal = refusalsOf(line, staff.staffId)['match']
  if (refusal) throw refusal
  if (deposit.type !== 'wire') throw new Problem('wrong-state', { values: { state: deposit.state } })
  if (deposit.currency !== line.currency) throw new Problem('other-currency')
  refuseOwnRequest(staff, deposit.clientEmail)
  const absent = absentPlatform(parts, deposit.platform)
  if (absent) throw absent
}

/** Both lives move and the credit is written, in one transaction: a line pays one deposit once (attack C15). */
async function match(
  tx: Transaction,
  keys: Parts['keys'],
  call: Pick<Call, 'act' | 'now' | 'caller' | 'language'>,
  matching: Matching,
) {
  const { deposit, line, note } = matching
  if (isCredited(deposit)) throw new Problem('line-of-adopted', { values: { reference: deposit.reference } })
  const adopted = await adoptedWireFor(tx, line)
  if (adopted) throw new Problem('line-of-adopted', { values: { reference: adopted.reference } })
  const received = money(line.amountMinor, line.currency)
  const method = matching.methods.find((one) => one.type === 'wire' && one.method.en === deposit.method)
  const fee = method ? feeOf(method, received) : money(deposit.feeMinor, deposit.currency)
  if (!less(fee, received)) throw new Problem('fee-over-amount', { values: { fee: amountText(fee, call.language) } })
  const { clientId } = deposit
  const reason = note ? { reason: note } : {}
  const version = matching.depositVersion === undefined ? {} : { version: matching.depositVersion }
  const set = {
    received_minor: received.minor,
    fee_minor: fee.minor,
    bank_line: line.id,
    decided_by: staffOf(call).staffId,
  }
  const details = await judged(tx, call, matching)
  // The line first: of two people who give it to two deposits, one waits here and is told.
  const movedLine = await advance(tx, bankLineLife, call.act, {
    id: line.id,
    verb: 'match',
    clientId,
    version: matching.lineVersion,
    ...reason,
    details: { deposit: deposit.reference, ...details },
    work: null,
  })
  const movedDeposit = await advance(tx, depositLife, call.act, {
    id: deposit.id,
    verb: 'match',
    clientId,
    ...version,
    ...reason,
    details,
    set,
    work: null,
  })
  await beginCredit(tx, keys, deposit, received.minor, fee.minor, call.now)
  return { deposit: movedDeposit, line: movedLine }
}

/** The checks under the locks; a line or deposit that was decided meanwhile is left to `advance`, which says so. */
async function judged(
  tx: Transaction,
  call: Pick<Call, 'act' | 'now' | 'caller' | 'language'>,
  { deposit, line, lineVersion, note, acknowledged, terms }: Matching,
): Promise<{ readonly checks?: unknown }> {
  const checked = matchChecked(deposit.clientId)
  await run(tx, sql`select 1 from clients where id = ${deposit.clientId} for share`)
  await run(tx, sql`select 1 from bank_lines where id = ${line.id} for update`)
  const locked = await checked.find(tx, line.id)
  if (locked?.state !== 'unmatched' || locked.version !== lineVersion) return {}
  return passChecks(tx, call, checked, locked, terms, { acknowledged, reason: note })
}

/** Recovery adopted it before a statement showed its line: two people choose that (ADR 165). */
function isCredited({ type, state, bankLine, receivedMinor }: Deposit): boolean {
  return type === 'wire' && ['processing', 'approved'].includes(state) && bankLine === null && receivedMinor !== null
}

/** A deposit that nobody announced: written for the account that staff chose, then matched like any other. */
async function unannounced(
  tx: Transaction,
  call: Pick<Call, 'act' | 'now'>,
  line: BankLine,
  accountId: string,
  { keys, prefix, methods }: { keys: Parts['keys']; prefix: string; methods: readonly PaymentMethod[] },
): Promise<Deposit> {
  const account = isUuid(accountId) ? await lockAccount(tx, accountId) : null
  if (!account) throw new Problem('not-found', { field: 'accountId' })
  if (account.requestType !== 'live') throw new Problem('demo-account', { field: 'accountId' })
  if (account.state !== 'approved') throw new Problem('account-not-approved', { field: 'accountId' })
  if (account.currency !== line.currency) throw new Problem('other-currency', { field: 'accountId' })
  await refuseClosedOwner(tx, account.clientId)
  if (line.amountMinor <= 0n) throw new Problem('line-outgoing')
  const method = methods.find(({ type }) => type === 'wire')
  const reference = await shownFor(tx, keys, prefix, line)
  const { language } = await requesterById(tx, account.clientId)
  const written = await row<{ id: string }>(
    tx,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, language,
          requested_at, expires_at)
        values (${account.clientId}, ${account.id}, 'wire', ${method?.method.en ?? 'Bank Transfer'},
          ${method?.paymentGateway ?? 'bank'}, ${line.amountMinor}, ${line.currency}, ${reference}, ${language},
          ${call.now}, ${announcedUntil(call.now)}) returning id`,
  )
  const deposit = written && (await lockDeposit(tx, written.id))
  if (!deposit) throw new Error('a deposit was not written')
  await record(tx, call.act, {
    kind: depositKind,
    verb: 'request',
    record: deposit.id,
    clientId: account.clientId,
    to: depositLife.first,
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
 * The shown reference of a deposit that nobody announced: derived from its line, so that it is the same in every copy of
 * the database. One that the platform refused keeps its own, and the line's next deposit has the next one.
 */
async function shownFor(tx: Transaction, keys: Parts['keys'], prefix: string, line: BankLine): Promise<string> {
  for (let round = 0; ; round += 1) {
    const shown = shownOfLine(keys.reference.bytes, prefix, line, round)
    const taken = await row(tx, sql`select 1 from deposits where reference = ${shown}`)
    if (!taken) return shown
  }
}

async function depositForDecision(parts: Parts, call: Pick<Call<typeof rejectEndpoint>, 'params' | 'caller'>) {
  const deposit = await depositById(parts.pool, call.params.id)
  return requestToDecide<Deposit>(call, deposit, ({ clientEmail }) => clientEmail)
}

/** Rejects an announced deposit with an internal reason and what the client reads (ADR 160). */
export function rejectDeposit(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const deposit = await depositForDecision(parts, call)
    const { reason, version } = call.body
    const told = requestReason(call.body)
    const set = { comment: told, rejected_at: call.now, decided_by: staffOf(call).staffId }
    return decide(parts, call, depositLife, { request: deposit, verb: 'reject', version, reason, told, set }, (tx) =>
      tellOf(tx, deposit, 'deposit-rejected', deposit.amountMinor, told, call.now),
    )
  }
}

/** The client, held until the transaction ends: a closing at the same moment finds the deposit, or is found (attack C13). */
async function refuseClosedOwner(tx: Transaction, clientId: string): Promise<void> {
  const owner = await row<{ state: ClientState }>(
    tx,
    sql`select state from clients where id = ${clientId} for key share`,
  )
  if (owner?.state === 'closed') throw new Problem('owner-closed', { field: 'accountId' })
}
