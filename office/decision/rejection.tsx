import { Trans } from '@lingui/react/macro'
import type { Decided } from '#contract/office/decisions.ts'
import { rejectionReasons } from '#contract/office/rejection-reasons.ts'
import type { WorkKind } from '#rules/work.ts'
import type { Decision } from './office-record.ts'

/** Rejecting a record: a last look under `title` with the ready reasons of its kind; the client reads what is sent. */
export function rejection(kind: WorkKind, title: string, send: (reason: string) => Promise<Decided>): Decision {
  return {
    verb: 'reject',
    label: <Trans>Reject</Trans>,
    kind: 'danger',
    key: 'r',
    title,
    words: 'client',
    reasons: rejectionReasons[kind] ?? [],
    send,
  }
}
