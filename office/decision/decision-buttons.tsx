import { IconInfoCircle } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment, type ReactNode, useId, Suspense } from 'react'
import type { StatusRecord } from '#contract/status-labels.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { Button } from '#ui/forms/button.tsx'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { DecisionBar } from '#ui/layout/office-page.tsx'
import { Time } from '#ui/text/time.tsx'
import { useRequiredRole } from '../layout/role-labels.ts'
import { useStateLabel } from '../records/value-names.ts'
import { useCanDo } from '../session.ts'
import { DecisionDialog } from './decision-dialog.tsx'
import type { Decision, OfficeRecord, UseDecision } from './decision.tsx'
import { useActionFromUrl } from './use-action-from-url.ts'

interface RecordDecisionsProps {
  kind: StatusRecord
  record: Pick<OfficeRecord, 'verbs' | 'requiredRoles' | 'state' | 'decidedAt' | 'decidedBy' | 'client'>
  /** In the order of the bar: safe ones first, the primary one last. */
  decisions: readonly Decision[]
  deciding: UseDecision
  /** The consequences: who is notified, what is paid, and until when it can be undone. */
  children: ReactNode
}

/**
 * The decisions at the bottom of a record's page. Actions that this role never has, or that are no longer possible, are
 * omitted; blocked ones say why. Keys act like the buttons.
 */
export function RecordDecisions({ kind, record, decisions, deciding, children }: RecordDecisionsProps) {
  const { refusalOf, shown } = visibleDecisions(record, decisions)
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
            <BlockReasons id={reasonId} reasons={reasons} />
          ) : shown.length > 0 ? (
            children
          ) : (
            <NothingToDecide kind={kind} record={record} />
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
            writtenClientText={deciding.writtenFor(deciding.open.action)?.clientText ?? null}
            pending={deciding.pending !== null}
            failure={deciding.failure}
            onSend={(texts) => deciding.open && deciding.send(deciding.open, texts)}
            onClose={deciding.close}
          />
        </Suspense>
      )}
    </>
  )
}

/** Shows why a decision cannot be taken now, in place of its consequences: its button stays in place. */
function BlockReasons({ id, reasons }: { id: string; reasons: readonly ReactNode[] }) {
  return (
    <span className="decision-told" id={id}>
      <IconInfoCircle className="small" aria-hidden="true" />
      <span>
        {reasons.map((reason, place) => (
          // In the order of the buttons.
          <Fragment key={place}>{reason} </Fragment>
        ))}
      </span>
    </span>
  )
}

const decidedElsewhere: readonly string[] = ['decided-meanwhile', 'decided-by']

interface DecisionErrorProps {
  deciding: UseDecision
  record: Pick<OfficeRecord, 'decidedAt' | 'decidedBy'>
}

/** Shows above the record why a decision failed while no confirmation is open, or the colleague who decided first. */
export function DecisionError({ deciding, record }: DecisionErrorProps) {
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

/** Returns whether this person can take, now or later, one of the decisions that have checks. */
export function canApprove(record: Pick<OfficeRecord, 'verbs'>, decisions: readonly Decision[]): boolean {
  return visibleDecisions(record, decisions).shown.some(
    ({ action }) => action === 'approve' || action === 'approveLastBalance' || action === 'confirm',
  )
}

function visibleDecisions(record: Pick<OfficeRecord, 'verbs'>, decisions: readonly Decision[]) {
  const answers = new Map(record.verbs.map(({ verb, refusal }) => [verb, refusal]))
  const shown = decisions.filter(({ action }) => {
    const refusal = answers.get(action)
    return refusal !== undefined && (refusal === null || !hidden.includes(refusal.code))
  })
  return { shown, refusalOf: (decision: Decision) => answers.get(decision.action)?.text ?? decision.notYet }
}

const hidden: readonly string[] = ['wrong-role', 'wrong-state', 'decided-meanwhile']

function NothingToDecide({ kind, record }: Pick<RecordDecisionsProps, 'kind' | 'record'>) {
  const { t } = useLingui()
  const word = useStateLabel()
  const requiredRole = useRequiredRole()
  // Who assigns items has a deciding role, unlike an auditor.
  const isReader = !useCanDo('assign')
  const undecided = stateMachines.find(({ name }) => name === kind)?.undecided ?? []
  if (record.requiredRoles?.length !== 0 && undecided.includes(record.state)) {
    if (isReader) return t`You have read-only access.`
    return record.requiredRoles ? requiredRole(record.requiredRoles) : t`You cannot decide this.`
  }
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
