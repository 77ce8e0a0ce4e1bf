/** Refusals that every call can meet, and those of fields that many forms share. */
import { msg } from './message.ts'
export const generalProblems = {
  // Fields.
  'check-fields': {
    status: 400,
    text: msg`Check the fields marked below.`,
  },
  required: { status: 400, text: msg`This field is required.` },
  invalid: {
    status: 400,
    text: msg`This value is not valid. Check your entry.`,
  },
  'unknown-field': {
    status: 400,
    text: msg`This field does not exist. Leave it out.`,
  },
  'whole-number': {
    status: 400,
    text: msg`Enter a whole number from 0 to {most}.`,
  },
  'unknown-value': {
    status: 400,
    text: msg`Choose a value from the list.`,
  },
  'too-long': {
    status: 400,
    text: msg`Enter {max} characters or fewer.`,
  },
  'too-short': {
    status: 400,
    text: msg`Enter at least 2 characters.`,
  },
  'not-a-line': {
    status: 400,
    text: msg`This contains a line break or an unsupported character. Enter it on one line.`,
  },
  'not-a-text': {
    status: 400,
    text: msg`This contains an unsupported character. Remove it and try again.`,
  },
  'hidden-characters': {
    status: 400,
    text: msg`This text contains invisible characters. Delete the text and type it again.`,
  },
  'email-invalid': {
    status: 400,
    text: msg`Enter a valid email address, for example name@example.com.`,
  },
  'phone-invalid': {
    status: 400,
    text: msg`Enter the number with its country code, for example +44 20 7946 0018.`,
  },
  'date-invalid': {
    status: 400,
    text: msg`Enter a valid date.`,
  },
  'amount-invalid': {
    status: 400,
    text: msg`Enter an amount above 0 with up to 2 decimals, for example 250.00.`,
  },
  'amount-large': {
    status: 400,
    text: msg`This amount is too large. Enter a smaller amount.`,
  },
  'rate-invalid': {
    status: 400,
    text: msg`Enter a rate above 0 with up to 8 decimals, for example 1.0850.`,
  },
  'fee-invalid': {
    status: 400,
    text: msg`Enter a fee of 0 or more with up to 8 decimals, for example 1.5.`,
  },
  'must-accept': { status: 400, text: msg`Tick this box to continue.` },
  'file-unknown': {
    status: 400,
    text: msg`We cannot find this file. Choose it again.`,
  },
  'cursor-invalid': {
    status: 400,
    text: msg`This page of the list is no longer available. Start from the first page.`,
  },

  // Requests.
  malformed: {
    status: 400,
    text: msg`We could not read the request. Reload the page and try again.`,
  },
  'key-invalid': {
    status: 400,
    text: msg`The Idempotency-Key is not valid. Send 1 to 255 printable characters without spaces.`,
  },
  'not-signed-in': { status: 401, text: msg`Please log in.` },
  'session-ended': {
    status: 401,
    text: msg`Your session has ended. Please log in again.`,
  },
  'wrong-role': {
    status: 403,
    text: msg`You do not have permission to do this. Contact an administrator if you need it.`,
  },
  'not-yours': {
    status: 403,
    text: msg`This belongs to another user. Log in with the correct account.`,
  },
  'prove-again': {
    status: 403,
    text: msg`Confirm your identity with your password or an authenticator code.`,
  },
  'registration-first': {
    status: 403,
    text: msg`Complete your registration first.`,
  },
  'approval-first': {
    status: 403,
    text: msg`This is available after we approve your documents and your application.`,
  },
  'not-found': {
    status: 404,
    text: msg`This no longer exists. Go back and open it from its list.`,
  },
  'wrong-state': {
    status: 409,
    text: msg`This is no longer possible. Current status: {state}.`,
  },
  'decided-meanwhile': {
    status: 409,
    text: msg`This has already been decided. Current status: {state}.`,
  },
  'decided-by': {
    status: 409,
    text: msg`{name} has already decided this. Current status: {state}.`,
  },
  'stale-page': {
    status: 409,
    text: msg`This item has changed since you opened it. Check the changes before you decide.`,
  },
  'twin-running': {
    status: 409,
    text: msg`The same request is still being processed. Wait a moment.`,
  },
  'body-large': {
    status: 413,
    text: msg`The request is too large. Send less data or split it into parts.`,
  },
  'body-type': {
    status: 415,
    text: msg`This content type is not supported. Send JSON, or a file where one is required.`,
  },
  'key-reused': {
    status: 422,
    text: msg`This Idempotency-Key has been used for another request. Send a new key.`,
  },
  'too-many': {
    status: 429,
    text: msg`Too many attempts. Wait a moment and try again.`,
  },
  server: { status: 500, text: msg`Server error.` },
  'something-wrong': { status: 500, text: msg`Something went wrong!` },
  unavailable: {
    status: 503,
    text: msg`This service is not available at the moment. Nothing was changed. Try again in a minute.`,
  },
  'database-read-only': {
    status: 503,
    text: msg`Our records are read-only at the moment. Nothing was changed. Try again in a minute.`,
  },
  'money-stopped': {
    status: 503,
    text: msg`We are checking our records with the trading platforms and the bank. You cannot request or change payments or transfers until we finish. Try again later.`,
  },
  'money-stopped-office': {
    status: 503,
    text: msg`Recovery is in progress. No money moves until platforms, card provider and bank have been reconciled. See Recovery.`,
  },
  'outcome-unknown': {
    status: 503,
    text: msg`We could not confirm the result. You can safely try again. It will be carried out only once.`,
  },
  'outcome-unseen': {
    status: 503,
    text: msg`We could not confirm the result. Check the current status before you try again.`,
  },
  'platform-unavailable': {
    status: 503,
    text: msg`The trading platform is not responding. Nothing was changed. Try again in a minute.`,
  },
  'figures-old': {
    status: 503,
    text: msg`We could not read the balance of this account. Nothing was changed. Try again in a minute.`,
  },
  'platform-refused': {
    status: 422,
    text: msg`The trading platform rejected this: {reason}`,
  },
} as const
