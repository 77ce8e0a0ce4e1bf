/** Every kind of mail by its name; the name is what an operation's row keeps. */
import { accountLetters } from './accounts.ts'
import { bankDetailsLetters } from './bank-details.ts'
import { clientLetters } from './clients.ts'
import { correctionLetters } from './corrections.ts'
import { depositLetters } from './deposits.ts'
import { documentLetters } from './documents.ts'
import type { LetterKind } from './letter.ts'
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
} as const satisfies Record<string, LetterKind>

export type MailKind = keyof typeof letterKinds
