/** A client's file as it was stored. Requests carry the bearer token, so it is no link. */
import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { documentOriginal } from '#contract/office/documents.ts'
import { saveFile } from '#ui/api/upload.ts'
import { Button } from '#ui/forms/button.tsx'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { showFailure } from '../records/show-failure.ts'
import { useIsAuditing } from '../session.ts'

interface StoredFile {
  readonly fileId: string
  readonly filename: string
}

/** The name of a file, which downloads it; an auditor first gives a reason. */
export function OriginalFile({ file }: { file: StoredFile }) {
  const { t } = useLingui()
  if (!useIsAuditing())
    return (
      <button type="button" className="text-button" onClick={() => void saveOriginal(file, '')}>
        {file.filename}
      </button>
    )
  return (
    <>
      <p>{file.filename}</p>
      <ReasonForm
        label={t`Reason for opening this file`}
        command={t`Download the file`}
        onReason={(reason) => void saveOriginal(file, reason)}
      />
    </>
  )
}

/** Downloads a file as it was stored, and reports a failure. */
export async function saveOriginal({ fileId, filename }: StoredFile, reason: string): Promise<void> {
  const path = documentOriginal.path.replace(':id', encodeURIComponent(fileId))
  try {
    await saveFile(reason === '' ? path : `${path}?${new URLSearchParams({ reason })}`, filename)
  } catch (thrown) {
    showFailure(thrown)
  }
}

interface ReasonFormProps {
  label: string
  command: string
  onReason: (reason: string) => void
}

/** Requests a reason for the audit log before an action that needs one. */
export function ReasonForm({ label, command, onReason }: ReasonFormProps) {
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
    <form ref={form} className="stack" onSubmit={submitHandler(show)}>
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
