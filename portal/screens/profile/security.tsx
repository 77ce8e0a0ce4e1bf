import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { endSession, listSessions } from '#contract/security.ts'
import { changePassword } from '#contract/passwords.ts'
import { Button } from '#ui/forms/button.tsx'
import { useDeviceLabels } from '#ui/text/device-labels.ts'
import { useEndpoint, useEndpointMutation, refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { ApiErrorText, ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import { Time } from '#ui/text/time.tsx'
import { useCredentialSubmit } from '#ui/auth/use-sending.ts'
import { call } from '#ui/api/call.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { noErrors, submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { PasswordStrength } from '#ui/auth/password-strength.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { session } from '../../session.ts'
import { SecondFactor } from './second-factor.tsx'
import { usePortalSettings } from '../../portal-settings.ts'
import { useNewPasswordErrors } from './new-password-errors.ts'

/** Password, second factor and open sessions; one form at a time. */
export function Security({ secondFactor }: { secondFactor: boolean }) {
  const { t } = useLingui()
  const [open, setOpen] = useState<'password' | 'second-factor' | null>(null)
  return (
    <>
      <section className="profile-block">
        <h3 className="title-4">{t`Password`}</h3>
        <ChangePassword
          open={open === 'password'}
          waits={open === 'second-factor'}
          onOpen={(next) => setOpen(next ? 'password' : null)}
        />
      </section>
      <section className="profile-block">
        <h3 className="title-4">{t`Two-factor authentication (2FA)`}</h3>
        <SecondFactor
          on={secondFactor}
          waits={open === 'password'}
          onOpen={(next) => setOpen(next ? 'second-factor' : null)}
        />
      </section>
      <section className="profile-block">
        <h3 className="title-4">{t`Active sessions`}</h3>
        <Sessions />
      </section>
    </>
  )
}

function Sessions() {
  const { t } = useLingui()
  const deviceWords = useDeviceLabels()
  const { data, error, refetch } = useEndpoint(listSessions, {})
  const queries = useQueryClient()
  const end = useEndpointMutation(endSession, {
    refreshes: [listSessions],
    onFailure: () => void refreshEndpoints(queries, [listSessions]),
  })
  const [endingId, setEndingId] = useState<string | null>(null)
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width={320} height={24} />
  const close = (row: (typeof data.sessions)[number]) => {
    setEndingId(row.id)
    end.mutate({ sessionId: row.id }, { onSuccess: () => row.current && session.end('logout') })
  }
  const others = data.sessions.filter(({ current }) => !current)
  const endAll = ([next, ...rest]: typeof others) => {
    if (!next) return
    setEndingId('others')
    end.mutate({ sessionId: next.id }, { onSuccess: () => endAll(rest) })
  }
  const endLabel = (device: string) => t`End the session on ${device}`
  return (
    <ul className="sessions">
      {end.error && (
        <li>
          <Alert kind="bad">
            <ApiErrorText failure={end.error} />
          </Alert>
        </li>
      )}
      {data.sessions.length > 1 && (
        <li>
          <StepUpHint />
        </li>
      )}
      {data.sessions.map((row) => (
        <li key={row.id}>
          <div className="grow">
            <p>
              <b className="strong">{deviceWords(row.device)}</b>{' '}
              {row.current && <span className="tag">{t`this device`}</span>}
            </p>
            <p className="muted size-13">
              <Trans>
                {row.address}
                {'\u00a0'}·{' '}
                <span className="unbroken">
                  last seen <Time at={row.lastSeenAt} />
                </span>
                {'\u00a0'}·{' '}
                <span className="unbroken">
                  since <Time at={row.createdAt} />
                </span>
              </Trans>
            </p>
          </div>
          <Button
            size="small"
            pending={end.isPending && endingId === row.id}
            aria-disabled={end.isPending}
            onClick={() => close(row)}
            aria-label={endLabel(deviceWords(row.device))}
          >
            <Trans>End</Trans>
          </Button>
        </li>
      ))}
      {others.length > 1 && (
        <li>
          <Button size="small" pending={end.isPending && endingId === 'others'} onClick={() => endAll(others)}>
            <Trans>End all other sessions</Trans>
          </Button>
        </li>
      )}
    </ul>
  )
}

/** A form of Security: disabled while another one is open. */
interface ChangePasswordProps {
  open: boolean
  waits: boolean
  onOpen: (open: boolean) => void
}

/** The change of the password; keeps this session and ends the others. */
function ChangePassword({ open, waits, onOpen }: ChangePasswordProps) {
  const { t } = useLingui()
  if (open) return <PasswordForm onClose={() => onOpen(false)} />
  return (
    <>
      <p className="muted size-14">{t`Changing your password ends all other sessions.`}</p>
      <Button
        size="small"
        disabledReason={waits ? t`Complete or cancel the form below first.` : undefined}
        onClick={() => onOpen(true)}
      >
        <Trans>Change password</Trans>
      </Button>
    </>
  )
}

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const shortest = usePortalSettings()?.limits.passwordMin ?? 6
  const form = useFormValues({ currentPassword: '', password: '', confirm_password: '' })
  const { pending, send } = useCredentialSubmit(form, 'confirm_password')
  const { currentPassword, password, confirm_password: again } = form.values
  const faultsOf = useNewPasswordErrors(shortest)
  const wrong = () => ({
    ...(currentPassword === '' ? { currentPassword: t`Enter your current password.` } : noErrors),
    ...faultsOf(password, again),
  })
  const submit = () => {
    if (form.sayErrors(wrong)) return
    void send(async () => {
      await call(changePassword, {
        currentPassword: await encryptPassword(currentPassword),
        password: await encryptPassword(password),
      })
      showToast(() => t`Your password has been changed. We have ended your other sessions.`)
      void refreshEndpoints(queries, [listSessions])
      onClose()
    })
  }
  return (
    <form ref={form.ref} className="profile-edit stack" noValidate onSubmit={submitHandler(submit)}>
      <PasswordField {...form.text('currentPassword')} label={t`Current password`} autoComplete="current-password" />
      <div>
        <PasswordField {...form.text('password')} label={t`New password`} autoComplete="new-password" />
        <PasswordStrength password={password} shortest={shortest} />
      </div>
      <PasswordField {...form.text('confirm_password')} label={t`Confirm password`} autoComplete="new-password" />
      <FormActions pending={pending} onCancel={onClose}>{t`CHANGE PASSWORD`}</FormActions>
    </form>
  )
}
