/** The second step of signing in, for both apps: a code, sent with the ticket of the first step. */
import { useLingui } from '@lingui/react/macro'
import { ApiError } from '../api/api-error.ts'
import { noErrors, useFormValues } from '../forms/form-state.ts'
import { useCredentialSubmit } from './use-sending.ts'

/** `send` receives the code; `onEnded` receives the reason if the first step must be repeated. */
export function useCodeForm(send: (code: string) => Promise<void>, onEnded: (reason: ApiError) => void) {
  const { t } = useLingui()
  const form = useFormValues({ code: '' })
  const { pending, send: sending } = useCredentialSubmit(form, 'code')
  const submit = () => {
    const code = form.values.code.trim()
    if (form.sayErrors(() => (code === '' ? { code: t`Enter the code.` } : noErrors))) return
    void sending(() =>
      send(code).catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError && thrown.code === 'ticket-ended')) throw thrown
        onEnded(thrown)
      }),
    )
  }
  return { form, pending, submit }
}
