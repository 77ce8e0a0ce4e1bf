import { useLingui } from '@lingui/react/macro'
import { Field } from '#ui/forms/field.tsx'
import { FileInput } from '#ui/forms/file-input.tsx'

export interface ProofFile {
  readonly filename: string
  readonly content: string
}

interface ProofFileFieldProps {
  hint?: string
  error: string | undefined
  onProof: (proof: ProofFile | null) => void
}

/** The proof of an override, read in the browser. */
export function ProofFileField({ hint, error, onProof }: ProofFileFieldProps) {
  const { t } = useLingui()
  const choose = async (file: File | undefined) =>
    onProof(file ? { filename: file.name, content: base64Of(new Uint8Array(await file.arrayBuffer())) } : null)
  return (
    <Field
      label={t`Evidence file`}
      hint={hint ?? t`PDF, JPEG or PNG, for example a letter from the payer.`}
      error={error}
    >
      {(control) => <FileInput {...control} accept=".pdf,.jpg,.jpeg,.png" onFile={(file) => void choose(file)} />}
    </Field>
  )
}

const chunkBytes = 32_768

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += chunkBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + chunkBytes))
  return btoa(text)
}
