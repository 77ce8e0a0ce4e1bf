/** Stops payouts if the bank shows a debit with a reference in our format that no record has (ADR 117). */
import { decimalOf, type Currency } from '#rules/money.ts'
import { payoutStopMachine } from '#rules/payout-stops.ts'
import { readReference } from '#rules/references.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, rows, type Connection, type Transaction, requireRow } from '../db/sql.ts'
import { openWorkItem } from '../db/work-items.ts'
import { Problem } from '../http/problem.ts'
import { settingDefault } from '../settings/defaults.ts'
import { readSettingHistory } from '../settings/settings.ts'
import { workItemDueIn } from '../office/due-dates.ts'

const { name: kind, first } = payoutStopMachine

interface Debit {
  readonly id: string
  readonly amountMinor: bigint
  readonly currency: Currency
}

/** Returns the inbox item without its state and due time. */
export function payoutStopWorkItem({
  reference,
  amountMinor,
  currency,
}: Pick<Debit, 'amountMinor' | 'currency'> & { readonly reference: string }) {
  return { summary: { amount: decimalOf(amountMinor), currency, reference } }
}

/**
 * Stops payouts for each reference of a debit that has our form, with a present or former prefix and a right check
 * character, and belongs to no record. A payer's text that was returned to the sender with the payment is excluded:
 * anyone can invent a reference.
 */
export async function stopPayoutsForUnknownDebits(
  tx: Transaction,
  auditContext: AuditContext,
  line: Debit,
  references: readonly string[],
): Promise<void> {
  const prefixes = await ourPrefixes(tx)
  const ofOurForm = [...new Set(references)].filter(
    (one) => prefixes.has(one.slice(0, one.indexOf('-'))) && readReference(one) === one,
  )
  const unknown = await rows<{ reference: string }>(tx)`
    select r.reference from unnest(${ofOurForm}::text[]) as r (reference)
      where not exists (select from withdrawals where reference = r.reference)
        and not exists (select from deposits where reference = r.reference)
        and not exists (select from transfers where reference = r.reference)
        and not exists (select from firm_money_moves where reference = r.reference)
        and not exists (select from bank_lines where amount_minor = ${-line.amountMinor} and currency = ${line.currency}
          and state = 'sent_back' and upper(remittance) like '%' || r.reference || '%')`
  const importedBy = auditContext.identity.kind === 'staff' ? auditContext.identity.id : null
  for (const { reference } of unknown) {
    const made = await requireRow<{ id: string }>(tx)`
      insert into payout_stops (bank_line, reference, amount_minor, currency, imported_by, created_at)
        values (${line.id}, ${reference}, ${line.amountMinor}, ${line.currency}, ${importedBy}, ${auditContext.now}) returning id`
    const facts = { ...payoutStopWorkItem({ ...line, reference }) }
    await recordEvent(tx, auditContext, { kind, action: 'open', record: made.id, to: first, details: facts.summary })
    const dueAt = await workItemDueIn(tx, 'payout_stop', auditContext.now)
    await openWorkItem(tx, kind, made.id, auditContext.now, { ...facts, state: first, dueAt })
  }
}

/** Returns the prefixes that references of the firm have or had. */
async function ourPrefixes(tx: Transaction): Promise<ReadonlySet<string>> {
  const stored = await readSettingHistory(tx, 'firm')
  // The default prefix does not depend on the time.
  const versions = [settingDefault('firm', new Date(0)), ...stored.map(({ value }) => value)]
  return new Set(versions.map(({ referencePrefix }) => referencePrefix))
}

/** Throws `payouts-stopped` while a debit has not been explained by two people. */
export async function assertPayoutsNotStopped(connection: Connection): Promise<void> {
  const stop = await row<{ reference: string }>(connection)`
    select reference from payout_stops where state in ('open', 'explained') order by created_at limit 1`
  if (stop) throw new Problem('payouts-stopped', { values: { reference: stop.reference } })
}
