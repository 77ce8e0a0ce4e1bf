/**
 * The bank line of a wire that recovery adopted before a statement showed it: where none names the wire, two people of
 * finance choose it (requirements 20.14, ADR 165). No money moves with it.
 */
import { decimalOf, type Currency } from '#rules/money.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../db/transition.ts'
import type { AuditContext } from '../db/events.ts'
import { row } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

/** The bank, as such findings name the place where they were found. */
export const bank = 'bank'

export interface AdoptedWire {
  readonly id: string
  readonly clientId: ClientId
  readonly accountId: AccountId
  readonly login: string
  readonly reference: string
  /** What the line must have brought. */
  readonly receivedMinor: bigint
  readonly currency: Currency
}

/** Writes the finding of a wire whose line no one has named, once. */
export async function raiseMissingLine(tx: Transaction, wire: AdoptedWire, auditContext: AuditContext): Promise<void> {
  const { id, clientId, accountId, login, reference, receivedMinor, currency } = wire
  const written = await row<{ id: string }>(tx)`
    insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg,
        subject, record, account_id, client_id, found_at)
      values ('line-missing', ${bank}, ${login}, ${reference}, '', ${receivedMinor}, ${currency}, ${auditContext.now}, ${reference},
        'bank-line', 'deposit', ${id}, ${accountId}, ${clientId}, ${auditContext.now})
      on conflict (platform, ticket) do nothing returning id`
  if (!written) return
  const summary = { kind: 'line-missing', account: login, reference, amount: decimalOf(receivedMinor), currency }
  const workItem = { dueAt: auditContext.now, summary }
  const created = { id: written.id, action: 'find', clientId, details: summary, workItem }
  await recordCreation(tx, recoveryItemMachine, auditContext, created)
}

/** The line of a wire has come by its reference: nothing is left to decide. */
export async function clearMissingLine(tx: Transaction, deposit: string, auditContext: AuditContext): Promise<void> {
  const item = await row<{ id: string; clientId: ClientId }>(tx)`select id, client_id as "clientId" from recovery_items
      where platform = ${bank} and record = ${deposit} and state in ('open', 'proposed') for update`
  if (item)
    await applyTransition(tx, recoveryItemMachine, auditContext, {
      id: item.id,
      action: 'clear',
      clientId: item.clientId,
      workItem: null,
    })
}
