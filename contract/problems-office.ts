/** Refusals of the back office. Each says who may, or what to do. */
import { msg } from './message.ts'
export const officeProblems = {
  'own-approval': {
    status: 403,
    text: msg`You gave the first approval. Another person must give the second.`,
  },
  'prefix-too-long': {
    status: 400,
    text: msg`Enter one to three letters from A to Z. Every reference must fit into a platform comment.`,
  },
  'checks-block': {
    status: 409,
    text: msg`Blocked by a check. {check}: {what} {wayOut}`,
  },
  'checks-changed': {
    status: 409,
    text: msg`The checks have changed since you opened this page. Review them and acknowledge the warnings.`,
  },
  'check-not-blocking': {
    status: 409,
    text: msg`This check no longer blocks the request. Reload the page.`,
  },
  'override-not-allowed': {
    status: 409,
    text: msg`This block cannot be overridden.`,
  },
  'override-own': {
    status: 403,
    text: msg`You entered or approved this request. Another person must override the block.`,
  },
  'hold-in-force': {
    status: 409,
    text: msg`Payments of this client are already on hold. Lift the hold before you set another one.`,
  },
  'hold-over': {
    status: 409,
    text: msg`This hold has already ended. Reload the page.`,
  },
  'holder-entered': {
    status: 409,
    text: msg`The account holder’s name has already been entered. Reload the page.`,
  },
  'proof-required': {
    status: 400,
    text: msg`Choose the evidence file for the payer, for example a letter from the payer.`,
  },
  'bank-chosen-and-entered': {
    status: 400,
    text: msg`Choose an approved bank account or enter new bank details, not both.`,
  },
  'last-balance-state': {
    status: 409,
    text: msg`A last balance is entered for suspended, closed and rejected clients. Other clients request a withdrawal themselves.`,
  },
  'debit-sent': {
    status: 409,
    text: msg`The debit has been sent to the platform. Wait for its response.`,
  },
  'own-override': {
    status: 403,
    text: msg`You overrode a block on this request. Another person must decide.`,
  },
  'own-act': {
    status: 403,
    text: msg`You made this request. Another person must decide.`,
  },
  'not-your-act': {
    status: 403,
    text: msg`Only the person who made this request can cancel it.`,
  },
  'own-request': {
    status: 403,
    text: msg`This client has your email address. Another person must decide.`,
  },
  'awaits-client': {
    status: 409,
    text: msg`The client may have cancelled this request after some data was lost. Wait until the client confirms it, or reject it.`,
  },
  'no-recovery': {
    status: 409,
    text: msg`No recovery is open. Reload the page.`,
  },
  'said-before': {
    status: 409,
    text: msg`This has already been confirmed. Reload the page.`,
  },
  'recovery-action': {
    status: 409,
    text: msg`This deal cannot be decided yet, because its account or request is not known here. Decide on the finding of its account first, or ask an administrator.`,
  },
  'payments-on-hold': {
    status: 409,
    text: msg`Payments of this client are on hold. Compliance can lift the hold, or two people of finance refund the payment.`,
  },
  'recovery-credited': {
    status: 409,
    text: msg`The platforms show a credit of this payment, or a deposit exists for it. Decide on that one first. Then run recover again.`,
  },
  'recovery-refunded': {
    status: 409,
    text: msg`The payment behind this credit has been refunded or is being refunded. Reverse the credit.`,
  },
  'recovery-debit-first': {
    status: 409,
    text: msg`Decide the deal that took the money out first. This one follows from it.`,
  },
  'recovery-arrival-unknown': {
    status: 409,
    text: msg`The second part of this transfer was not found and the accounts have different currencies. Choose an account in the same currency.`,
  },
  'recovery-statements': {
    status: 409,
    text: msg`The statements of at least one bank account do not cover the gap yet. Import them first.`,
  },
  'recovery-balance': {
    status: 409,
    text: msg`This is not the last known closing balance. The account has had transactions since. Import its bank statement.`,
  },
  'own-roles': {
    status: 403,
    text: msg`You cannot change your own roles. Ask another administrator.`,
  },
  'own-account': {
    status: 403,
    text: msg`You cannot deactivate yourself or reset your own 2FA. Ask another administrator.`,
  },
  'auditor-alone': {
    status: 400,
    text: msg`An auditor cannot have another role. Choose only this role, or the others without it.`,
  },
  'last-administrator': {
    status: 409,
    text: msg`You cannot remove the last active administrator. Assign this role to another person first.`,
  },
  'second-administrator-missing': {
    status: 409,
    text: msg`This needs two active administrators. With fewer, only the operator command line can change it.`,
  },
  'staff-known': {
    status: 409,
    text: msg`A staff member already has this email address. Change that person’s roles instead.`,
  },
  'client-known': {
    status: 409,
    text: msg`A client with this email address already exists. Search for it under Clients.`,
  },
  'export-too-long': {
    status: 422,
    text: msg`There are more than {most} rows. Narrow the filters, for example to a few days.`,
  },
  'reason-required': { status: 400, text: msg`Enter a reason.` },
  'identity-not-approved': {
    status: 409,
    text: msg`Approve a proof of identity first.`,
  },
  'address-not-approved': {
    status: 409,
    text: msg`Approve a proof of address first.`,
  },
  'requests-open': {
    status: 409,
    text: msg`This client has pending requests. Decide them first.`,
  },
  'money-left': {
    status: 409,
    text: msg`This client still has a balance. Pay it out first.`,
  },
  'client-lives': {
    status: 409,
    text: msg`The relationship with this client has not ended. Close it first.`,
  },
  'factor-reset-waits': {
    status: 409,
    text: msg`A 2FA reset has already been requested. Another person must decide.`,
  },
  'email-change-waits': {
    status: 409,
    text: msg`An email change has already been requested. It must be completed or rejected first.`,
  },
  'answer-first': {
    status: 409,
    text: msg`Check the client’s security answer first. A correct answer is valid for 15 minutes for the person who checked it.`,
  },
  'erasure-waits': {
    status: 409,
    text: msg`The erasure of this client has already been requested.`,
  },
  'erased-already': {
    status: 409,
    text: msg`This client has already been erased.`,
  },
  'answer-tries-over': {
    status: 429,
    text: msg`There have been too many attempts at the security answer. Try again tomorrow.`,
  },
  'field-not-correctable': {
    status: 400,
    text: msg`You cannot correct this field here.`,
  },
  'available-fell': {
    status: 409,
    text: msg`Only {available} is available on the account. Reject this request, or wait until more is available.`,
  },
  'two-people-decide': {
    status: 409,
    text: msg`This discrepancy blocks payouts, so two people must decide. Propose a decision. Another person must confirm it.`,
  },
  'operation-open': {
    status: 409,
    text: msg`The platform has not responded yet. We retry automatically. You do not need to do anything.`,
  },
  'resend-too-early': {
    status: 409,
    text: msg`Before you resend, two checks 60 seconds apart must show that it is not on the platform.`,
  },
  'other-currency': {
    status: 400,
    text: msg`The currencies are different. Choose one in the same currency.`,
  },
  'owner-closed': {
    status: 409,
    text: msg`The client of this account is closed. Return the money to the sender.`,
  },
  'line-known': {
    status: 409,
    text: msg`This payment has already been entered. Search for it in the list.`,
  },
  'line-outgoing': {
    status: 400,
    text: msg`This is an outgoing payment. You can match only incoming payments.`,
  },
  'statement-invalid': {
    status: 422,
    text: msg`Line {line} of the bank statement could not be read: {reason}. Nothing was imported. Correct the file and import it again.`,
  },
  'statement-long': {
    status: 422,
    text: msg`The file has more than {most} lines. Nothing was imported. Import it in parts, for example by day.`,
  },
  'statement-balance': {
    status: 422,
    text: msg`The opening balance of {opening} and transactions of {lines} do not match the closing balance of {closing}. The difference is {gap}. Nothing was imported.`,
  },
  'statement-other-balance': {
    status: 400,
    text: msg`The file contains a different balance. Leave this empty, or correct it.`,
  },
  'statement-other-account': {
    status: 422,
    text: msg`The bank statement is for account {account}, not {ours}. Nothing was imported. Choose the other account or another file.`,
  },
  'statement-account-unknown': {
    status: 422,
    text: msg`The bank statement is for account {account}, which is not one of the firm’s client money accounts. Nothing was imported. Choose another file.`,
  },
  'more-than-firms-own': {
    status: 409,
    text: msg`Firm money is at most {most}. The rest is client money and must stay.`,
  },
  'line-not-free': {
    status: 409,
    text: msg`This bank transaction has already been matched. Open it for details.`,
  },
  'line-differs': {
    status: 400,
    text: msg`The bank transaction has a different amount or currency. Use the values of the bank transaction.`,
  },
  'payout-not-returned': {
    status: 409,
    text: msg`This payout is marked as paid. Mark the withdrawal as returned first. Another person must then match this transaction.`,
  },
  'payout-has-line': {
    status: 409,
    text: msg`This payout is already matched to another bank transaction. Open the withdrawal for details.`,
  },
  'more-than-payout': {
    status: 400,
    text: msg`The received amount is higher than this payout, so it is a different payment.`,
  },
  'own-return': {
    status: 403,
    text: msg`You marked this payout as returned. Another person must match the transaction.`,
  },
  'account-unknown-bank': {
    status: 400,
    text: msg`The firm does not have this bank account. Add it in the settings first.`,
  },
  'in-payout-batch': {
    status: 409,
    text: msg`This withdrawal is in a payout batch. Void the batch first.`,
  },
  'reversal-asked': {
    status: 409,
    text: msg`The reversal has already been requested. Another person must confirm or withdraw it.`,
  },
  'reversal-not-asked': {
    status: 409,
    text: msg`No reversal has been requested for this withdrawal.`,
  },
  'own-import': {
    status: 403,
    text: msg`You imported this bank transaction. Another person must decide.`,
  },
  'payouts-stopped': {
    status: 409,
    text: msg`Payouts are stopped. The bank shows a debit with reference {reference}, which is not in our records. Two finance supervisors must explain it or open recovery.`,
  },
  'payout-not-paid': {
    status: 409,
    text: msg`The bank shows a payment for this withdrawal, but it is not marked as paid.`,
  },
  'own-batch': {
    status: 403,
    text: msg`You created this batch. Another person must release it.`,
  },
  'approved-in-batch': {
    status: 403,
    text: msg`You approved a payment in this batch. Another person who approved none of its payments must release it.`,
  },
  'own-release': {
    status: 403,
    text: msg`You released this batch. Another person must confirm that the bank has sent it.`,
  },
  'batch-changed': {
    status: 409,
    text: msg`The batch has changed: {count} payments, {total}. It has not been released. Review it again.`,
  },
  'payout-paid-already': {
    status: 409,
    text: msg`The bank has already paid this withdrawal.`,
  },
  'recovery-uncovered': {
    status: 409,
    text: msg`You cannot reverse this debit yet. The bank may have paid it. Import the bank statements up to the day shown under Recovery. Then decide.`,
  },
  'recovery-paid-out': {
    status: 409,
    text: msg`You cannot reverse this debit. A bank statement shows its payment. Adopt it.`,
  },
  'recovery-line-needed': {
    status: 409,
    text: msg`This bank transaction does not match the deposit. Choose one with the amount of the deal and its fee.`,
  },
  'line-of-adopted': {
    status: 409,
    text: msg`This payment may belong to deposit {reference}, which recovery adopted and which has already been credited. Match it to that deposit first.`,
  },
  'recovery-choice': {
    status: 400,
    text: msg`This decision is not possible for this finding. Choose another one.`,
  },
  'recovery-group': {
    status: 409,
    text: msg`This account is in no group of our live accounts, so it cannot be linked to a client. Keep it disabled, or move it to the right group at the platform and run recover again.`,
  },
  'client-unknown': {
    status: 404,
    text: msg`No approved client has this email address. Check it in the client list.`,
  },
  'account-known': {
    status: 409,
    text: msg`A record has this account by now. Drop the proposal; the next run of recover closes the finding.`,
  },
  'bank-number-needed': {
    status: 400,
    text: msg`Check the bank and enter the number of the last payout batch in this currency, for example PB-000041. Enter 0 if there is none.`,
  },
  'batch-not-released': {
    status: 409,
    text: msg`The payout file is created when the batch is released.`,
  },
  'batch-file-differs': {
    status: 409,
    text: msg`The file of {number} no longer matches the released batch. Do not pay it. Inform the administrator.`,
  },
  'all-left-out': {
    status: 409,
    text: msg`None of these withdrawals can be paid now: {references}. Open them for details.`,
  },
  'nothing-to-pay': {
    status: 409,
    text: msg`No withdrawals in {currency} are ready for payout.`,
  },
  'accounts-not-client': { status: 400, text: msg`Choose accounts of this client.` },
  'value-unchanged': {
    status: 400,
    text: msg`This is already the current value. Enter the correct value.`,
  },
  'leverage-over-right': {
    status: 409,
    text: msg`This leverage is not available for this client and account. Reject the request.`,
  },
  'client-not-approved': {
    status: 409,
    text: msg`The client has not been approved. No account can be opened.`,
  },
  'mt4-not-connected': {
    status: 409,
    text: msg`{platform} is not connected. This request stays pending.`,
  },
  'setting-invalid': {
    status: 400,
    text: msg`This setting is not valid: {reason}`,
  },
  'setting-unchanged': {
    status: 400,
    text: msg`You have not made any changes. Change something before you save.`,
  },
  'change-waits': {
    status: 409,
    text: msg`A change of this setting is already pending. A second administrator must decide it, or it must be cancelled, first.`,
  },
  'mrz-invalid': {
    status: 400,
    text: msg`A machine-readable zone has 2 lines of 44 or 36 characters, or 3 lines of 30.`,
  },
  'wealth-asked': {
    status: 409,
    text: msg`This has already been requested from the client. Wait for the answer.`,
  },
  'file-not-scanned': {
    status: 409,
    text: msg`The virus scan of this file has not finished. It is retried every minute.`,
  },
  'file-undisplayable': {
    status: 422,
    text: msg`This file cannot be displayed. Download it with a reason, or request another file from the client.`,
  },
  'picture-reason': {
    status: 400,
    text: msg`Enter a reason for viewing this image. The reason is logged.`,
  },
  'job-gone': {
    status: 409,
    text: msg`This operation is done or already running. Reload the list.`,
  },
  'staff-email-or-password': {
    status: 401,
    text: msg`Email or password is not correct. Check both, or ask an administrator for a new invitation.`,
  },
  'enrolment-first': {
    status: 403,
    text: msg`Set up two-factor authentication first with the link in your invitation.`,
  },
} as const
