/** Refusals of the portal's own forms. Texts of requirements 16.2 stand word for word. */
import { msg } from './message.ts'
export const portalProblems = {
  // Sign-in, links, passwords.
  'email-or-password': {
    status: 401,
    text: msg`Email or password is not correct. Check both, or reset the password.`,
  },
  'password-unreadable': {
    status: 401,
    text: msg`We could not read the encrypted password. Reload the page and try again.`,
  },
  'password-garbled': {
    status: 400,
    text: msg`We could not read the encrypted password. Reload the page and try again.`,
  },
  'password-plain': { status: 400, text: msg`Send the password encrypted.` },
  'login-code-wrong': {
    status: 401,
    text: msg`This code is not correct or has already been used. Enter the next code from your app.`,
  },
  'ticket-ended': {
    status: 401,
    text: msg`This took too long. Please log in again.`,
  },
  'access-suspended': {
    status: 403,
    text: msg`Your access has been suspended. Contact {email} to find out what we need.`,
  },
  'access-closed': {
    status: 403,
    text: msg`This client relationship has ended. For questions, email {email}.`,
  },
  'password-incorrect': {
    status: 400,
    text: msg`The current password is not correct. Enter it again.`,
  },
  'passwords-differ': { status: 400, text: msg`Passwords MUST match!` },
  'password-short': {
    status: 400,
    text: msg`Password MUST contain at least {min} characters!`,
  },
  'password-long': {
    status: 400,
    text: msg`A password can have up to 256 characters. Choose a shorter one.`,
  },
  'password-characters': {
    status: 400,
    text: msg`This password contains unsupported characters. Remove them.`,
  },
  'password-leaked': {
    status: 400,
    text: msg`This password has appeared in a data breach. Choose another one.`,
  },
  'password-common': {
    status: 400,
    text: msg`This password is too common. Choose another one.`,
  },
  'password-own': {
    status: 400,
    text: msg`Do not use your name or email address as your password. Choose another one.`,
  },
  'code-wrong': {
    status: 400,
    text: msg`This code is not correct or has already been used. Enter the next code from your app.`,
  },
  'factor-on': {
    status: 409,
    text: msg`Two-factor authentication is already on. Reload the page.`,
  },
  'factor-off': {
    status: 409,
    text: msg`Two-factor authentication is not on. Reload the page.`,
  },
  'factor-not-started': {
    status: 409,
    text: msg`Start setting up two-factor authentication again to get a new key.`,
  },
  'link-unknown': {
    status: 404,
    text: msg`This link is not valid. Check that you copied the whole link.`,
  },
  'link-used': {
    status: 409,
    text: msg`This link has already been used or replaced. Use the latest email, or request a new link.`,
  },
  'email-taken': {
    status: 409,
    text: msg`Another person is now registered with this address. Nothing was changed. Contact support.`,
  },
  'link-expired': {
    status: 409,
    text: msg`This link has expired. Request a new one.`,
  },

  // Registration and profile.
  'birth-date-required': {
    status: 400,
    text: msg`Please, set your birth date.`,
  },
  'under-age': { status: 400, text: msg`You must be 18 or older.` },
  'country-unavailable': {
    status: 400,
    text: msg`We cannot offer our services to residents of this country.`,
  },
  'postcode-length': {
    status: 400,
    text: msg`Enter a postcode of 3 to 10 characters. If your country has no postcodes, enter 00000.`,
  },
  'step-unknown': {
    status: 400,
    text: msg`This registration step does not exist. Reload the page.`,
  },
  'step-skipped': {
    status: 409,
    text: msg`Complete the earlier step first. We will take you there.`,
  },
  'step-closed': {
    status: 409,
    text: msg`This step is complete. You can change the details in your profile later.`,
  },
  'email-not-confirmed': {
    status: 409,
    text: msg`Confirm your email address first with the link we sent you.`,
  },
  'registration-over': {
    status: 409,
    text: msg`Your registration is complete. Log in to continue.`,
  },
  'text-replaced': {
    status: 409,
    text: msg`There is a newer version of this text, {version}. Please read it first.`,
  },
  'resend-wait': {
    status: 429,
    text: msg`We have just sent you an email. You can request another one in {seconds} seconds.`,
  },
  'email-locked': {
    status: 403,
    text: msg`You cannot change the email address here. Contact support to change it.`,
  },

  // Documents and files.
  'expiry-date-required': {
    status: 400,
    text: msg`Please, set the expiry date.`,
  },
  'document-locked': {
    status: 409,
    text: msg`We are reviewing this document. You can change it after our decision.`,
  },
  'document-approved': {
    status: 409,
    text: msg`This document has been approved. You do not need to change it.`,
  },
  'document-not-accepted': {
    status: 400,
    text: msg`We do not accept this type of document from this country. Choose another one.`,
  },
  'document-expired': {
    status: 400,
    text: msg`This document has expired. Upload a valid one.`,
  },
  'issue-in-future': {
    status: 400,
    text: msg`The date of issue is in the future. Check day, month and year.`,
  },
  'issue-too-old': {
    status: 400,
    text: msg`A proof of address must be dated within the last 3 months.`,
  },
  'front-required': { status: 400, text: msg`Upload the front side.` },
  'back-required': { status: 400, text: msg`Upload the back side.` },
  'application-refused': {
    status: 409,
    text: msg`We cannot accept your application. You do not need to send more documents.`,
  },
  'wealth-not-asked': {
    status: 409,
    text: msg`We have not requested proof of the source of your wealth. You do not need to send one.`,
  },
  'identity-missing': {
    status: 400,
    text: msg`Upload a proof of identity first. Then you can send both.`,
  },
  'address-missing': {
    status: 400,
    text: msg`Upload a proof of address first. Then you can send both.`,
  },
  'nothing-to-send': {
    status: 409,
    text: msg`There are no new documents to send. Upload a document first.`,
  },
  'send-failed': {
    status: 500,
    text: msg`Something went wrong on our side. Please, contact support and we'll look into it.`,
  },
  'file-missing': {
    status: 400,
    text: msg`We did not receive a file, or it is empty. Choose it again.`,
  },
  'file-many': { status: 400, text: msg`Upload one file at a time.` },
  'file-large': {
    status: 413,
    text: msg`This file is larger than 15 MB. A photo is usually smaller than a scan.`,
  },
  'file-kind': {
    status: 415,
    text: msg`Choose a JPEG, PNG, WebP or PDF file.`,
  },
  'file-heic': {
    status: 415,
    text: msg`HEIC images are not supported. Save the image as JPEG and choose it again.`,
  },
  'file-broken': {
    status: 422,
    text: msg`This file is damaged or locked. Save it again or take a photo.`,
  },
  'file-active': {
    status: 422,
    text: msg`This PDF contains scripts or active forms. Print it to a new PDF or take a photo.`,
  },
  'file-pages': {
    status: 422,
    text: msg`This PDF has more than {most} pages. Upload only the pages we need.`,
  },
  'file-infected': {
    status: 422,
    text: msg`The virus scanner rejected this file. Choose another one.`,
  },
  'file-quota': {
    status: 409,
    text: msg`You have reached the file limit. Contact us to send another file.`,
  },
  'file-damaged': {
    status: 500,
    text: msg`This stored file is damaged. We have been notified. If you still have the file, upload it again.`,
  },
  'storage-full': {
    status: 503,
    text: msg`We cannot store files at the moment. No data was lost. Try again in a few minutes.`,
  },
} as const
