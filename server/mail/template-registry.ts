/** Every kind of mail by its name; the name is what an operation's row keeps. */
import type { MailKind } from '#contract/office/mail-kinds.ts'
import { spokenLanguage } from '#rules/client-language.ts'
import type { Language } from '../http/problem.ts'
import { commentText } from '../i18n/format.ts'
import { accountLetters } from './templates/accounts.ts'
import { bankDetailsLetters } from './templates/bank-details.ts'
import { clientLetters } from './templates/clients.ts'
import { correctionLetters } from './templates/corrections.ts'
import { depositLetters } from './templates/deposits.ts'
import { documentLetters } from './templates/documents.ts'
import type { Drawn, LetterKind, Stationery } from './template.ts'
import { peopleLetters } from './templates/security.ts'
import { staffLetters } from './templates/staff.ts'
import { transferLetters } from './templates/transfers.ts'
import { withdrawalLetters } from './templates/withdrawals.ts'

export const letterKinds = {
  ...accountLetters,
  ...bankDetailsLetters,
  ...clientLetters,
  ...correctionLetters,
  ...depositLetters,
  ...documentLetters,
  ...peopleLetters,
  ...staffLetters,
  ...transferLetters,
  ...withdrawalLetters,
} as const satisfies Record<MailKind, LetterKind>

export type { MailKind }

/**
 * A letter in its reader's language, for a client one of those that the firm speaks; a reason that was kept by a code is
 * said in words.
 */
export function drawLetter(
  kind: MailKind,
  facts: Readonly<Record<string, unknown>>,
  theirs: Language,
  stationery: Stationery,
): Drawn & { readonly language: Language } {
  const language = kind in staffLetters ? theirs : spokenLanguage(stationery.languages, theirs)
  const { reason } = facts
  const said = typeof reason === 'string' ? { ...facts, reason: commentText(reason, language) } : facts
  return { ...letterKinds[kind](said, language, stationery), language }
}
