import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { IconButton } from '../forms/button.tsx'
import { Field } from '../forms/field.tsx'
import './password-field.css'
import { prepareEncryption } from './encrypt-password.ts'
import type { TextFieldProps } from '../forms/text-field.tsx'

/** A password field with a button that shows the text. `autoComplete` is "current-password" or "new-password". */
export function PasswordField({ label, hint, error, optional, labelEnd, end: _end, ...input }: TextFieldProps) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error} optional={optional} labelEnd={labelEnd}>
      {(control) => (
        <span className="input-frame">
          <input
            {...input}
            {...control}
            onFocus={(event) => {
              prepareEncryption()
              input.onFocus?.(event)
            }}
            type={shown ? 'text' : 'password'}
            spellCheck={false}
            autoCapitalize="none"
          />
          <IconButton
            name={shown ? t`Hide password` : t`Show password`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <IconEyeOff aria-hidden="true" /> : <IconEye aria-hidden="true" />}
          </IconButton>
        </span>
      )}
    </Field>
  )
}
