/** Types common to the pages of all records. */
import type { ShortcutKey } from '#ui/navigation/keyboard-shortcuts.ts'
import type * as z from 'zod/mini'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { Decided, recordFields } from '#contract/office/decisions.ts'
import type { NeutralKind, StandardReason } from '#contract/office/rejection-reasons.ts'
import type { DecisionCheck } from '#contract/office/checks.ts'
import type { ReactNode } from 'react'

type Fields = { [Name in keyof typeof recordFields]: z.output<(typeof recordFields)[Name]> }

/** The fields of `recordFields` with the state and, if there is one, the client. */
export interface OfficeRecord extends Fields {
  readonly state: string
  readonly client?: ClientBrief
  readonly decisionChecks?: readonly DecisionCheck[]
}

/** One button of the decision bar. */
export interface Decision {
  /** An action on the record, named as in `verbs`. */
  readonly action: string
  readonly label: ReactNode
  readonly kind: 'primary' | 'danger' | 'outline'
  /** The key of the button: a, r, p. */
  readonly key?: ShortcutKey
  /** The title of the confirmation that every decision opens. */
  readonly title: ReactNode
  /** Shown in the confirmation: the amount, its destination, what changes. */
  readonly review?: ReactNode
  /**
   * The reader of the entered text: the client, who gets a reason or a reply; staff and client with a text each;
   * colleagues; or none. `acknowledgement`: a reason if a warning is acknowledged.
   */
  readonly words: 'client' | 'reply' | 'both' | 'log' | 'note' | 'acknowledgement' | 'none'
  readonly reasons?: readonly StandardReason[]
  /** Why it is not possible yet, in addition to the server's reasons, such as a missing choice. */
  readonly notYet?: ReactNode
  /** The neutral text offered for the client, if staff and client have a text each. */
  readonly neutral?: NeutralKind
  /** The choice made with a reply. */
  readonly choice?: {
    readonly label: string
    readonly missing: string
    readonly tiles: readonly { readonly value: string; readonly label: string }[]
  }
  /** `text` is the reason, the note or the reply; `told` is the client's own text, if there are two, or the choice. */
  readonly send: (text: string, told: string) => Promise<Decided>
}

/** The part of a decision needed to send it. */
export type SentDecision = Pick<Decision, 'action' | 'send'>
