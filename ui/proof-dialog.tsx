import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ProofKind } from '#rules/proof.ts'
import { Button } from './button.tsx'
import { call } from './call.ts'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.ts'
import { submitting, useFormValues } from './form-values.ts'
import { PasswordField } from './password-field.tsx'
import type { ProofCalls } from './proof.ts'
import { sealedPassword } from './sealed-password.ts'
import { TextField } from './text-field.tsx'

const formId = 'prove-again'

interface ProofDialogProps {
  by: ProofKind
  calls: ProofCalls
  onEnd: (proved: boolean) => void
}

/** The password or a code once more; then what was sent goes on by itself. */
export default function ProofDialog({ by, calls, onEnd }: ProofDialogProps) {
  const { t } = useLingui()
  const { form, pending, submit } = useProving({ by, calls, onEnd })
  const formElement = form.ref
  useEffect(() => formElement.current?.querySelector('input')?.focus(), [formElement])
  return (
    <Dialog
      title={t`Confirm that it is you`}
      isOpen
      above
      onClose={() => onEnd(false)}
      actions={
        <>
          <Button kind="quiet" onClick={() => onEnd(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" form={formId} pending={pending}>
            <Trans>Confirm</Trans>
          </Button>
        </>
      }
    >
      <form id={formId} ref={form.ref} className="stack" noValidate onSubmit={submitting(() => void submit())}>
        <p className="muted">
          <Trans>This step changes money or access, so we ask once more. What you entered stays as it is.</Trans>
        </p>
        {by === 'code' ? (
          <TextField
            {...form.text('code')}
            label={t`Code of your app`}
            hint={t`The six digits, or a recovery code.`}
            className="numbers"
            autoComplete="one-time-code"
            maxLength={32}
          />
        ) : (
          <PasswordField {...form.text('password')} label={t`Your password`} autoComplete="current-password" />
        )}
      </form>
    </Dialog>
  )
}

/** Sends what was typed; what is wrong with it stands under its field. */
function useProving({ by, calls, onEnd }: ProofDialogProps) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useFormValues({ password: '', code: '' })
  const [pending, setPending] = useState(false)
  const submit = async () => {
    if (pending) return
    const typed = form.values[by].trim()
    if (form.sayErrors(typed === '' ? { [by]: by === 'code' ? t`Write the code.` : t`Enter your password.` } : {}))
      return
    setPending(true)
    try {
      const given = by === 'code' ? { code: typed } : { password: await sealedPassword(form.values.password) }
      queries.setQueryData([calls.show.name, {}], await call(calls.prove, given))
      onEnd(true)
    } catch (thrown) {
      setPending(false)
      const { passwordincorrect: wrong, [by]: own } = thrown instanceof Failure ? thrown.errors : {}
      form.sayErrors({ [by]: wrong ?? own ?? (thrown instanceof Failure ? thrown.error : t`Something went wrong!`) })
    }
  }
  return { form, pending, submit }
}
