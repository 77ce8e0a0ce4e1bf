import { useLingui } from '@lingui/react/macro'
import { type ComponentProps, useState } from 'react'
import './button.css'
import './file-input.css'

interface FileInputProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'onClick' | 'className'> {
  onFile: (file: File | undefined) => void
}

/** A file input in the reader's language; the browser's own button speaks the browser's. Files can be dropped on it. */
export function FileInput({ onFile, ...input }: FileInputProps) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  return (
    <span className="file-input">
      <input
        {...input}
        type="file"
        onClick={(event) => {
          // The browser reports only a different choice, and a corrected file has the same name.
          event.currentTarget.value = ''
        }}
        onChange={({ target: { files } }) => {
          const file = files?.[0]
          setName(file?.name ?? '')
          onFile(file)
        }}
      />
      {/* The input says both to screen readers. */}
      <span className="button outline small" aria-hidden="true">{t`Choose a file`}</span>
      <span className="file-input-name" aria-hidden="true">
        {name === '' ? t`No file chosen` : name}
      </span>
    </span>
  )
}
