/**
 * The features' part of recovery: how a request of each kind is moved to the state that a deal proves. The feature
 * changes states and writes rows; the deal itself is adopted as an operation of the request (adopt-deal.ts).
 */
import type { ReferenceLeg } from '#rules/references.ts'
import { decimalOf, type Currency, type Money } from '#rules/money.ts'
import type { AccountId, BankLineId, ClientId } from '#rules/ids.ts'
import type { AuditContext } from '../db/events.ts'
import type { Connection, Transaction } from '../db/sql.ts'
import type { Keys } from '../crypto/keys.ts'
import type { Platform } from '../dependencies.ts'

/** A balance deal on a platform whose comment verifies as ours. */
export interface FoundDeal {
  readonly platform: Platform
  readonly login: string
  readonly ticket: string
  readonly amount: Money
  readonly comment: string
  readonly at: Date
  readonly shown: string
  /** Null for a leg that only a later version knows. */
  readonly leg: ReferenceLeg | null
  readonly generation: number
}

/** The account of a deal, as the database knows it. */
export interface DealAccount {
  readonly id: AccountId
  readonly clientId: ClientId
  readonly currency: Currency
}

/** What two people name besides the action, if the database cannot determine it. */
export interface Proposal {
  /** For a lost withdrawal: the client's bank account to which it is paid. */
  readonly bankId?: string | undefined
  /** For a lost transfer: the destination account. */
  readonly destinationId?: string | undefined
  /** For a lost deposit: its payment method. */
  readonly depositType?: 'wire' | 'cc_gcen' | undefined
  /** For a bank transfer whose match was lost: the bank transaction that paid it, if none names it. */
  readonly lineId?: string | undefined
  /** Who proposed and who confirms, for a lost correction. */
  readonly proposedBy: string
  readonly confirmedBy: string
}

/** The known data of a request that is no longer in the database. */
export interface LostRequest {
  readonly deal: FoundDeal
  readonly account: DealAccount
  readonly proposal: Proposal
  readonly keys: Pick<Keys, 'reference'>
}

export interface FoundRequest<RecordId extends string = string> {
  readonly id: RecordId
  readonly clientId: ClientId
}

/** How one kind of request is brought to the state that the platform shows. */
export interface RequestAdoption<RecordId extends string = string> {
  /** Returns the request with a visible reference, or null. */
  find(tx: Transaction, shown: string): Promise<FoundRequest<RecordId> | null>
  /** Returns whether amount and account of a deal are those of this leg of the request. */
  fits(tx: Transaction, id: RecordId, deal: FoundDeal): Promise<boolean>
  /** Moves the request to the state in which this leg is being processed. Nothing is sent. */
  bringTo(tx: Transaction, id: RecordId, deal: FoundDeal, auditContext: AuditContext, named?: Named): Promise<void>
  /**
   * Ends a request that has not been decided, because its deal is posted apart from it and its reference must not be
   * used again. Returns false if it was approved and continues.
   */
  end(tx: Transaction, id: RecordId, auditContext: AuditContext): Promise<boolean>
  /** Returns the bank transactions that may have paid for this deal: people choose one if none names it. */
  lines?(connection: Connection, deal: FoundDeal, keys: Named['keys'], now: Date): Promise<LineOfDeal[]>
  /**
   * Writes a lost request again under its visible reference and returns its id. Throws a Problem if something is
   * missing.
   */
  recreate(tx: Transaction, lost: LostRequest, auditContext: AuditContext): Promise<RecordId>
}

/** Returns whether a request was rejected or cancelled: nothing of it continues. */
export function hasEnded(request: { readonly state: string } | null): boolean {
  return request?.state === 'rejected' || request?.state === 'cancelled'
}

/** Returns the details of a lost request's first event, which is written again. */
export function recoveredDetails({ login, shown }: FoundDeal, { minor, currency }: Money) {
  return { amount: decimalOf(minor), currency, account: login, reference: shown }
}

/** The values that two people have named for a deal. */
export type Named = Pick<LostRequest, 'proposal' | 'keys'>

/** A bank transaction with the amount that a deal credited, and its fee. */
export interface LineOfDeal {
  readonly id: BankLineId
  readonly payer: string
  readonly remittance: string
  readonly amountMinor: bigint
  /** "2026-11-21" */
  readonly bookedOn: string
  /** True if it has the deposit's reference, or the reference is derived from it. */
  readonly named: boolean
}

/** By the name of the record's state machine. */
export type Adoptions = Readonly<Record<string, RequestAdoption>>

/** The kind of record of a leg: the name of its state machine. */
export const subjectOfLeg: Readonly<Partial<Record<ReferenceLeg, string>>> = {
  'withdrawal-debit': 'withdrawal',
  'withdrawal-reversal': 'withdrawal',
  'withdrawal-return': 'withdrawal',
  'transfer-withdraw': 'transfer',
  'transfer-deposit': 'transfer',
  'transfer-compensate': 'transfer',
  'deposit-credit': 'deposit',
  correction: 'correction',
}
