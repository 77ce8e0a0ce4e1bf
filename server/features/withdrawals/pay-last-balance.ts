/** Finance enters the last balance of a stopped client with its bank account and proof; compliance approves both. */
import { randomBytes } from 'node:crypto'
import type { payLastBalance as endpoint } from '#contract/office/last-balance.ts'
import { isStopped } from '#rules/checks/client-checks.ts'
import type { ClientState } from '#rules/clients.ts'
import { uploadBytesMax } from '#rules/constants.ts'
import { atLeastZero, decimalOf, money, type Money } from '#rules/money.ts'
import { referenceFrom } from '#rules/references.ts'
import { checkWithdrawal, withdrawalLife } from '#rules/withdrawals.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { once } from '../../http/idempotency.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { keptStanding, standingOf, type Standing } from '../../ledger/available.ts'
import { freshFigures } from '../../ledger/account-snapshot.ts'
import { reserve } from '../../ledger/reservations.ts'
import { clientForDeed } from '../../office/client-for-action.ts'
import { refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { amountText } from '../../i18n/format.ts'
import { workDueAt } from '../../office/due-dates.ts'
import type { StoreProof } from '../../checks/store-proof.ts'
import { destinationOf, payoutBank, type Destination, type PayoutBank } from './last-balance-destination.ts'
import type { SourceAccount } from './queries.ts'

type Entering = Call<typeof endpoint>

interface Facts {
  readonly account: SourceAccount
  readonly amount: Money
  readonly destination: Destination
  readonly prefix: string
  readonly dueAt: { readonly withdrawal: Date; readonly bank: Date }
  readonly keepProof: Awaited<ReturnType<StoreProof>>
}

/** Answers the withdrawal's id and reference. The amount is set aside at once; nothing is debited yet. */
export function payLastBalance(parts: Parts, storeProof: StoreProof): Verb<typeof endpoint> {
  return async (call) => {
    const account = await accountOf(parts, call)
    const destination = destinationOf(call)
    const { referencePrefix: prefix } = await parts.settings.get('firm')
    await freshFigures(parts.pool, parts, { ...account, accountId: account.id }, call.now)
    const keepProof = await storedProof(parts, storeProof, call)
    const dueAt = {
      withdrawal: await workDueAt(parts, 'withdrawal', call.now),
      bank: await workDueAt(parts, 'bank_details', call.now),
    }
    const amount = money(call.body.amount, account.currency)
    return once(parts.pool, call, (tx) => write(tx, call, { account, amount, destination, prefix, dueAt, keepProof }))
  }
}

/** The client's account, of a client who is stopped: asked again under the lock. */
async function accountOf({ pool }: Parts, { params, body }: Entering): Promise<SourceAccount> {
  const client = await row<{ state: ClientState }>(
    pool,
    sql`select state from clients where id = ${uuidOrNull(params.id)}::uuid`,
  )
  if (!client) throw new Problem('not-found')
  if (!isStopped(client.state)) throw new Problem('last-balance-state')
  const account = await row<SourceAccount>(
    pool,
    sql`select id, platform, login, currency, state, request_type as "requestType" from trading_accounts
        where client_id = ${params.id} and id = ${uuidOrNull(body.accountId)}::uuid`,
  )
  if (!account) throw new Problem('account-unknown', { field: 'accountId' })
  if (account.requestType === 'demo') throw new Problem('demo-account', { field: 'accountId' })
  if (account.state !== 'approved') throw new Problem('account-not-approved', { field: 'accountId' })
  return account
}

async function storedProof(parts: Parts, storeProof: StoreProof, call: Entering) {
  const { filename, content } = call.body.proof
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > uploadBytesMax) throw new Problem('file-large', { field: 'proof' })
  const { staffId } = staffOf(call)
  return storeProof(parts, { clientId: call.params.id, received: { bytes, filename }, staffId, act: call.act })
}

async function write(tx: Transaction, call: Entering, facts: Facts) {
  const { account, amount } = facts
  const client = await clientForDeed<{ state: ClientState }>(tx, call.params.id, sql`, state`)
  refuseOwnRequest(staffOf(call), client.email)
  if (!isStopped(client.state)) throw new Problem('last-balance-state')
  const standing = await covered(tx, call, facts)
  const proof = await facts.keepProof(tx)
  const terms = { currency: amount.currency, dueAt: facts.dueAt.bank }
  const bank = await payoutBank(tx, call, facts.destination, terms)
  const reference = referenceFrom(facts.prefix, randomBytes(5))
  const id = await enterWithdrawal(tx, call, facts, { bank, proof: proof.id, reference, standing })
  await reserve(tx, { accountId: account.id, subject: 'withdrawal', record: id, amount, now: call.now })
  return { id, reference }
}

/** Locks the account, and throws the refusal where the amount will not do. There is no minimum for what is left. */
async function covered(tx: Transaction, call: Entering, { account, amount }: Facts): Promise<Standing> {
  const locked = await row<{ state: string }>(
    tx,
    sql`select state from trading_accounts where id = ${account.id} for update`,
  )
  const standing = await standingOf(tx, account.id, amount.currency)
  const { figures, reserved, available } = standing
  const refusal = checkWithdrawal({
    amount,
    minimum: money(0n, amount.currency),
    balance: figures.balance,
    available,
    accountState: locked?.state ?? 'rejected',
    bankState: 'approved',
    bankCurrency: amount.currency,
  })
  refuse(refusal, {
    field: 'amount',
    values: {
      available: amountText(atLeastZero(available), call.language),
      reserved: amountText(reserved, call.language),
      currency: amount.currency,
    },
  })
  return standing
}

interface Entered {
  readonly bank: PayoutBank
  readonly proof: string
  readonly reference: string
  readonly standing: Standing
}

async function enterWithdrawal(
  tx: Transaction,
  call: Entering,
  { account, amount, dueAt }: Facts,
  { bank, proof, reference, standing }: Entered,
): Promise<string> {
  const clientId = call.params.id
  const written = await row<{ id: string }>(
    tx,
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference,
          figures, requested_at, entered_by, proof_file)
        values (${clientId}, ${account.id}, ${bank.id}, ${JSON.stringify(bank.chosen)}::text::jsonb, 'wire', 'Bank Transfer',
          ${amount.minor}, ${amount.currency}, ${reference}, ${JSON.stringify(keptStanding(standing))}::text::jsonb,
          ${call.now}, ${staffOf(call).staffId}, ${proof})
        returning id`,
  )
  if (!written) throw new Error('a withdrawal was not written')
  const { name: kind, first: state } = withdrawalLife
  const summary = { amount: decimalOf(amount.minor), currency: amount.currency, account: account.login, reference }
  const { reason } = call.body
  await record(tx, call.act, {
    kind,
    verb: 'request',
    record: written.id,
    clientId,
    to: state,
    reason,
    details: summary,
  })
  await openWork(tx, kind, written.id, { state, dueAt: dueAt.withdrawal, clientId, summary }, call.now)
  return written.id
}
