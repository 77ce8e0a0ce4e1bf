import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLingui, Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type * as z from 'zod/mini'
import type { StatusRecord } from '#contract/status-labels.ts'
import type { Decided, recordFields } from '#contract/office/decisions.ts'
import { pathOfWorkItem } from '#contract/office-paths.ts'
import type { ClientBrief } from '#contract/office/briefs.ts'
import { type NeutralKind, type StandardReason, rejectionReasons } from '#contract/office/rejection-reasons.ts'
import type { DecisionCheck } from '#contract/office/checks.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { MoneySummary, type MoneySummaryProps } from '#ui/money/money.tsx'
import type { ShortcutKey } from '#ui/navigation/keyboard-shortcuts.ts'
import { useStateLabel } from '../records/value-names.ts'
import { msg, type Message } from '#contract/message.ts'

const matched = msg`Matched. The platform is crediting the amount.`

/** The result of a decision and the next step, by record and state, if the state’s label alone does not explain it. */
const decidedLabels = {
  'account.processing': msg`Approved. The platform is opening the account.`,
  // Confirmed: the person who entered or imported it did not match it yet.
  'bank_line.unmatched': msg`Confirmed. The payment can now be matched.`,
  'bank_line.matched': matched,
  'deposit.processing': matched,
  'leverage_request.processing': msg`Approved. The platform is changing the leverage.`,
  'payout_batch.void_requested': msg`Void requested. A second person must confirm it.`,
  'profile_change.confirming': msg`Approved. The client confirms the new address with a link in our email.`,
  'transfer.processing': msg`Approved. The platform is carrying out the transfer.`,
  'withdrawal.second_approval': msg`First approval given. A finance supervisor must give the second approval.`,
  'withdrawal.processing': msg`Approved. Once the account has been debited, the withdrawal is ready for payout.`,
} as const satisfies Readonly<Partial<Record<`${StatusRecord}.${string}`, Message>>>

export interface UseDecision {
  /** The decision whose confirmation is open. */
  readonly open: Decision | null
  readonly ask: (decision: Decision) => void
  readonly close: () => void
  readonly send: (decision: SentDecision, texts: DecisionTexts) => void
  readonly pending: SentDecision | null
  readonly failure: ApiError | null
  /** A colleague decided first, or the record changed: the page is reloaded and shows this above it. */
  readonly overtaken: ApiError | null
  /** The text entered for a decision that was overtaken: its confirmation contains it again. */
  readonly writtenFor: (action: string) => { readonly text: string; readonly clientText: string } | null
}

/**
 * Sends a decision with the version shown on the page. Afterwards the next item of the queue opens immediately; if
 * there is none, `list` opens. `stay` keeps the page, for a case with several documents.
 */
export function useDecision(kind: StatusRecord, list: string, stay?: (answer: Decided) => boolean): UseDecision {
  const { t } = useLingui()
  const stateLabel = useStateLabel()
  const decidedLabel = useLabels(decidedLabels)
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<Decision | null>(null)
  const [overtaken, setOvertaken] = useState<ApiError | null>(null)
  const [written, setWritten] = useState<{ action: string; text: string; clientText: string } | null>(null)
  const sending = useMutation<Decided, Error, { decision: SentDecision; texts: DecisionTexts }>({
    mutationFn: ({ decision, texts: { text, clientText = '', entered = '' } }) =>
      decision.send(text, clientText, entered),
    networkMode: 'always',
    retry: false,
    onSuccess: (answer, { decision }) => {
      const reached = `${kind}.${answer.state}`
      const outcome =
        decision.outcome ??
        (Object.hasOwn(decidedLabels, reached) ? decidedLabel(reached) : `${stateLabel(kind, answer.state)}.`)
      setOpen(null)
      setOvertaken(null)
      setWritten(null)
      void queries.invalidateQueries()
      const isStaying = stay?.(answer) ?? false
      showToast(() => (answer.nextItem && !isStaying ? t`${outcome} Next item opened.` : outcome))
      if (isStaying) return
      navigate(answer.nextItem ? pathOfWorkItem(answer.nextItem.kind, answer.nextItem.id) : list)
    },
    onError: (thrown, { decision, texts: { text, clientText = '' } }) => {
      // The page then shows whether it happened.
      if (thrown instanceof ApiError && thrown.code === 'outcome-unseen') void queries.invalidateQueries()
      if (!(thrown instanceof ApiError) || thrown.status !== 409) return
      setOpen(null)
      setOvertaken(thrown)
      setWritten({ action: decision.action, text, clientText })
      void queries.invalidateQueries()
    },
  })
  const failure = sending.error instanceof ApiError && sending.error.status !== 409 ? sending.error : null
  return {
    open,
    ask: (decision) => {
      sending.reset()
      setOpen(decision)
    },
    close: () => setOpen(null),
    send: (decision, texts) => sending.mutate({ decision, texts }),
    pending: sending.isPending ? sending.variables.decision : null,
    failure,
    overtaken,
    writtenFor: (action) => (written?.action === action ? written : null),
  }
}

type Fields = z.output<z.ZodMiniObject<typeof recordFields>>

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
  /** The sentence shown after the decision, if the record's new state does not explain it. */
  readonly outcome?: string
  readonly kind: 'primary' | 'danger' | 'outline'
  /** The key of the button: a, r, p. */
  readonly key?: ShortcutKey
  /** The title of the confirmation that every decision opens. */
  readonly title: ReactNode
  /** Shown in the confirmation: the amount, its destination, what changes. */
  readonly review?: ReactNode
  /** A field of its own in the confirmation. */
  readonly field?: DecisionField
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
  /**
   * `text` is the reason, the note or the reply; `clientText` is the client's own text, if there are two, or the choice;
   * `entered` is the value of the own field.
   */
  readonly send: (text: string, clientText: string, entered: string) => Promise<Decided>
}

interface DecisionField {
  /** Its name in the server's errors. */
  readonly name: string
  readonly label: string
  readonly hint: string
  /** Returns the error of the value before anything is sent; undefined if it is valid. */
  readonly check: (value: string) => string | undefined
}

/** What was entered in a confirmation, as `Decision.send` takes it. */
interface DecisionTexts {
  readonly text: string
  readonly clientText?: string
  readonly entered?: string
}

/** The part of a decision needed to send it. */
type SentDecision = Pick<Decision, 'action' | 'outcome' | 'send'>

export interface Acknowledging {
  readonly has: (check: DecisionCheck) => boolean
  toggle(check: DecisionCheck): void
  /** Returns whether it differs from when the page was opened, or is new. */
  hasChanged(check: DecisionCheck): boolean
  /** The names that an approval sends. */
  readonly names: DecisionCheck['name'][]
  /** Properties for an approval's decision: why it must wait, and a reason if a warning is acknowledged. */
  readonly of: Pick<Decision, 'words' | 'notYet'>
}

/** Returns why a decision must wait for checks that the page reads itself: a block, a failure, or their loading. */
export function useChecksNotYet(checks: readonly DecisionCheck[] | undefined, failure: unknown): ReactNode {
  const { t } = useLingui()
  if (checks === undefined) return failure ? <ApiErrorText failure={failure} /> : t`Loading checks.`
  const block = checks.find(({ result, overridden }) => result === 'block' && !overridden)
  return block ? `${block.text} ${block.wayOut ?? ''}` : undefined
}

const digestsOf = (checks: readonly DecisionCheck[]) => new Map(checks.map(({ name, digest }) => [name, digest]))

/**
 * Returns the warnings acknowledged on this page: a changed warning must be acknowledged again. `of` names the subject
 * of the checks, if it is chosen on the page.
 */
export function useAcknowledged(checks: readonly DecisionCheck[], of = ''): Acknowledging {
  const { t } = useLingui()
  const [digests, setDigests] = useState<readonly string[]>([])
  const [first, setFirst] = useState(() => ({ of, digests: digestsOf(checks) }))
  if (first.of !== of) setFirst({ of, digests: digestsOf(checks) })
  const warnings = checks.filter(({ result }) => result === 'warn')
  const has = ({ digest }: DecisionCheck) => digests.includes(digest)
  const open = warnings.filter((check) => !has(check))
  return {
    has,
    toggle: (check) =>
      setDigests((all) => (has(check) ? all.filter((digest) => digest !== check.digest) : [...all, check.digest])),
    hasChanged: ({ name, result, digest }) =>
      (result === 'warn' || result === 'block') && first.digests.get(name) !== digest,
    names: warnings.filter(has).map(({ name }) => name),
    of: {
      words: warnings.length > 0 ? 'acknowledgement' : 'note',
      ...(open.length > 0 ? { notYet: t`Acknowledge the warnings first.` } : {}),
    },
  }
}

/**
 * Returns the rejection of a record: the internal reason and the client's text, with the standard reasons of its kind.
 */
export function rejection(
  kind: WorkItemKind & NeutralKind,
  title: string,
  send: (texts: { reason: string; clientReason: string }) => Promise<Decided>,
): Decision {
  return {
    action: 'reject',
    label: <Trans>Reject</Trans>,
    kind: 'danger',
    key: 'r',
    title,
    words: 'both',
    neutral: kind,
    reasons: rejectionReasons[kind] ?? [],
    send: (reason, clientReason) => send({ reason, clientReason }),
  }
}

/** Returns the primary decision on a record, with what it approves as rows of the confirmation. */
export function approval({
  lines,
  total,
  ...decision
}: Omit<Decision, 'action' | 'kind' | 'key'> & MoneySummaryProps): Decision {
  return {
    action: 'approve',
    kind: 'primary',
    key: 'a',
    review: <MoneySummary lines={lines} total={total} />,
    ...decision,
  }
}
