/** Every kind of mail by its name; the name is what an operation's row keeps. */
import type { MailKind } from '#contract/office/mail-kinds.ts'
import { spokenLanguage } from '#rules/spoken-language.ts'
import type { Language } from '../http/problem.ts'
import { commentText } from '../wording.ts'
import { accountLetters } from './accounts.ts'
import { bankDetailsLetters } from './bank-details.ts'
import { clientLetters } from './clients.ts'
import { correctionLetters } from './corrections.ts'
import { depositLetters } from './deposits.ts'
import { documentLetters } from './documents.ts'
import type { Drawn, LetterKind, Stationery } from './letter.ts'
import { peopleLetters } from './people.ts'
import { staffLetters } from './staff.ts'
import { transferLetters } from './transfers.ts'
import { withdrawalLetters } from './withdrawals.ts'

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
