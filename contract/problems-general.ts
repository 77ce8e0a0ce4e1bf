/** Problems of every endpoint, and those of shared fields. */
import { msg } from './message.ts'
import { problemTexts } from './problem-texts.ts'

export const generalProblems = {
  // Fields.
  ...problemTexts(400, {
    'check-fields': msg`Check the fields marked below.`,
    required: msg`This field is required.`,
    invalid: msg`This value is not valid. Check your entry.`,
    'unknown-field': msg`This field does not exist. Leave it out.`,
    'not-a-number': msg`Enter a whole number in digits, for example 30.`,
    'whole-number': msg`Enter a whole number from {least} to {most}.`,
    'unknown-value': msg`Choose a value from the list.`,
    'too-long': msg`Enter {max} characters or fewer.`,
    'too-short': msg`Enter at least 2 characters.`,
    'not-a-line': msg`This contains a line break or an unsupported character. Enter it on one line.`,
    'not-a-text': msg`This contains an unsupported character. Remove it and try again.`,
    'hidden-characters': msg`This text contains invisible characters. Delete the text and type it again.`,
    'email-invalid': msg`Enter a valid email address, for example name@example.com.`,
    'phone-invalid': msg`This phone number is not valid. Check the number and its country code, for example +44 20 7946 0018.`,
    'date-invalid': msg`Enter a valid date.`,
    'amount-invalid': msg`Enter an amount above 0 with up to 2 decimals, for example 250.00.`,
    'filter-amount-invalid': msg`Enter an amount in digits with up to 2 decimals, for example 10000 or 10000.50.`,
    'filter-amount-negative': msg`Enter an amount of 0 or more: amounts in this list have no minus sign.`,
    'filter-currency-missing': msg`Choose a currency too: amounts in different currencies cannot be compared.`,
    'amount-large': msg`This amount is too large. Enter a smaller amount.`,
    'time-of-day': msg`Enter a time of day, for example 14:00, or leave the field empty.`,
    'rate-invalid': msg`Enter a rate above 0 with up to 8 decimals, for example 1.0850.`,
    'fee-invalid': msg`Enter a fee of 0 or more with up to 8 decimals, for example 1.5.`,
    'must-accept': msg`Tick this box to continue.`,
    'file-unknown': msg`We cannot find this file. Choose it again.`,
    'cursor-invalid': msg`This page of the list is no longer available. Start from the first page.`,
  }),
  // Requests.
  ...problemTexts(400, {
    malformed: msg`We could not read the request. Reload the page and try again.`,
    'key-invalid': msg`The Idempotency-Key is not valid. Send 1 to 255 printable characters without spaces.`,
  }),
  ...problemTexts(401, {
    'not-signed-in': msg`Please log in.`,
    'session-ended': msg`Your session has ended. Please log in again.`,
  }),
  ...problemTexts(403, {
    'wrong-role': msg`You do not have permission to do this. Contact an administrator if you need it.`,
    'not-yours': msg`This belongs to another user. Log in with the correct account.`,
    'prove-again': msg`Confirm your identity with your password or an authenticator code.`,
    'registration-first': msg`Complete your registration first.`,
    'approval-first': msg`This is available after we approve your documents and your application.`,
  }),
  ...problemTexts(404, {
    'not-found': msg`This entry does not exist or has been deleted. Open it from its list.`,
  }),
  ...problemTexts(409, {
    'wrong-state': msg`This is no longer possible. Current status: {state}.`,
    'decided-meanwhile': msg`This has already been decided. Current status: {state}.`,
    'decided-by': msg`{name} has already decided this. Current status: {state}.`,
    'stale-page': msg`This item has changed since you opened it. Check the changes before you decide.`,
    'twin-running': msg`The same request is still being processed. Wait a moment.`,
  }),
  ...problemTexts(413, {
    'body-large': msg`The request is too large. Send less data or split it into parts.`,
  }),
  ...problemTexts(415, {
    'body-type': msg`This content type is not supported. Send JSON, or a file where one is required.`,
  }),
  ...problemTexts(422, {
    'key-reused': msg`This Idempotency-Key has been used for another request. Send a new key.`,
    'platform-refused': msg`The trading platform rejected this: {reason}`,
  }),
  ...problemTexts(429, {
    'too-many': msg`Too many attempts. Wait a moment and try again.`,
  }),
  ...problemTexts(500, {
    server: msg`Server error.`,
    'something-wrong': msg`Something went wrong!`,
  }),
  ...problemTexts(503, {
    unavailable: msg`This service is not available at the moment. Nothing was changed. Try again in a minute.`,
    'database-read-only': msg`Our records are read-only at the moment. Nothing was changed. Try again in a minute.`,
    'money-stopped': msg`We are checking our records with the trading platforms and the bank. You cannot request or change payments or transfers until we finish. Try again later.`,
    'money-stopped-office': msg`Recovery is in progress. No money moves until platforms, card provider and bank have been reconciled. See Recovery.`,
    'outcome-unknown': msg`We could not confirm the result. You can safely try again. It will be carried out only once.`,
    'outcome-unseen': msg`We could not confirm the result. Check the current status before you try again.`,
    'platform-unavailable': msg`The trading platform is not responding. Nothing was changed. Try again in a minute.`,
    'trading-password-unconfirmed': msg`The trading platform did not confirm your new password, so it may not be valid. Set a password again in a minute.`,
    'figures-old': msg`We could not read the balance of this account. Nothing was changed. Try again in a minute.`,
  }),
}
