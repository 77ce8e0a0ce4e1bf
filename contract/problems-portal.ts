/** Problems of the portal's own forms. Texts of requirements 16.2 are used word for word. */
import { msg } from './message.ts'
import { problemTexts } from './problem-texts.ts'

export const portalProblems = {
  // Sign-in, links, passwords.
  ...problemTexts(400, {
    'password-garbled': msg`We could not read the encrypted password. Reload the page and try again.`,
    'password-plain': msg`Send the password encrypted.`,
    'password-incorrect': msg`The current password is not correct. Enter it again.`,
    'passwords-differ': msg`Passwords MUST match!`,
    'password-short': msg`Password MUST contain at least {min} characters!`,
    'password-long': msg`A password can have up to 256 characters. Choose a shorter one.`,
    'password-characters': msg`This password contains unsupported characters. Remove them.`,
    'password-leaked': msg`This password has appeared in a data breach. Choose another one.`,
    'password-common': msg`This password is too common. Choose another one.`,
    'password-own': msg`Do not use your name or email address as your password. Choose another one.`,
    'code-wrong': msg`This code is not correct or has already been used. Enter the next code from your app.`,
  }),
  ...problemTexts(401, {
    'email-or-password': msg`Email or password is not correct. Check both, or reset the password.`,
    'password-unreadable': msg`We could not read the encrypted password. Reload the page and try again.`,
    'login-code-wrong': msg`This code is not correct or has already been used. Enter the next code from your app.`,
    'ticket-ended': msg`This took too long. Please log in again.`,
  }),
  ...problemTexts(403, {
    'access-suspended': msg`Your access has been suspended. Contact {email} to find out what we need.`,
    'access-closed': msg`This client relationship has ended. For questions, email {email}.`,
  }),
  ...problemTexts(404, {
    'link-unknown': msg`This link is not valid. Check that you copied the whole link.`,
  }),
  ...problemTexts(409, {
    'factor-on': msg`Two-factor authentication is already on. Reload the page.`,
    'factor-off': msg`Two-factor authentication is not on. Reload the page.`,
    'factor-not-started': msg`Start setting up two-factor authentication again to get a new key.`,
    'link-used': msg`This link has already been used or replaced. Use the latest email, or request a new link.`,
    'email-taken': msg`Another person is now registered with this address. Nothing was changed. Contact support.`,
    'link-expired': msg`This link has expired. Request a new one.`,
  }),
  // Registration and profile.
  ...problemTexts(400, {
    'birth-date-required': msg`Please, set your birth date.`,
    'under-age': msg`You must be 18 or older.`,
    'country-unavailable': msg`We cannot offer our services to residents of this country.`,
    'postcode-length': msg`Enter a postcode of 3 to 10 characters. If your country has no postcodes, enter 00000.`,
    'step-unknown': msg`This registration step does not exist. Reload the page.`,
  }),
  ...problemTexts(403, {
    'email-locked': msg`You cannot change the email address here. Contact support to change it.`,
  }),
  ...problemTexts(409, {
    'step-skipped': msg`Complete the earlier step first. We will take you there.`,
    'step-closed': msg`This step is complete. You can change the details in your profile later.`,
    'email-not-confirmed': msg`Confirm your email address first with the link we sent you.`,
    'registration-over': msg`Your registration is complete. Log in to continue.`,
    'text-replaced': msg`There is a newer version of this text, {version}. Please read it first.`,
  }),
  ...problemTexts(429, {
    'resend-wait': msg`We have just sent you an email. You can request another one in {seconds, plural, one {# second} other {# seconds}}.`,
  }),
  // Documents and files.
  ...problemTexts(400, {
    'expiry-date-required': msg`Please, set the expiry date.`,
    'document-not-accepted': msg`We do not accept this type of document from this country. Choose another one.`,
    'document-expired': msg`This document has expired. Upload a valid one.`,
    'issue-in-future': msg`The date of issue is in the future. Check day, month and year.`,
    'issue-too-old': msg`A proof of address must be dated within the last 3\u00a0months.`,
    'front-required': msg`Upload the front side.`,
    'back-required': msg`Upload the back side.`,
    'identity-missing': msg`Upload a proof of identity first. Then you can send both.`,
    'address-missing': msg`Upload a proof of address first. Then you can send both.`,
    'file-missing': msg`We did not receive a file, or it is empty. Choose it again.`,
    'reference-not-found': msg`You have no request with this reference. Check it in Transactions History, or leave this field empty.`,
    'file-many': msg`Upload one file at a time.`,
  }),
  ...problemTexts(409, {
    'document-locked': msg`We are reviewing this document. You can change it after our decision.`,
    'document-approved': msg`This document has been approved. You do not need to change it.`,
    'application-refused': msg`We cannot accept your application. You do not need to send more documents.`,
    'wealth-not-asked': msg`We have not requested proof of the source of your wealth. You do not need to send one.`,
    'nothing-to-send': msg`There are no new documents to send. Upload a document first.`,
    'file-quota': msg`You have reached the file limit. Contact us to send another file.`,
  }),
  ...problemTexts(413, {
    'file-large': msg`This file is larger than 15\u00a0MB. A photo is usually smaller than a scan.`,
  }),
  ...problemTexts(415, {
    'file-kind': msg`Choose a JPEG, PNG, WebP or PDF file.`,
    'file-heic': msg`HEIC images are not supported. Save the image as JPEG and choose it again.`,
  }),
  ...problemTexts(422, {
    'file-broken': msg`This file is damaged or locked. Save it again or take a photo.`,
    'file-active': msg`This PDF contains scripts or active forms. Print it to a new PDF or take a photo.`,
    'file-pages': msg`This PDF has more than {most} pages. Upload only the pages we need.`,
    'file-infected': msg`The virus scanner rejected this file. Choose another one.`,
  }),
  ...problemTexts(500, {
    'send-failed': msg`Something went wrong on our side. Please, contact support and we'll look into it.`,
    'file-damaged': msg`This stored file is damaged. We have been notified. If you still have the file, upload it again.`,
  }),
  ...problemTexts(503, {
    'upload-slow': msg`Your connection is too slow for this upload. Check it and try again, or choose a smaller file.`,
    'storage-full': msg`We cannot store files at the moment. No data was lost. Try again in a few minutes.`,
  }),
}
