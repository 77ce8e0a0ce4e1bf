import { IconMail } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import type { Decided as DecidedAnswer } from '#contract/office/decisions.ts'
import {
  approveDocument,
  requestDocumentAgain,
  rejectDocument,
  type DocumentCase,
  type CaseDocument,
} from '#contract/office/documents.ts'
import { rejectionReasons } from '#contract/office/rejection-reasons.ts'
import { officePaths } from '#contract/office-paths.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { focusFirstError } from '#ui/forms/form-state.ts'
import { useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useKeyNames } from '#ui/navigation/key-names.ts'
import { submitOnControlEnter, useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { DecisionBar } from '#ui/layout/office-page.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { DecisionError, RecordDecisions } from '../../decision/decision-buttons.tsx'
import { useDocumentLabel } from '../../decision/document-labels.ts'
import { type Decision, type UseDecision, useDecision } from '../../decision/decision.tsx'
import { ReasonField } from '../../decision/reason-field.tsx'
import { OtherViewers } from '../../decision/record-page.tsx'
import { useActionFromUrl } from '../../decision/use-action-from-url.ts'
import { useViewers } from '../../decision/use-viewers.ts'
import { Comparisons } from './comparisons.tsx'
import { DocumentFacts } from './document-facts.tsx'
import { MachineReadable } from './machine-readable.tsx'

interface DocumentPanelProps {
  found: DocumentCase
  document: CaseDocument
  /** Opens the client's next document; returns false if there is none. */
  openNextDocument: (answer: DecidedAnswer) => boolean
}

/** Data of the document beside that of the client, the checks, and the decision. */
export function DocumentPanel({ found, document, openNextDocument }: DocumentPanelProps) {
  const word = useDocumentLabel()
  const viewers = useViewers(found.item?.id ?? null, found.viewers)
  useItemKeyGuard(document.id)
  const deciding = useDecision('document', officePaths.documents, openNextDocument)
  const uploadedAt = document.front?.uploadedAt ?? document.back?.uploadedAt ?? null
  const facts = (
    <>
      {viewers.length > 0 && <OtherViewers names={viewers.map(({ name }) => name)} />}
      <DecisionError deciding={deciding} record={document} />
      <div className="row between">
        <h2>{word(document.kind)}</h2>
        <span className="muted numbers">
          <Trans>
            uploaded <Time at={uploadedAt} />
          </Trans>
        </span>
      </div>
      {document.reason && (
        <Alert kind="bad" title={<Trans>Reason sent to the client</Trans>}>
          <UserText>{document.reason}</UserText>
        </Alert>
      )}
      <Comparisons document={document} />
      {isIdentityKind(document.kind) && <MachineReadable document={document} />}
      <DocumentFacts document={document} />
    </>
  )
  // An unscanned file prevents only the approval.
  const open = document.verbs.some(({ verb, refusal }) => verb === 'reject' && refusal === null)
  return (
    <aside className="case-right">
      {open ? (
        <DecisionForm found={found} document={document} deciding={deciding} facts={facts} />
      ) : (
        <>
          <div className="case-facts">{facts}</div>
          <DecisionResult found={found} document={document} deciding={deciding} />
        </>
      )}
    </aside>
  )
}

/** Returns why the server would reject an action now; null if it is allowed. */
function blockReasonOf({ verbs }: CaseDocument, name: string) {
  return verbs.find(({ verb }) => verb === name)?.refusal ?? null
}

interface DecisionFormProps {
  found: DocumentCase
  document: CaseDocument
  deciding: UseDecision
  facts: ReactNode
}

/** Approve or reject, with nothing preselected; the text to the client is shown before it is sent. */
function DecisionForm({ found, document, deciding, facts }: DecisionFormProps) {
  const { t } = useLingui()
  const { control } = useKeyNames()
  const word = useDocumentLabel()(document.kind)
  const [choice, setChoice] = useState<'approve' | 'reject' | null>(null)
  const [reason, setReason] = useState('')
  const [side, setSide] = useState<'both' | 'front' | 'back'>('both')
  const [missing, setMissing] = useState(false)
  const { id, version } = document
  const bySides = document.front !== null && document.back !== null
  const send = () => {
    if (deciding.pending) return
    if (choice === 'approve')
      deciding.send({ action: 'approve', send: () => call(approveDocument, { id, version }) }, { text: '' })
    if (choice !== 'reject') return
    if (reason.trim() === '') {
      setMissing(true)
      return focusFirstError(form.current)
    }
    const only = bySides && side !== 'both' ? { side } : {}
    deciding.send(
      { action: 'reject', send: (text) => call(rejectDocument, { id, version, reason: text, ...only }) },
      { text: reason.trim() },
    )
  }
  const sendButton = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const choose = (next: 'approve' | 'reject' | null) => {
    setChoice(next)
    setMissing(false)
    requestAnimationFrame(() => {
      if (next === 'approve') sendButton.current?.focus()
      else form.current?.querySelector<HTMLElement>(next === 'reject' ? 'select, textarea' : 'input')?.focus()
    })
  }
  const noApproval = blockReasonOf(document, 'approve')
  const approves = noApproval ? undefined : () => choose('approve')
  const rejects = () => choose('reject')
  useShortcuts({ a: approves, r: rejects, Escape: choice ? () => choose(null) : undefined })
  useActionFromUrl((key) => {
    if (key === 'a') approves?.()
    if (key === 'r') rejects()
  })
  const first = found.client.name.split(' ')[0] ?? found.client.name
  const others = found.documents.filter((one) => one.id !== id && one.state === 'pending_approval').length
  return (
    <>
      <div className="case-facts">
        {facts}
        <div
          className="case-decision"
          role="presentation"
          ref={form}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && choice) choose(null)
            if (choice === 'reject') submitOnControlEnter(send)(event)
          }}
        >
          <RadioCards
            label={<h2>{t`Your decision: ${word}`}</h2>}
            across={2}
            value={choice}
            onValue={choose}
            tiles={[
              {
                value: 'approve',
                label: t({ context: 'document', message: 'Approve' }),
                end: <kbd className="key">a</kbd>,
                disabledReason: noApproval?.text,
              },
              { value: 'reject', label: t`Reject`, end: <kbd className="key">r</kbd> },
            ]}
          />
          {choice === 'reject' && bySides && (
            <RadioCards
              label={t`Document to upload again`}
              across={3}
              value={side}
              onValue={setSide}
              tiles={[
                { value: 'both', label: t`Both sides` },
                { value: 'front', label: t({ message: 'Front', context: 'side of a document' }) },
                { value: 'back', label: t({ message: 'Back', context: 'side of a document' }) },
              ]}
            />
          )}
          {choice === 'reject' && (
            <ReasonField
              client={found.client}
              reasons={rejectionReasons.document ?? []}
              value={reason}
              onValue={(text) => {
                setReason(text ?? '')
                setMissing(false)
              }}
              error={missing ? t`Enter a reason.` : deciding.failure?.errors['reason']}
            />
          )}
        </div>
      </div>
      <DecisionBar
        sentence={
          choice === null ? (
            <Trans>Choose an option. Your decision is sent only when you confirm it.</Trans>
          ) : (
            <>
              <IconMail className="small" aria-hidden="true" />
              {choice === 'approve'
                ? t`${first} will be notified by email and in the portal.`
                : t`${first} gets this reason by email and in the portal and can upload the document again.`}{' '}
              {others > 0 && (
                <Plural value={others} one="# other document pending." other="# other documents pending." />
              )}
            </>
          )
        }
      >
        {choice !== null && (
          <>
            <Button keyHint="esc" onClick={() => choose(null)}>{t`Cancel`}</Button>
            <Button
              ref={sendButton}
              kind={choice === 'approve' ? 'primary' : 'danger'}
              keyHint={choice === 'approve' ? '↵' : `${control} ↵`}
              pending={deciding.pending !== null}
              onClick={send}
            >
              {choice === 'approve' ? t`Approve ${word}` : t`Reject ${word}`}
            </Button>
          </>
        )}
      </DecisionBar>
    </>
  )
}

interface DecisionResultProps {
  found: DocumentCase
  document: CaseDocument
  deciding: UseDecision
}

/** Shows the decision; for an approved document one file can be requested again. */
function DecisionResult({ found, document, deciding }: DecisionResultProps) {
  const { t } = useLingui()
  const word = useDocumentLabel()(document.kind)
  const decisions: Decision[] = [
    {
      action: 'askAgain',
      label: <Trans>Request again</Trans>,
      outcome: t`Requested again.`,
      kind: 'danger',
      title: t`Request the ${word} again`,
      words: 'client',
      reasons: rejectionReasons.document ?? [],
      send: (reason) => call(requestDocumentAgain, { id: document.id, version: document.version, reason }),
    },
  ]
  const refusal = document.state === 'pending_approval' ? blockReasonOf(document, 'reject') : null
  if (refusal && refusal.code !== 'wrong-role') return <DecisionBar sentence={refusal.text}>{null}</DecisionBar>
  return (
    <RecordDecisions
      kind="document"
      record={{ ...document, client: found.client }}
      decisions={decisions}
      deciding={deciding}
    >
      <Trans>A new request lets the client upload one new file and cancels the approval.</Trans>
    </RecordDecisions>
  )
}
