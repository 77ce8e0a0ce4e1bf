import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { type Account, changeTradingPassword, getDemoAccounts, getLiveAccounts } from '#contract/accounts.ts'
import { checkTradingPassword } from '#rules/passwords.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { submitting, useFormValues } from '#ui/forms/form-values.ts'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'

/** A new password for the platform; shown only when the client opens it. */
export function TradingPasswordForm({ account }: { account: Account }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const [sealing, setSealing] = useState(false)
  const form = useFormValues({ password: '' })
  const formElement = form.ref
  useEffect(() => {
    if (open) formElement.current?.querySelector('input')?.focus()
  }, [open, formElement])
  const change = useEndpointMutation(changeTradingPassword, {
    refreshes: [getLiveAccounts, getDemoAccounts],
    onDone: () => {
      showToast(t`You have successfully changed the password for your account.`)
      close()
    },
    onFailure: (failure) => form.sayErrors({ password: failure.errors['password'] ?? failure.error }),
  })
  const close = () => {
    form.set({ password: '' })
    setOpen(false)
  }
  const send = async () => {
    if (checkTradingPassword(form.values.password) !== null) {
      form.sayErrors({
        password: t`A trading password has 8 to 15 characters with lowercase and uppercase letters, a digit and a special character.`,
      })
      return
    }
    setSealing(true)
    try {
      change.mutate({ accountId: account._id, password: await encryptPassword(form.values.password) })
    } catch {
      form.sayErrors({ password: t`Server error.` })
    } finally {
      setSealing(false)
    }
  }
  return (
    <section>
      <div className="row between">
        <div>
          <h3>{t`Trading password`}</h3>
          <p className="muted size-14">{t`For logging in to the platform, not to this portal.`}</p>
        </div>
        {!open && (
          <Button size="small" onClick={() => setOpen(true)}>
            <Trans>Change</Trans>
            <span className="unseen"> {t`Trading password`}</span>
          </Button>
        )}
      </div>
      {open && (
        <form ref={form.ref} noValidate className="settings-form" onSubmit={submitting(() => void send())}>
          <PasswordField
            label={t`New trading password`}
            hint={t`8 to 15 characters with lowercase and uppercase letters, a digit and a special character.`}
            autoComplete="new-password"
            {...form.text('password')}
          />
          <StepUpHint />
          <div className="row">
            <Button size="small" type="submit" pending={sealing || change.isPending}>{t`Save password`}</Button>
            <Button size="small" kind="quiet" onClick={close}>{t`Cancel`}</Button>
          </div>
        </form>
      )}
    </section>
  )
}
