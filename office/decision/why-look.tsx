/** Requests the reason to view a masked document or to download it. */
import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Button } from '#ui/forms/button.tsx'
import { focusFirstError, submitting } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'

/** An auditor sees images only with a written reason, which is logged (requirements 1.9). */
export function WhyLook({ onReason }: { onReason: (reason: string) => void }) {
  const { t } = useLingui()
  return <Why label={t`Reason for viewing the images`} command={t`Show images`} onReason={onReason} />
}

interface WhyProps {
  label: string
  command: string
  onReason: (reason: string) => void
}

/** Requests a reason for the audit log before an action that needs one. */
export function Why({ label, command, onReason }: WhyProps) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const show = () => {
    setMissing(text.trim() === '')
    if (text.trim() === '') focusFirstError(form.current)
    else onReason(text.trim())
  }
  return (
    <form ref={form} className="viewer-said stack" onSubmit={submitting(show)}>
      <TextField
        label={label}
        hint={t`Recorded in the audit log with your name.`}
        value={text}
        error={missing ? t`Enter a reason.` : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button kind="primary" type="submit">
        {command}
      </Button>
    </form>
  )
}
