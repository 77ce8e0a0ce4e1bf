import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type ReactNode, Suspense, useId, useState } from 'react'
import type { ClientBrief } from '#contract/office/briefs.ts'
import type { NeutralKind, StandardReason } from '#contract/office/rejection-reasons.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { fieldErrors } from '#ui/api/api-error.ts'
import { focusOnRender } from '#ui/a11y/focus.ts'
import { focusFirstError, focusFirstField, useErrorFocus, submitHandler } from '#ui/forms/form-state.ts'
import { useKeyNames } from '#ui/navigation/key-names.ts'
import { useControlEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { TextArea } from '#ui/forms/text-field.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { ReasonField } from '../decision/reason-field.tsx'
import { useNeutralText, TwoTextsField } from '../decision/two-texts-field.tsx'

export interface ReasonDialogProps {
  /** The action and its subject: "Suspend Clara Weidmann". */
  title: ReactNode
  /** The label of the button. */
  command: ReactNode
  kind?: 'primary' | 'danger'
  /** The consequences, and who is notified. */
  children?: ReactNode
  /** `log`: stored in the audit log. `none`: no reason is requested. */
  reason?: 'log' | 'optional' | 'none'
  /** The client who receives the reason, with the standard reasons. */
  reader?: ClientBrief
  readyReasons?: readonly StandardReason[]
  /** Staff and the client have a text each: the neutral one offered, and the label for sending none. */
  twoTexts?: { readonly kind: NeutralKind; readonly none?: string }
  /** The fields that `children` render, which show their own errors. */
  fields?: readonly string[]
  pending: boolean
  failure: unknown
  /** `clientText` is the client's own text, null for none; undefined if there is only one text. */
  onConfirm: (reason: string, clientText?: string | null) => void
  onClose: () => void
}

/** Confirms an action with a reason for the client or the audit log. */
export function ReasonDialog(props: ReasonDialogProps) {
  return (
    <Suspense fallback={null}>
      <LoadedReasonDialog {...props} />
    </Suspense>
  )
}

function LoadedReasonDialog({
  title,
  command,
  kind = 'primary',
  children,
  reason = 'log',
  reader,
  readyReasons = [],
  twoTexts,
  fields = [],
  pending,
  failure,
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const { t } = useLingui()
  const { control } = useKeyNames()
  const neutralText = useNeutralText(reader)
  const [text, setText] = useState('')
  const [clientText, setClientText] = useState<string | null>(twoTexts ? neutralText(twoTexts.kind) : null)
  const [missing, setMissing] = useState(false)
  const [textMissing, setTextMissing] = useState(false)
  const formId = useId()
  const form = useErrorFocus<HTMLFormElement>(failure)
  const errors = fieldErrors(failure)
  const error = missing ? t`Enter a reason.` : (errors['reason'] ?? errors['note'])
  const send = () => {
    if (pending) return
    const isMissing = text.trim() === '' && reason === 'log'
    const isTextMissing = twoTexts !== undefined && clientText?.trim() === ''
    setMissing(isMissing)
    setTextMissing(isTextMissing)
    if (isMissing || isTextMissing) focusFirstError(form.current)
    else onConfirm(text.trim(), ...(twoTexts ? [clientText && clientText.trim()] : []))
  }
  useControlEnter(reason === 'none' ? undefined : send)
  // Nothing must be entered: Enter on the focused button suffices.
  const confirms = reason !== 'log' && !reader && fields.length === 0
  const write = (words: string) => {
    setText(words)
    setMissing(false)
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
          <Button
            ref={confirms ? focusOnRender : undefined}
            kind={kind}
            type="submit"
            form={formId}
            pending={pending}
            keyHint={reason === 'none' ? undefined : confirms ? '↵' : `${control} ↵`}
          >
            {command}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} noValidate onSubmit={submitHandler(send)} onKeyDown={preventEnterSubmit}>
        <div ref={confirms ? undefined : focusFirstField} className="stack">
          {children}
          {twoTexts ? (
            <TwoTextsField
              client={reader}
              kind={twoTexts.kind}
              none={twoTexts.none}
              reasons={readyReasons}
              value={{ reason: text, clientText }}
              onValue={(next) => {
                write(next.reason)
                setClientText(next.clientText)
                setTextMissing(false)
              }}
              errors={{
                reason: error,
                clientReason: textMissing ? t`Enter the text for the client.` : errors['clientReason'],
              }}
            />
          ) : reader ? (
            <ReasonField
              client={reader}
              reasons={readyReasons}
              value={text}
              onValue={(next) => write(next ?? '')}
              error={error}
            />
          ) : (
            reason !== 'none' && (
              <TextArea
                label={t`Reason`}
                hint={t`Recorded in the audit log.`}
                optional={reason === 'optional'}
                value={text}
                maxLength={1000}
                error={error}
                onChange={(event) => write(event.target.value)}
              />
            )
          )}
          {Boolean(failure) &&
            !areAllAtFields(errors, reason === 'none' ? fields : [...fields, 'reason', 'note', 'clientReason']) && (
              <Alert kind="bad">
                <ApiErrorText failure={failure} />
              </Alert>
            )}
        </div>
      </form>
    </Dialog>
  )
}

/** Prevents Enter in a field from submitting: a decision is sent only by the button, or by Ctrl+Enter. */
function preventEnterSubmit(event: KeyboardEvent): void {
  const plain = !event.ctrlKey && !event.metaKey
  if (event.key === 'Enter' && plain && event.target instanceof HTMLInputElement) event.preventDefault()
}

/** Returns whether all errors are at rendered fields, so that they need not be repeated below. */
function areAllAtFields(errors: Readonly<Record<string, string>>, drawn: readonly string[]): boolean {
  const refused = Object.keys(errors)
  return refused.length > 0 && refused.every((name) => drawn.includes(name))
}
