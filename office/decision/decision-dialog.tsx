import { IconMail } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ClientBrief } from '#contract/office/decisions.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import type { Failure } from '#ui/failure.ts'
import { focusFirstError, focusFirstField, takeFocus, useRefusedFocus } from '#ui/form-focus.ts'
import { sendsOnControlEnter, useControlEnter } from '#ui/keys.ts'
import { Notice } from '#ui/notice.tsx'
import { TextArea } from '#ui/text-field.tsx'
import type { Decision } from './office-record.ts'
import { ReasonField } from './reason-field.tsx'

interface DecisionDialogProps {
  decision: Decision
  client: ClientBrief | undefined
  /** What stands in the field at the beginning. */
  written: string
  pending: boolean
  failure: Failure | null
  onSend: (text: string) => void
  onClose: () => void
}

/** The confirmation of a decision: what will happen, and the words that go with it. Its button has the focus where no reason is needed. */
export function DecisionDialog({ decision, client, written, pending, failure, onSend, onClose }: DecisionDialogProps) {
  const { t } = useLingui()
  const [text, setText] = useState(written)
  const [missing, setMissing] = useState<string>()
  const fields = useRefusedFocus<HTMLDivElement>(failure)
  const needed = decision.words === 'client' || decision.words === 'log' || decision.words === 'acknowledgement'
  const error = missing ?? failure?.errors['reason'] ?? failure?.errors['note']
  const labels = {
    log: t`Reason, for the audit log`,
    note: t`Note for colleagues`,
    acknowledgement: t`Reason for approving despite the warnings`,
  }
  const write = (words: string) => {
    setText(words)
    setMissing(undefined)
  }
  const send = () => {
    if (pending) return
    if (needed && text.trim() === '') {
      setMissing(t`Write the reason.`)
      focusFirstError(fields.current)
    } else onSend(text.trim())
  }
  useControlEnter(decision.words === 'none' ? undefined : send)
  return (
    <Dialog
      title={decision.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">
            <Trans>Cancel</Trans>
          </Button>
          <Button
            ref={needed ? undefined : takeFocus}
            kind={decision.kind}
            pending={pending}
            onClick={send}
            keyHint={needed ? 'ctrl ↵' : '↵'}
          >
            {decision.label}
          </Button>
        </>
      }
    >
      <div ref={needed ? focusFirstField : undefined}>
        <div ref={fields} className="stack">
          {decision.review}
          {decision.words === 'client' && (
            <ReasonField
              client={client}
              reasons={decision.reasons ?? []}
              value={text}
              onValue={write}
              onSend={send}
              error={error}
            />
          )}
          {(decision.words === 'note' || decision.words === 'log' || decision.words === 'acknowledgement') && (
            <TextArea
              label={labels[decision.words]}
              optional={decision.words === 'note'}
              rows={2}
              value={text}
              error={error}
              onChange={(event) => write(event.target.value)}
              onKeyDown={sendsOnControlEnter(send)}
            />
          )}
          {decision.words === 'client' && client && (
            <p className="muted decision-told">
              <IconMail className="small" aria-hidden="true" />
              <span>
                <Trans>{client.name} gets this reason by mail and in the portal.</Trans>
              </span>
            </p>
          )}
          {failure && !error && <Notice kind="bad">{failure.error}</Notice>}
        </div>
      </div>
    </Dialog>
  )
}
