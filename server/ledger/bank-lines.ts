/** Bank transactions of the firm's accounts: each is stored once, posted to arrived-unmatched, and left to staff. */
import { bankLineMachine, enteredLinesSince, initialLineState, type BankLineState } from '#rules/deposits.ts'
import { payoutNotPaid } from '#rules/differences.ts'
import { decimalOf, money, type Currency } from '#rules/money.ts'
import { referencesIn } from '#rules/references.ts'
import type { BankLineId, ClientId, StaffId } from '#rules/ids.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { requireRow, row, rows, run, type Transaction } from '../db/sql.ts'
import { openWorkItem, type WorkItem } from '../db/work-items.ts'
import { raiseDifference } from './differences.ts'
import { bookByReference } from './firm-money.ts'
import { post } from './post.ts'
import { stopPayoutsForUnknownDebits } from './payout-stops.ts'
import { isKnownReturn } from './returned-payouts.ts'
import type { FirmAccount } from '../settings/firm-bank-account.ts'
import { readSetting } from '../settings/settings.ts'
import { workItemDueIn } from '../office/due-dates.ts'

/** A transaction in the bank's form. Negative for a debit. */
export interface StatementLine {
  readonly bankId: string
  readonly amountMinor: bigint
  readonly payer: string
  readonly payerAccount: string
  readonly remittance: string
  /** "2026-11-21" */
  readonly bookedOn: string
}

interface AddedLine extends Omit<StatementLine, 'payerAccount' | 'bookedOn'> {
  readonly id: BankLineId
  readonly bankAccount: string
  readonly currency: Currency
  readonly state: BankLineState
}

export interface AddedLines {
  readonly added: AddedLine[]
  /** The number of known ones that the bank now reports differently; each is a discrepancy for staff. */
  readonly differing: number
}

/** Returns the inbox item of an unmatched transaction. The payer's name is what the clerk searches for. */
export function lineWorkItem(
  line: Pick<AddedLine, 'amountMinor' | 'currency' | 'payer' | 'remittance'>,
  dueAt: Date,
  state = 'unmatched',
): WorkItem {
  const { amountMinor, currency, payer, remittance } = line
  return { state, dueAt, summary: { amount: decimalOf(amountMinor), currency, payer, remittance } }
}

/**
 * Posts money that arrived at the bank. Returns true if it has no owner yet. A payout that staff have returned before
 * is already posted; a firm money transfer that two people have confirmed is posted now.
 */
export async function postArrival(
  tx: Transaction,
  auditContext: AuditContext,
  line: Pick<AddedLine, 'id' | 'amountMinor' | 'currency' | 'bankAccount' | 'remittance'>,
): Promise<boolean> {
  const { id, amountMinor, currency, bankAccount: name } = line
  const references = referencesIn(line.remittance)
  if (await isKnownReturn(tx, auditContext, line, references)) return false
  const entry = { ref: `bank-line:${id}`, kind: 'wire-arrival', subject: bankLineMachine.name, record: id }
  await post(tx, auditContext.now, entry, [
    { account: { kind: 'bank', currency, name }, minor: amountMinor },
    { account: { kind: 'arrived_unmatched', currency }, minor: -amountMinor },
  ])
  return references.length === 0 || !(await bookByReference(tx, auditContext, line, references))
}

/**
 * Returns the sum of the receipts of the last 24 hours that rest on this person's word, in minor units: entered, or
 * imported in a statement that does not count them alone, and confirmed by no one else. Locks the person until the
 * transaction ends, so that two entries at the same time count each other.
 */
export async function sumEnteredBy(tx: Transaction, staffId: StaffId, currency: Currency, now: Date): Promise<bigint> {
  await run(tx)`select 1 from staff where id = ${staffId} for no key update`
  const { sum } = await requireRow<{ sum: bigint }>(tx)`
    select coalesce(sum(l.amount_minor), 0)::bigint as sum
      from bank_lines l left join statement_imports i on i.id = l.import_id
      where l.created_at > ${enteredLinesSince(now)} and l.currency = ${currency} and l.amount_minor > 0
        and l.state not in ('second_approval', 'rejected') and l.confirmed_by is null
        and (l.typed_by = ${staffId} or (i.imported_by = ${staffId} and not i.counts_alone))`
  return sum
}

/**
 * Returns the first state of each transaction. In a statement whose balances prove it (`continuesLastStatement`) each
 * counts alone against the threshold; in any other, new receipts count together with those that the same person entered
 * before. Each of a replaced account needs a second person (requirements 24.217).
 */
async function initialStates(
  tx: Transaction,
  { name, currency, replacedAt }: FirmAccount,
  lines: readonly StatementLine[],
  importId: string | null,
  now: Date,
): Promise<BankLineState[]> {
  // A payment that the bank itself reports cannot have been invented in a file.
  if (importId === null) return lines.map(() => 'unmatched')
  const { value: thresholds } = await readSetting(tx, 'thresholds', now)
  const known = await rows<{ bankId: string }>(tx)`
    select bank_id as "bankId" from bank_lines
      where bank_account = ${name} and state <> 'rejected' and bank_id = any (${lines.map((line) => line.bankId)}::text[])`
  const counted = new Set(known.map(({ bankId }) => bankId))
  const added = new Map(
    lines.filter(({ bankId }) => !counted.has(bankId)).map((line) => [line.bankId, line.amountMinor]),
  )
  const addedMinor = [...added.values()].reduce((sum, minor) => sum + minor, 0n)
  const countsAlone = replacedAt === null && (await continuesLastStatement(tx, importId, addedMinor))
  const { importedBy } = await requireRow<{ importedBy: StaffId }>(tx)`
    update statement_imports set counts_alone = ${countsAlone} where id = ${importId} returning imported_by as "importedBy"`
  const threshold = replacedAt === null ? thresholds[currency] : 0n
  let before = countsAlone ? 0n : await sumEnteredBy(tx, importedBy, currency, now)
  return lines.map(({ bankId, amountMinor }) => {
    const state = initialLineState(money(amountMinor, currency), before, money(threshold, currency))
    const counts = !countsAlone && state === 'unmatched' && amountMinor > 0n && !counted.has(bankId)
    if (counts) before += amountMinor
    counted.add(bankId)
    return state
  })
}

/**
 * Returns whether the file itself, and not its importer, states a closing balance that follows from the last one of the
 * account: by its opening balance, or by its new transactions if it repeats known ones. Otherwise the balance proves
 * nothing, because any sum of invented receipts agrees with the ledger to which they are posted.
 */
async function continuesLastStatement(tx: Transaction, importId: string, addedMinor: bigint): Promise<boolean> {
  const found = await row(tx)`
    select from statement_imports i cross join lateral (
        select o.closing_minor, o.closing_on from statement_imports o
          where o.bank_account = i.bank_account and o.id <> i.id and o.closing_minor is not null
          order by o.closing_on desc, o.id desc limit 1) last
      where i.id = ${importId} and not i.balances_entered and i.closing_on >= last.closing_on
        and (i.opening_minor = last.closing_minor or i.closing_minor - ${addedMinor}::bigint = last.closing_minor)`
  return found !== null
}

/**
 * Stores unknown transactions and returns them. Each receipt is pending until matched; those of a file that reach the
 * threshold must first be confirmed as received by a second person. A known one that comes with another amount or
 * currency posts nothing: staff are notified (requirements 28.15). One that was entered manually and rejected by a
 * second person as never received is unknown: if the bank reports it later, it is a transaction like any other.
 */
export async function addLines(
  tx: Transaction,
  auditContext: AuditContext,
  account: FirmAccount,
  lines: readonly StatementLine[],
  importId: string | null,
): Promise<AddedLines> {
  const states = await initialStates(tx, account, lines, importId, auditContext.now)
  const added = await rows<AddedLine>(tx)`
    insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, payer_account, remittance, booked_on,
        state, import_id, created_at)
      select ${account.name}, l.bank_id, l.minor, ${account.currency}, l.payer, l.payer_account, l.remittance, l.booked_on,
        l.state, ${importId}::uuid, ${auditContext.now}
      from unnest(${lines.map((line) => line.bankId)}::text[], ${lines.map((line) => String(line.amountMinor))}::bigint[],
        ${lines.map((line) => line.payer)}::text[], ${lines.map((line) => line.payerAccount)}::text[],
        ${lines.map((line) => line.remittance)}::text[], ${lines.map((line) => line.bookedOn)}::date[], ${states}::text[])
        as l (bank_id, minor, payer, payer_account, remittance, booked_on, state)
      on conflict (bank_account, bank_id) where state <> 'rejected' do nothing
      returning id, bank_id as "bankId", bank_account as "bankAccount", amount_minor as "amountMinor", currency, payer,
        remittance, state`
  const dueAt = await workItemDueIn(tx, 'bank_line', auditContext.now)
  for (const line of added) await postLine(tx, auditContext, line, dueAt)
  return { added, differing: await reportDiffering(tx, auditContext, account, lines) }
}

interface DifferingLine extends AddedLine {
  readonly theirs: bigint
}

async function reportDiffering(
  tx: Transaction,
  auditContext: AuditContext,
  account: FirmAccount,
  lines: readonly StatementLine[],
): Promise<number> {
  const differing = await rows<DifferingLine>(tx)`
    select distinct on (l.id) l.id, l.bank_id as "bankId", l.bank_account as "bankAccount",
        l.amount_minor as "amountMinor", l.currency, l.payer, l.remittance, l.state, g.minor as theirs
      from unnest(${lines.map((line) => line.bankId)}::text[], ${lines.map((line) => String(line.amountMinor))}::bigint[])
        as g (bank_id, minor) join bank_lines l on l.bank_account = ${account.name} and l.bank_id = g.bank_id
      where l.state <> 'rejected' and (l.amount_minor <> g.minor or l.currency <> ${account.currency})`
  for (const { id, bankId, bankAccount, amountMinor, currency, payer, remittance, theirs } of differing) {
    const same = currency === account.currency
    await raiseDifference(tx, auditContext, {
      kind: 'bank-line-differs',
      fingerprint: `bank-line-differs:${id}:${theirs}:${account.currency}`,
      subject: bankLineMachine.name,
      record: id,
      oursMinor: amountMinor,
      theirsMinor: same ? theirs : null,
      currency,
      facts: {
        account: bankAccount,
        bankId,
        payer,
        remittance,
        amount: decimalOf(theirs),
        amountCurrency: account.currency,
      },
    })
  }
  return differing.length
}

/**
 * Posts a receipt as unmatched, stores a debit that belongs to a payout, and raises a difference for any other debit.
 */
async function postLine(tx: Transaction, auditContext: AuditContext, line: AddedLine, dueAt: Date): Promise<void> {
  const { name } = bankLineMachine
  const details = { amount: decimalOf(line.amountMinor), currency: line.currency, bankId: line.bankId }
  await recordEvent(tx, auditContext, { kind: name, action: 'import', record: line.id, to: line.state, details })
  if (line.state === 'second_approval')
    return openWorkItem(tx, name, line.id, auditContext.now, lineWorkItem(line, dueAt, line.state))
  if (line.amountMinor > 0n) {
    if (await postArrival(tx, auditContext, line))
      await openWorkItem(tx, name, line.id, auditContext.now, lineWorkItem(line, dueAt))
    return
  }
  const references = referencesIn(line.remittance)
  if (references.length > 0 && (await bookByReference(tx, auditContext, line, references))) return
  await postDebit(tx, auditContext, line, references)
}

/**
 * Posts money that left the bank. Our payouts have the withdrawal's reference; a reversal, or a payment that we did not
 * make, has none. A payout's debit is the amount sent, or more if the bank took charges.
 */
async function postDebit(tx: Transaction, auditContext: AuditContext, line: AddedLine, references: readonly string[]) {
  const { id, amountMinor, currency, payer, remittance, bankId } = line
  const sent = await row<{ payouts: number; minor: bigint }>(tx)`
    select count(*)::int as payouts, coalesce(sum(amount_minor - fee_minor), 0)::bigint as minor from withdrawals
      where reference = any (${[...references]}::text[]) and currency = ${currency}`
  await notifyNotPaid(tx, auditContext, line, references)
  // A reference that no record has is only assumed if the text has it exactly.
  const written = references.filter((one) => remittance.toUpperCase().includes(one))
  await stopPayoutsForUnknownDebits(tx, auditContext, line, written)
  const expected = -(sent?.minor ?? 0n)
  if (expected === amountMinor) return
  await raiseDifference(tx, auditContext, {
    kind: sent && sent.payouts > 0 ? 'bank-line-differs' : 'bank-outgoing',
    fingerprint: `bank-outgoing:${id}`,
    subject: bankLineMachine.name,
    record: id,
    oursMinor: expected,
    theirsMinor: amountMinor,
    currency,
    facts: { account: line.bankAccount, amount: decimalOf(amountMinor), payer, remittance, bankId },
  })
}

/**
 * Opens a discrepancy for a debit whose withdrawal is not marked as paid, which keeps the withdrawal out of every
 * batch. The confirmation of the batch that sent it closes the discrepancy.
 */
async function notifyNotPaid(
  tx: Transaction,
  auditContext: AuditContext,
  line: AddedLine,
  references: readonly string[],
): Promise<void> {
  const { id, amountMinor, currency, bankId, remittance } = line
  const named = await rows<{ id: string; reference: string; clientId: ClientId }>(tx)`
    select id, reference, client_id as "clientId" from withdrawals
      where reference = any (${[...references]}::text[]) and paid_at is null order by id for update`
  for (const { id: withdrawal, reference, clientId } of named)
    await raiseDifference(tx, auditContext, {
      kind: payoutNotPaid,
      fingerprint: `${payoutNotPaid}:${withdrawal}:${id}`,
      clientId,
      subject: 'withdrawal',
      record: withdrawal,
      oursMinor: 0n,
      theirsMinor: amountMinor,
      currency,
      facts: { reference, amount: decimalOf(amountMinor), remittance, bankId },
    })
}
