import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { fieldErrors } from '#ui/failure.ts'
import { focusFirstError, useRefusedFocus } from '#ui/form-focus.ts'
import { submitting } from '#ui/form-values.ts'
import { sendsOnControlEnter } from '#ui/keys.ts'
import { Notice } from '#ui/notice.tsx'
import { TextArea } from '#ui/text-field.tsx'
import { FailureSentence } from '#ui/error-panel.tsx'

export interface ReasonDialogProps {
  /** The matter: "Suspend Clara Weidmann". */
  title: ReactNode
  /** The command on the button. */
  command: ReactNode
  kind?: 'primary' | 'danger'
  /** What the click does, and who is told. */
  children?: ReactNode
  /** `log`: goes to the audit log. `client`: the client reads it. `none`: no reason is asked for. */
  reason?: 'log' | 'client' | 'optional' | 'none'
  pending: boolean
  failure: unknown
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** One more look before something is done, and why: the reason that the client or the audit log reads. */
export function ReasonDialog({
  title,
  command,
  kind = 'primary',
  children,
  reason = 'log',
  pending,
  failure,
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  const formId = useId()
  const fields = useRefusedFocus<HTMLFormElement>(failure)
  const refused = fieldErrors(failure)['reason'] ?? fieldErrors(failure)['note']
  const send = () => {
    if (pending) return
    const isMissing = text.trim() === '' && (reason === 'log' || reason === 'client')
    setMissing(isMissing)
    if (isMissing) focusFirstError(fields.current)
    else onConfirm(text.trim())
  }
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind={kind}
            type="submit"
            form={formId}
            pending={pending}
            keyHint={reason === 'none' ? undefined : 'ctrl ↵'}
          >
            {command}
          </Button>
        </>
      }
    >
      <form id={formId} ref={fields} noValidate className="stack" onSubmit={submitting(send)}>
        {children}
        {reason !== 'none' && (
          <TextArea
            label={reason === 'client' ? t`Reason` : t`Why`}
            hint={reason === 'client' ? t`The client reads it.` : t`Goes to the audit log.`}
            optional={reason === 'optional'}
            value={text}
            maxLength={1000}
            error={missing ? t`Say why.` : refused}
            onChange={(event) => {
              setText(event.target.value)
              setMissing(false)
            }}
            onKeyDown={sendsOnControlEnter(send)}
          />
        )}
        {Boolean(failure) && refused === undefined && (
          <Notice kind="bad">
            <FailureSentence failure={failure} />
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
