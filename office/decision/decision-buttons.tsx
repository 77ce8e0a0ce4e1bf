import { IconInfoCircle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment, type ReactNode, useId, Suspense } from 'react'
import type { StatusRecord } from '#contract/status-labels.ts'
import { Button } from '#ui/forms/button.tsx'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { DecisionBar } from '#ui/layout/office-page.tsx'
import { Time } from '#ui/text/time.tsx'
import { useStateLabel } from '../records/value-names.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import type { Decision, OfficeRecord } from './office-record.ts'
import { useActionFromUrl } from './use-action-from-url.ts'
import type { UseDecision } from './use-decision.ts'

interface RecordDecisionsProps {
  kind: StatusRecord
  record: Pick<OfficeRecord, 'verbs' | 'state' | 'decidedAt' | 'decidedBy' | 'client'>
  /** In the order of the bar: the safe ones first, the filled one last. */
  decisions: readonly Decision[]
  deciding: UseDecision
  /** What the click does: who is told, what moves, until when it can be taken back. */
  children: ReactNode
}

/**
 * Shows the decisions at the bottom of a record's page. An action that this role never has, or that is no longer possible,
 * is left out; one that is blocked says why. Keys do the same as the buttons.
 */
export function RecordDecisions({ kind, record, decisions, deciding, children }: RecordDecisionsProps) {
  const { refusalOf, shown } = shownOf(record, decisions)
  const reasonId = useId()
  const reasons = [...new Set(shown.map(refusalOf).filter((reason) => reason !== undefined))]
  const keys = Object.fromEntries(
    shown.flatMap((decision) =>
      decision.key && !refusalOf(decision) ? [[decision.key, () => deciding.ask(decision)] as const] : [],
    ),
  )
  useShortcuts(keys)
  useActionFromUrl((key) => {
    const decision = shown.find((one) => one.key === key && !refusalOf(one))
    if (decision) deciding.ask(decision)
  })
  return (
    <>
      <DecisionBar
        sentence={
          reasons.length > 0 ? (
            <WhyClosed id={reasonId} reasons={reasons} />
          ) : shown.length > 0 ? (
            children
          ) : (
            <NothingToDecide kind={kind} record={record} decisions={decisions} />
          )
        }
      >
        {shown.map((decision) => {
          const isClosed = refusalOf(decision) !== undefined
          return (
            <Button
              key={decision.action}
              kind={decision.kind}
              keyHint={decision.key}
              pending={deciding.pending?.action === decision.action}
              aria-disabled={isClosed || undefined}
              aria-describedby={isClosed ? reasonId : undefined}
              onClick={() => deciding.ask(decision)}
            >
              {decision.label}…
            </Button>
          )
        })}
      </DecisionBar>
      {deciding.open && (
        <Suspense fallback={null}>
          <DecisionDialog
            key={deciding.open.action}
            decision={deciding.open}
            client={record.client}
            written={deciding.writtenFor(deciding.open.action)?.text ?? ''}
            writtenTold={deciding.writtenFor(deciding.open.action)?.told ?? null}
            pending={deciding.pending !== null}
            failure={deciding.failure}
            onSend={(text, told) => deciding.open && deciding.send(deciding.open, text, told)}
            onClose={deciding.close}
          />
        </Suspense>
      )}
    </>
  )
}

/** Shows why a decision cannot be taken now, in the place of what it would do: its button stays where it is. */
function WhyClosed({ id, reasons }: { id: string; reasons: readonly ReactNode[] }) {
  return (
    <span className="decision-told" id={id}>
      <IconInfoCircle className="small" aria-hidden="true" />
      <span>
        {reasons.map((reason, place) => (
          // The order of the buttons.
          <Fragment key={place}>{reason} </Fragment>
        ))}
      </span>
    </span>
  )
}

const decidedElsewhere: readonly string[] = ['decided-meanwhile', 'decided-by']

/** The reason why a decision failed, where no confirmation is open, or the colleague who was faster. Above the record. */
export function DecisionTrouble({
  deciding,
  record,
}: {
  deciding: UseDecision
  record: Pick<OfficeRecord, 'decidedAt' | 'decidedBy'>
}) {
  if (deciding.overtaken !== null)
    return (
      <Alert kind="wait" title={deciding.overtaken.error}>
        {decidedElsewhere.includes(deciding.overtaken.code) && record.decidedBy && (
          <Trans>
            By {record.decidedBy.name}, <Time at={record.decidedAt} />. Your decision was not carried out.
          </Trans>
        )}
      </Alert>
    )
  if (deciding.failure && !deciding.open) return <Alert kind="bad">{deciding.failure.error}</Alert>
  return null
}

/** Returns whether this person takes, now or later, one of the decisions that checks stand before. */
export function mayApprove(record: Pick<OfficeRecord, 'verbs'>, decisions: readonly Decision[]): boolean {
  return shownOf(record, decisions).shown.some(
    ({ action }) => action === 'approve' || action === 'approveLastBalance' || action === 'confirm',
  )
}

function shownOf(record: Pick<OfficeRecord, 'verbs'>, decisions: readonly Decision[]) {
  const answers = new Map(record.verbs.map(({ verb, refusal }) => [verb, refusal]))
  const shown = decisions.filter(({ action }) => {
    const refusal = answers.get(action)
    return refusal !== undefined && (refusal === null || !hidden.includes(refusal.code))
  })
  return { shown, refusalOf: (decision: Decision) => answers.get(decision.action)?.text ?? decision.notYet }
}

const hidden: readonly string[] = ['wrong-role', 'wrong-state', 'decided-meanwhile']

function NothingToDecide({ kind, record, decisions }: Pick<RecordDecisionsProps, 'kind' | 'record' | 'decisions'>) {
  const { t } = useLingui()
  const word = useStateLabel()
  const open = record.verbs.some(
    ({ verb, refusal }) => refusal?.code === 'wrong-role' && decisions.some((one) => one.action === verb),
  )
  if (
    open &&
    ['pending', 'second_approval', 'unmatched', 'pending_approval', 'more_asked', 'confirming'].includes(record.state)
  )
    return t`You have read-only access.`
  if (record.decidedBy)
    return (
      <Trans>
        <b>{word(kind, record.state)}</b> by {record.decidedBy.name}, <Time at={record.decidedAt} />.
      </Trans>
    )
  return (
    <Trans>
      No decision needed. Current status: <b>{word(kind, record.state)}</b>.
    </Trans>
  )
}
