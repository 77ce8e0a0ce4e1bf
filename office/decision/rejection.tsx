import { Trans } from '@lingui/react/macro'
import type { Decided } from '#contract/office/decisions.ts'
import { rejectionReasons, type NeutralKind } from '#contract/office/rejection-reasons.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import type { Decision } from './office-record.ts'

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
