/**
 * The ids of records. Each kind has a type of its own, so that ids cannot be confused (docs/architecture.md, rule 7).
 */

declare const kind: unique symbol
/** The id of a record, by the name of its state machine. */
export type Id<Kind extends string> = string & { readonly [kind]: Kind }
/** The id type of a machine's record; string for an unknown machine. */
export type IdOf<Name extends string> = string extends Name ? string : Id<Name>

export type ClientId = Id<'client'>
export type AccountId = Id<'account'>
export type StaffId = Id<'staff'>
export type BankDetailsId = Id<'bank_details'>
export type BankLineId = Id<'bank_line'>
export type CorrectionId = Id<'correction'>
export type DepositId = Id<'deposit'>
export type DifferenceId = Id<'difference'>
export type DocumentId = Id<'document'>
export type EnquiryId = Id<'enquiry'>
export type FactorResetId = Id<'factor_reset'>
export type FileId = Id<'file'>
export type FirmMoneyId = Id<'firm_money'>
export type LeverageRequestId = Id<'leverage_request'>
export type PayoutBatchId = Id<'payout_batch'>
export type PayoutStopId = Id<'payout_stop'>
export type ProfessionalId = Id<'professional'>
export type ProfileChangeId = Id<'profile_change'>
export type RecoveryItemId = Id<'recovery_item'>
export type SettingChangeId = Id<'setting_change'>
export type StaffChangeId = Id<'staff_change'>
export type TransferId = Id<'transfer'>
export type WithdrawalId = Id<'withdrawal'>
