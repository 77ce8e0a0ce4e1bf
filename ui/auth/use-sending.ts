import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ApiError, fieldErrors } from '../api/api-error.ts'
import type { FieldErrors } from '../forms/form-state.ts'

interface CredentialForm {
  readonly values: object
  sayErrors(read: () => FieldErrors): boolean
}

/**
 * Sends the request of a form with a password or a code, and shows its errors: those of a field at the field, others at
 * `fallback`.
 */
export function useCredentialSubmit({ values, sayErrors }: CredentialForm, fallback: string) {
  const { t } = useLingui()
  const [pending, setPending] = useState(false)
  const send = async (work: () => Promise<void>) => {
    setPending(true)
    try {
      await work()
    } catch (thrown) {
      const current = 'currentPassword' in values ? 'currentPassword' : 'password'
      sayErrors(() => {
        const { passwordincorrect, ...rest } = fieldErrors(thrown)
        const errors = passwordincorrect ? { ...rest, [current]: passwordincorrect } : rest
        if (Object.keys(errors).some((name) => name in values)) return errors
        return { [fallback]: thrown instanceof ApiError ? thrown.error : t`Something went wrong!` }
      })
    }
    setPending(false)
  }
  return { pending, send }
}
