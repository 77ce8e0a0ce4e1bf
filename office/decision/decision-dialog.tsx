import { IconMail } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ClientBrief } from '#contract/office/briefs.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { focusFirstError, focusFirstField, useErrorFocus } from '#ui/forms/form-state.ts'
import { useKeyNames } from '#ui/navigation/key-names.ts'
import { useControlEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextArea, TextField } from '#ui/forms/text-field.tsx'
import type { Decision } from './decision.tsx'
import { ReasonField } from './reason-field.tsx'
import { useNeutralText, TwoTextsField } from './two-texts-field.tsx'

interface DecisionDialogProps {
  decision: Decision
  client: ClientBrief | undefined
  /** The initial text of the fields. */
  written: string
  writtenClientText: string | null
  pending: boolean
  failure: ApiError | null
  onSend: (texts: { text: string; clientText: string; entered: string }) => void
  onClose: () => void
}

/**
 * The confirmation of a decision: its consequences, and the texts to enter. Its button has the focus if no reason is
 * needed.
 */
export function DecisionDialog({
  decision,
  client,
  written,
  writtenClientText,
  pending,
  failure,
  onSend,
  onClose,
}: DecisionDialogProps) {
  const { t } = useLingui()
  const { control } = useKeyNames()
  const { words, field, neutral = 'withdrawal' } = decision
  const neutralText = useNeutralText(client)
  const [text, setText] = useState(written)
  const [clientText, setClientText] = useState(writtenClientText ?? (words === 'both' ? neutralText(neutral) : ''))
  const [entered, setEntered] = useState('')
  const [missing, setMissing] = useState<string>()
  const [missingClientText, setMissingClientText] = useState<string>()
  const [wrongField, setWrongField] = useState<string>()
  const fields = useErrorFocus<HTMLDivElement>(failure)
  const needed = words !== 'note' && words !== 'none'
  const asks = needed || field !== undefined
  const fieldError = wrongField ?? (field && failure?.errors[field.name])
  const error = missing ?? failure?.errors['text'] ?? failure?.errors['reason'] ?? failure?.errors['note']
  const clientTextError = missingClientText ?? failure?.errors['clientReason']
  const labels = {
    log: t`Reason for the audit log`,
    note: t`Internal note`,
    acknowledgement: t`Reason for approving despite the warnings`,
  }
  const write = (words: string) => {
    setText(words)
    setMissing(undefined)
  }
  const send = () => {
    if (pending) return
    const noReason = needed && text.trim() === ''
    const noText = (words === 'both' || decision.choice !== undefined) && clientText.trim() === ''
    if (noReason) setMissing(words === 'reply' ? t`Enter the reply.` : t`Enter a reason.`)
    if (noText) setMissingClientText(decision.choice?.missing ?? t`Enter the text for the client.`)
    const wrong = field?.check(entered)
    setWrongField(wrong)
    if (noReason || noText || wrong !== undefined) focusFirstError(fields.current)
    else onSend({ text: text.trim(), clientText: clientText.trim(), entered: entered.trim() })
  }
  useControlEnter(words === 'none' ? undefined : send)
  return (
    <Dialog
      title={decision.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
          <Button
            ref={asks ? undefined : focusOnRender}
            kind={decision.kind}
            pending={pending}
            onClick={send}
            keyHint={asks ? `${control} ↵` : '↵'}
          >
            {decision.label}
          </Button>
        </>
      }
    >
      <div ref={asks ? focusFirstField : undefined}>
        <div ref={fields} className="stack">
          {decision.review}
          {field && (
            <TextField
              label={field.label}
              hint={field.hint}
              value={entered}
              error={fieldError}
              onChange={(event) => {
                setEntered(event.target.value)
                setWrongField(undefined)
              }}
            />
          )}
          {words === 'both' && (
            <TwoTextsField
              client={client}
              kind={neutral}
              reasons={decision.reasons ?? []}
              value={{ reason: text, clientText }}
              onValue={(next) => {
                write(next.reason)
                setClientText(next.clientText ?? '')
                setMissingClientText(undefined)
              }}
              errors={{ reason: error, clientReason: clientTextError }}
            />
          )}
          {words === 'client' && (
            <ReasonField
              client={client}
              reasons={decision.reasons ?? []}
              value={text}
              onValue={(next) => write(next ?? '')}
              error={error}
            />
          )}
          {decision.choice && (
            <RadioCards
              label={decision.choice.label}
              tiles={decision.choice.tiles}
              value={clientText}
              error={clientTextError}
              onValue={(chosen) => {
                setClientText(chosen)
                setMissingClientText(undefined)
              }}
            />
          )}
          {words === 'reply' && (
            <TextArea
              label={t`Your reply`}
              rows={8}
              value={text}
              error={error}
              onChange={(event) => write(event.target.value)}
            />
          )}
          {(words === 'note' || words === 'log' || words === 'acknowledgement') && (
            <TextArea
              label={labels[words]}
              optional={words === 'note'}
              rows={2}
              value={text}
              error={error}
              onChange={(event) => write(event.target.value)}
            />
          )}
          {(words === 'client' || words === 'both') && client && (
            <p className="muted decision-told">
              <IconMail className="small" aria-hidden="true" />
              <span>
                {words === 'client' ? (
                  <Trans>{client.name} gets this reason by email and in the portal.</Trans>
                ) : (
                  <Trans>{client.name} gets the text for the client by email and in the portal.</Trans>
                )}
              </span>
            </p>
          )}
          {failure && !error && !clientTextError && !fieldError && <Alert kind="bad">{failure.error}</Alert>}
        </div>
      </div>
    </Dialog>
  )
}
