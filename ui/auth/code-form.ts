/** The second step of signing in, in either app: one code, sent with the ticket of the first. */
import { useLingui } from '@lingui/react/macro'
import { ApiError } from '../api/api-error.ts'
import { useFormValues } from '../forms/form-values.ts'
import { useSending } from './use-sending.ts'

/** `send` gets what was typed; `onEnded` is told why where the first step has to be taken again. */
export function useCodeForm(send: (code: string) => Promise<void>, onEnded: (said: string) => void) {
  const { t } = useLingui()
  const form = useFormValues({ code: '' })
  const { pending, send: sending } = useSending(form, 'code')
  const submit = () => {
    const code = form.values.code.trim()
    if (form.sayErrors(code === '' ? { code: t`Enter the code.` } : {})) return
    void sending(() =>
      send(code).catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError && thrown.code === 'ticket-ended')) throw thrown
        onEnded(thrown.error)
      }),
    )
  }
  return { form, pending, submit }
}
