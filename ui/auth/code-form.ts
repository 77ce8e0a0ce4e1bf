/** The second step of signing in, in either app: one code, sent with the ticket of the first. */
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useFormValues } from '../forms/form-values.ts'

/** `send` gets what was typed; `onEnded` is told why where the first step has to be taken again. */
export function useCodeForm(send: (code: string) => Promise<void>, onEnded: (said: string) => void) {
  const { t } = useLingui()
  const form = useFormValues({ code: '' })
  const [pending, setPending] = useState(false)
  const submit = async () => {
    const code = form.values.code.trim()
    if (form.sayErrors(code === '' ? { code: t`Enter the code.` } : {})) return
    setPending(true)
    try {
      await send(code)
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'ticket-ended') return onEnded(thrown.error)
      form.sayErrors({
        code: thrown instanceof ApiError ? (thrown.errors['code'] ?? thrown.error) : t`Something went wrong!`,
      })
    }
    setPending(false)
  }
  return { form, pending, submit }
}
