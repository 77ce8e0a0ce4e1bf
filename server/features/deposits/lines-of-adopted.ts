/** The bank lines of wires that recovery adopted before a statement showed them: by reference, or chosen by two people. */
import { bankLineMachine } from '#rules/deposits.ts'
import { money } from '#rules/money.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, rows, run, sql, type Connection } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Problem } from '../../http/problem.ts'
import type { LineOfDeal, Named } from '../../recovery/adoption.ts'
import { clearMissingLine, raiseMissingLine, type AdoptedWire } from '../../recovery/missing-lines.ts'
import { linesOfDeal } from './adopt-deposit.ts'
import { lacksItsLine } from './match-queries.ts'

const linesMax = 50

/**
 * Takes the lines that name a wire which was adopted before a statement showed them, so that they cannot be matched any
 * more. A wire without such a line becomes a finding for two people.
 */
export async function takeLines(tx: Transaction, keys: Named['keys'], by: AuditContext): Promise<number> {
  const auditContext: AuditContext = { ...by, identity: { kind: 'recovery' } }
  const waiting = await rows<AdoptedWire & { minor: bigint }>(
    tx,
    sql`select d.id, d.client_id as "clientId", d.account_id as "accountId", a.login, d.reference,
          d.received_minor as "receivedMinor", d.received_minor - d.fee_minor as minor, d.currency
        from deposits d join trading_accounts a on a.id = d.account_id
        where ${lacksItsLine} order by d.id for update of d`,
  )
  let taken = 0
  for (const wire of waiting) {
    const deal = { amount: money(wire.minor, wire.currency), shown: wire.reference, leg: 'deposit-credit' } as const
    const line = (await linesOfDeal(tx, deal, keys, auditContext.now)).find((one) => one.named)
    if (!line) {
      await raiseMissingLine(tx, wire, auditContext)
      continue
    }
    await take(tx, wire, line.id, auditContext)
    await clearMissingLine(tx, wire.id, auditContext)
    taken += 1
  }
  return taken
}

async function take(
  tx: Transaction,
  { id, clientId, reference }: Pick<AdoptedWire, 'id' | 'clientId' | 'reference'>,
  line: string,
  auditContext: AuditContext,
): Promise<void> {
  const details = { deposit: reference }
  await applyTransition(tx, bankLineMachine, auditContext, {
    id: line,
    action: 'adopt',
    clientId,
    details,
    workItem: null,
  })
  await run(tx, sql`update deposits set bank_line = ${line}, version = version + 1 where id = ${id}`)
}

/** Lines without an owner that brought exactly what an adopted wire was credited from, the oldest first. */
export function linesOfAdopted(connection: Connection, deposit: string): Promise<LineOfDeal[]> {
  return rows<LineOfDeal>(
    connection,
    sql`select l.id, l.payer, l.remittance, l.amount_minor as "amountMinor", l.booked_on::text as "bookedOn", false as named
        from bank_lines l join deposits d on d.id = ${deposit} and ${lacksItsLine}
        where l.state = 'unmatched' and l.currency = d.currency and l.amount_minor = d.received_minor
        order by l.created_at, l.id limit ${linesMax}`,
  )
}

/** Gives an adopted wire the line that two people chose. No money moves. */
export async function takeChosenLine(
  tx: Transaction,
  deposit: string,
  line: string,
  auditContext: AuditContext,
): Promise<void> {
  const wire = await row<{ id: string; clientId: string; reference: string }>(
    tx,
    sql`select d.id, d.client_id as "clientId", d.reference from deposits d
        where d.id = ${deposit} and ${lacksItsLine} for update`,
  )
  const fitting = await linesOfAdopted(tx, deposit)
  if (!wire || !fitting.some(({ id }) => id === line)) throw new Problem('recovery-line-needed', { field: 'lineId' })
  await take(tx, wire, line, auditContext)
}
