/**
 * The bank line of a wire that recovery adopted before a statement showed it: where none names the wire, two people of
 * finance choose it (mechanics section 13, ADR 165). No money moves with it.
 */
import { decimalOf, type Currency } from '#rules/money.ts'
import { recoveryItemLife } from '#rules/recovery-items.ts'
import { advance } from '../db/transition.ts'
import { record, type Act } from '../db/events.ts'
import { row, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { openWork } from '../db/work-items.ts'

/** The bank, as such findings name the place where they were found. */
export const bank = 'bank'

export interface AdoptedWire {
  readonly id: string
  readonly clientId: string
  readonly accountId: string
  readonly login: string
  readonly reference: string
  /** What the line must have brought. */
  readonly receivedMinor: bigint
  readonly currency: Currency
}

/** Writes the finding of a wire whose line nobody has named, once. */
export async function raiseMissingLine(tx: Transaction, wire: AdoptedWire, act: Act): Promise<void> {
  const { id, clientId, accountId, login, reference, receivedMinor, currency } = wire
  const { name, first } = recoveryItemLife
  const written = await row<{ id: string }>(
    tx,
    sql`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg,
          subject, record, account_id, client_id, found_at)
        values ('line-missing', ${bank}, ${login}, ${reference}, '', ${receivedMinor}, ${currency}, ${act.now}, ${reference},
          'bank-line', 'deposit', ${id}, ${accountId}, ${clientId}, ${act.now})
        on conflict (platform, ticket) do nothing returning id`,
  )
  if (!written) return
  const summary = { kind: 'line-missing', account: login, reference, amount: decimalOf(receivedMinor), currency }
  await record(tx, act, { kind: name, verb: 'find', record: written.id, to: first, clientId, details: summary })
  await openWork(tx, name, written.id, { state: first, dueAt: act.now, clientId, summary }, act.now)
}

/** The line of a wire has come by its reference: nothing is left to decide. */
export async function clearMissingLine(tx: Transaction, deposit: string, act: Act): Promise<void> {
  const item = await row<{ id: string; clientId: string }>(
    tx,
    sql`select id, client_id as "clientId" from recovery_items
        where platform = ${bank} and record = ${deposit} and state in ('open', 'proposed') for update`,
  )
  if (item)
    await advance(tx, recoveryItemLife, act, { id: item.id, verb: 'clear', clientId: item.clientId, work: null })
}
