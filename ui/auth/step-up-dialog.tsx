import { useLingui } from '@lingui/react/macro'
import { useCredentialSubmit } from './use-sending.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '../forms/button.tsx'
import { Dialog } from '../overlays/dialog.tsx'
import { submitHandler, useFormValues } from '../forms/form-state.ts'
import { DescriptionList } from '../data/description-list.tsx'
import { PasswordField } from './password-field.tsx'
import type { StepUpPrompt, StepUpCalls } from './step-up.ts'
import { encryptPassword } from './encrypt-password.ts'
import { CodeField } from '../forms/text-field.tsx'

const formId = 'prove-again'

interface StepUpDialogProps {
  asked: StepUpPrompt
  calls: StepUpCalls
}

/** Requests the password or a code again; then the request continues automatically. */
export default function StepUpDialog({ asked, calls }: StepUpDialogProps) {
  const { t } = useLingui()
  const { form, pending, submit } = useStepUpForm({ asked, calls })
  const { by, bound } = asked
  const giveUp = () => asked.settle(null)
  const formElement = form.ref
  useEffect(() => formElement.current?.querySelector('input')?.focus(), [formElement])
  return (
    <Dialog
      title={t`Confirm your identity`}
      above
      onClose={giveUp}
      actions={
        <>
          <Button kind="quiet" onClick={giveUp}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={formId} pending={pending}>{t`Confirm`}</Button>
        </>
      }
    >
      <form id={formId} ref={form.ref} className="stack" noValidate onSubmit={submitHandler(() => submit())}>
        {bound?.subject ? (
          <div>
            <p className="strong">{bound.subject.title}</p>
            <DescriptionList rows={bound.subject.rows} />
          </div>
        ) : (
          <p className="muted">{t`For your security, confirm your identity to continue. Your entries are kept.`}</p>
        )}
        {by === 'code' ? (
          <CodeField
            {...form.text('code')}
            label={t`Authenticator code`}
            hint={t`Enter the 6-digit code or a recovery code.`}
            maxLength={32}
          />
        ) : (
          <PasswordField {...form.text('password')} label={t`Your password`} autoComplete="current-password" />
        )}
      </form>
    </Dialog>
  )
}

/** Sends the entered value; errors are shown at its field. */
function useStepUpForm({ asked, calls }: StepUpDialogProps) {
  const { by, bound } = asked
  const { t } = useLingui()
  const queries = useQueryClient()
  const form = useFormValues({ password: '', code: '' })
  const { pending, send } = useCredentialSubmit(form, by)
  const submit = () => {
    if (pending) return
    const typed = form.values[by].trim()
    if (
      form.sayErrors(() => (typed === '' ? { [by]: by === 'code' ? t`Enter the code.` : t`Enter your password.` } : {}))
    )
      return
    void send(async () => {
      const given = by === 'code' ? { code: typed } : { password: await encryptPassword(form.values.password) }
      const { proof, ...shown } = await calls.prove(bound ? { ...given, callHash: bound.callHash } : given)
      if (!bound) queries.setQueryData([calls.show.name, {}], shown)
      asked.settle({ proof })
    })
  }
  return { form, pending, submit }
}
