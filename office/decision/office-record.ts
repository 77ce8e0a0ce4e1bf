/** Types that the pages of all records have in common. */
import type { ShortcutKey } from '#ui/navigation/keyboard-shortcuts.ts'
import type * as z from 'zod/mini'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { Decided, recordFields } from '#contract/office/decisions.ts'
import type { NeutralKind, StandardReason } from '#contract/office/rejection-reasons.ts'
import type { DecisionCheck } from '#contract/office/checks.ts'
import type { ReactNode } from 'react'

type Fields = { [Name in keyof typeof recordFields]: z.output<(typeof recordFields)[Name]> }

/** The fields of `recordFields` with the state and, where it is about one, the client. */
export interface OfficeRecord extends Fields {
  readonly state: string
  readonly client?: ClientBrief
  readonly decisionChecks?: readonly DecisionCheck[]
}

/** One button of the decision bar. */
export interface Decision {
  /** An action on the record, as `verbs` names it. */
  readonly action: string
  readonly label: ReactNode
  readonly kind: 'primary' | 'danger' | 'outline'
  /** Does the same as the button: a, r, p. */
  readonly key?: ShortcutKey
  /** The title of the confirmation that every decision opens. */
  readonly title: ReactNode
  /** What the last look shows: the amount, where it goes, what changes. */
  readonly review?: ReactNode
  /** Who reads what is written: the client, who gets a reason or a reply, staff and client a text each, colleagues, or no one; why, where a warning is acknowledged. */
  readonly words: 'client' | 'reply' | 'both' | 'log' | 'note' | 'acknowledgement' | 'none'
  readonly reasons?: readonly StandardReason[]
  /** Why it cannot be done yet, beyond what the server says: nothing is chosen, say. */
  readonly notYet?: ReactNode
  /** Which neutral text is offered to the client, where both read one. */
  readonly neutral?: NeutralKind
  /** What is chosen with a reply. */
  readonly choice?: {
    readonly label: string
    readonly missing: string
    readonly tiles: readonly { readonly value: string; readonly label: string }[]
  }
  /** `text` is the reason, the note or the reply; `told` is the client's own text, where there are two, or what was chosen. */
  readonly send: (text: string, told: string) => Promise<Decided>
}

/** What sending a decision needs of it. */
export type SentDecision = Pick<Decision, 'action' | 'send'>
