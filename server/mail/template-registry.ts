/** All kinds of mails by name; an operation's row stores the name. */
import type { MailKind } from '#contract/office/mail-kinds.ts'
import { clientLanguage } from '#rules/client-language.ts'
import type { Language } from '#rules/choices.ts'
import { commentText } from '../i18n/format.ts'
import { accountMailTemplates } from './templates/accounts.ts'
import { bankDetailsMailTemplates } from './templates/bank-details.ts'
import { clientMailTemplates } from './templates/clients.ts'
import { correctionMailTemplates } from './templates/corrections.ts'
import { depositMailTemplates } from './templates/deposits.ts'
import { documentMailTemplates } from './templates/documents.ts'
import { enquiryMailTemplates } from './templates/enquiries.ts'
import type { MailContent, MailTemplate, Letterhead } from './template.ts'
import { securityMailTemplates } from './templates/security.ts'
import { staffMailTemplates } from './templates/staff.ts'
import { statementMailTemplates } from './templates/statements.ts'
import { transferMailTemplates } from './templates/transfers.ts'
import { withdrawalMailTemplates } from './templates/withdrawals.ts'

export const mailTemplates = {
  ...accountMailTemplates,
  ...bankDetailsMailTemplates,
  ...clientMailTemplates,
  ...correctionMailTemplates,
  ...depositMailTemplates,
  ...documentMailTemplates,
  ...enquiryMailTemplates,
  ...securityMailTemplates,
  ...staffMailTemplates,
  ...statementMailTemplates,
  ...transferMailTemplates,
  ...withdrawalMailTemplates,
} as const satisfies Record<MailKind, MailTemplate>

export type { MailKind }

/**
 * Renders a mail in the recipient's language; for a client, in one of the firm's languages. A reason stored as a code
 * becomes its text.
 */
export function renderMail(
  kind: MailKind,
  facts: Readonly<Record<string, unknown>>,
  recipientLanguage: Language,
  letterhead: Letterhead,
): MailContent & { readonly language: Language } {
  const language =
    kind in staffMailTemplates ? recipientLanguage : clientLanguage(letterhead.languages, recipientLanguage)
  const { reason } = facts
  const localized = typeof reason === 'string' ? { ...facts, reason: commentText(reason, language) } : facts
  return { ...mailTemplates[kind](localized, language, letterhead), language }
}
