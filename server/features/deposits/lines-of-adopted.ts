/**
 * Bank transactions of wires that recovery adopted before a statement showed them: found by their reference, or chosen
 * by two people in finance (requirements 20.14, ADR 165). Assigning them credits nothing again.
 */
import { bankLineMachine, depositMachine } from '#rules/deposits.ts'
import { money, decimalOf } from '#rules/money.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { post } from '../../ledger/post.ts'
import type { LineOfDeal, Named } from '../../recovery/adoption.ts'
import { linesOfDeal } from './adopt-deposit.ts'
import { unallocatedAccount } from './credit-deposit.ts'
import { hasNoBankLine } from './match-queries.ts'
import type { Deposit } from './queries.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import type { ClientId, RecoveryItemId } from '#rules/ids.ts'

interface AdoptedWire extends Pick<
  Deposit,
  'id' | 'clientId' | 'accountId' | 'login' | 'reference' | 'state' | 'feeMinor' | 'currency'
> {
  /** The amount that the transaction must have. */
  readonly receivedMinor: bigint
}

const adoptedWires = sql`select d.id, d.client_id as "clientId", d.account_id as "accountId", a.login, d.reference, d.state,
    d.received_minor as "receivedMinor", d.fee_minor as "feeMinor", d.currency
  from deposits d join trading_accounts a on a.id = d.account_id where ${hasNoBankLine}`

/**
 * Adopts the transactions that name a wire adopted before a statement showed them, so that they cannot be matched again.
 * A wire without such a transaction becomes a finding for two people.
 */
export async function adoptLines(tx: Transaction, keys: Named['keys'], by: AuditContext): Promise<number> {
  const auditContext: AuditContext = { ...by, identity: { kind: 'recovery' } }
  const waiting = await rows<AdoptedWire>(tx)`${adoptedWires} order by d.id for update of d`
  let taken = 0
  for (const wire of waiting) {
    const line = (await linesOfWire(tx, wire, keys, auditContext.now)).find((one) => one.named)
    if (!line) {
      await raiseMissingLine(tx, wire, auditContext)
      continue
    }
    await adoptLine(tx, wire, line, auditContext)
    await clearMissingLine(tx, wire.id, auditContext)
    taken += 1
  }
  return taken
}

/** Returns the wire with this id if it has no bank transaction yet, or null. */
function adoptedWireById(connection: Connection, deposit: string): Promise<AdoptedWire | null> {
  return row<AdoptedWire>(connection)`${adoptedWires} and d.id = ${deposit}`
}

/** Returns bank transactions of the amount that was credited, or of that amount plus their fee. */
function linesOfWire(connection: Connection, wire: AdoptedWire, keys: Named['keys'], now: Date): Promise<LineOfDeal[]> {
  const amount = money(wire.receivedMinor - wire.feeMinor, wire.currency)
  return linesOfDeal(connection, { amount, shown: wire.reference, leg: 'deposit-credit' }, keys, now)
}

/** Adopts the transaction: its amount is the received one, and the difference to the assumed amount goes to the fee. */
async function adoptLine(
  tx: Transaction,
  wire: AdoptedWire,
  line: LineOfDeal,
  auditContext: AuditContext,
): Promise<void> {
  const { id, clientId, reference, currency } = wire
  await applyTransition(tx, bankLineMachine, auditContext, { id: line.id, clientId }, 'adopt', {
    details: { deposit: reference },
    workItem: null,
  })
  const more = line.amountMinor - wire.receivedMinor
  await run(tx)`update deposits set bank_line = ${line.id}, received_minor = received_minor + ${more},
        fee_minor = fee_minor + ${more}, version = version + 1 where id = ${id}`
  if (more === 0n || wire.state !== 'approved') return
  const entry = { ref: `deposit-fee:${id}`, kind: 'deposit-credit', subject: depositMachine.name, record: id }
  await post(tx, auditContext.now, entry, [
    { account: unallocatedAccount(wire), minor: more },
    { account: { kind: 'fees', currency }, minor: -more },
  ])
}

/** Returns unmatched bank transactions that may have paid an adopted wire. */
export async function linesOfAdopted(
  connection: Connection,
  keys: Named['keys'],
  deposit: string,
  now: Date,
): Promise<LineOfDeal[]> {
  const wire = await adoptedWireById(connection, deposit)
  return wire ? linesOfWire(connection, wire, keys, now) : []
}

/** Assigns the bank transaction that two people chose to an adopted wire. Nothing is credited again. */
export async function adoptChosenLine(
  tx: Transaction,
  keys: Named['keys'],
  deposit: string,
  lineId: string,
  auditContext: AuditContext,
): Promise<void> {
  await run(tx)`select 1 from deposits where id = ${deposit} for update`
  const wire = await adoptedWireById(tx, deposit)
  const line = wire && (await linesOfWire(tx, wire, keys, auditContext.now)).find(({ id }) => id === lineId)
  if (!wire || !line) throw new Problem('recovery-line-needed', { field: 'lineId' })
  await adoptLine(tx, wire, line, auditContext)
}

/** The value of a finding's `platform` if it was found at the bank. */
const bank = 'bank'

/** Writes the finding of a wire without a transaction that names it, once. */
async function raiseMissingLine(tx: Transaction, wire: AdoptedWire, auditContext: AuditContext): Promise<void> {
  const { id, clientId, accountId, login, reference, receivedMinor, currency } = wire
  const written = await row<{ id: RecoveryItemId }>(tx)`
    insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg,
        subject, record, account_id, client_id, found_at)
      values ('line-missing', ${bank}, ${login}, ${reference}, '', ${receivedMinor}, ${currency}, ${auditContext.now}, ${reference},
        'bank-line', 'deposit', ${id}, ${accountId}, ${clientId}, ${auditContext.now})
      on conflict (platform, ticket) do nothing returning id`
  if (!written) return
  const summary = { kind: 'line-missing', account: login, reference, amount: decimalOf(receivedMinor), currency }
  const workItem = { dueAt: auditContext.now, summary }
  const of = { id: written.id, clientId }
  await recordCreation(tx, recoveryItemMachine, auditContext, of, 'find', { details: summary, workItem })
}

/** Closes the finding of a wire whose bank transaction has been found by its reference. */
async function clearMissingLine(tx: Transaction, deposit: string, auditContext: AuditContext): Promise<void> {
  const item = await row<{ id: RecoveryItemId; clientId: ClientId }>(
    tx,
  )`select id, client_id as "clientId" from recovery_items
      where platform = ${bank} and record = ${deposit} and state in ('open', 'proposed') for update`
  if (item) await applyTransition(tx, recoveryItemMachine, auditContext, item, 'clear', { workItem: null })
}
