/**
 * Texts for staff for the sentences of the mail adapter (smtp.ts, access-token.ts); `words` is the server's own text.
 */
import { msg, type Labels, type Message } from '#contract/message.ts'

/** Precedes the last error of each mail while the server rejects all recipients (jobs/mail-outage.ts). */
export const everyEmailRejected = 'The mail server rejects every email.'

export const mailLabels: Labels = {
  [everyEmailRejected]: msg`The mail server rejects every email.`,
  'The mail server could not be reached': msg`The mail server could not be reached.`,
  'The mail server did not respond': msg`The mail server did not respond.`,
  "The mail's recipient cannot be sent": msg`The email address of the recipient is not valid.`,
  "The mail's message id cannot be sent": msg`The message ID of the email is not valid.`,
  "The mail's subject or sender cannot be sent": msg`The subject or sender of the email contains an unsupported character.`,
}

/** Sentences with a value, the longer ones first. */
export const mailPatterns: readonly (readonly [RegExp, Message])[] = [
  [
    /^The mail server answered (?<words>.+): the mailbox may not send as MAIL_FROM\..*$/s,
    msg`The mailbox is not allowed to send as MAIL_FROM. Grant it the “Send as” permission. The mail server answered “{words}”.`,
  ],
  [
    /^The mail server answered (?<words>.+) to STARTTLS: .*$/s,
    msg`The mail server offers no TLS there. Use its port for smtps:// in SMTP_URL. The mail server answered “{words}”.`,
  ],
  [
    /^The mail server answered (?<words>.+) to the connection$/s,
    msg`The mail server answered “{words}” to our connection.`,
  ],
  [
    /^The mail server answered (?<words>.+) to (?<command>[A-Z][A-Z ]*)$/s,
    msg`The mail server answered “{words}” to {command}.`,
  ],
  [/^The mail server answered (?<words>.+)$/s, msg`The mail server answered “{words}”.`],
  [
    /^The mail server rejected our sign-in \((?<words>[^)]+)\)\. Switch on .*$/s,
    msg`The mail server rejected our sign-in. Switch on authenticated SMTP for the mailbox and the tenant. The mail server answered “{words}”.`,
  ],
  [
    /^The mail server rejected our sign-in \((?<words>[^)]+)\)\. It takes no passwords .*$/s,
    msg`The mail server rejected our sign-in. It no longer accepts passwords. Set SMTP_AUTH=oauth2. The mail server answered “{words}”.`,
  ],
  [
    /^The mail server rejected our sign-in \((?<words>[^)]+)\)\. Check user .*$/s,
    msg`The mail server rejected our sign-in. Check user and password in SMTP_URL. The mail server answered “{words}”.`,
  ],
  [
    /^The mail server rejected our sign-in \((?<words>[^)]+)\)\. Allow the client to send by the mailbox (?<mailbox>\S+), .*$/s,
    msg`The mail server rejected our sign-in. Allow the client to send by the mailbox {mailbox}, and check SMTP_OAUTH_SCOPE. The mail server answered “{words}”.`,
  ],
  [
    /^The mail server rejected our sign-in\. .*$/s,
    msg`The mail server rejected our sign-in. Check its settings: user, password or access token.`,
  ],
  [
    /^The mail server's certificate is not trusted \((?<code>[^)]+)\)\. .*$/s,
    msg`The mail server’s certificate is not trusted ({code}). Specify your certificate authority in SMTP_CA_FILE.`,
  ],
  [
    /^No response from the token endpoint (?<host>\S+)\. .*$/s,
    msg`No response from the token endpoint {host}. Check SMTP_OAUTH_TOKEN_URL.`,
  ],
  [
    /^The token endpoint (?<host>\S+) gave no access token \((?<words>[^)]+)\)\. Check SMTP_OAUTH_CLIENT_ID, .*$/s,
    msg`The token endpoint {host} issued no access token. Check SMTP_OAUTH_CLIENT_ID, and whether SMTP_OAUTH_CLIENT_SECRET has expired. It answered “{words}”.`,
  ],
  [
    /^The token endpoint (?<host>\S+) gave no access token \((?<words>[^)]+)\)\. Check (?<settings>SMTP_OAUTH_SCOPE|SMTP_OAUTH_TOKEN_URL)\.$/s,
    msg`The token endpoint {host} issued no access token. Check {settings}. It answered “{words}”.`,
  ],
  [
    /^The token endpoint (?<host>\S+) gave no access token \((?<words>[^)]+)\)\. Check SMTP_OAUTH_TOKEN_URL and .*$/s,
    msg`The token endpoint {host} issued no access token. Check SMTP_OAUTH_TOKEN_URL and SMTP_OAUTH_SCOPE. It answered “{words}”.`,
  ],
  [
    /^The token endpoint (?<host>\S+) gave no access token \((?<words>[^)]+)\)\. Allow the client .*$/s,
    msg`The token endpoint {host} issued no access token. Allow the client the “client credentials” flow there. It answered “{words}”.`,
  ],
  [
    /^The token endpoint (?<host>\S+) gave no access token \((?<words>[^)]+)\)\. .*$/s,
    msg`The token endpoint {host} issued no access token. It answered “{words}”.`,
  ],
]
