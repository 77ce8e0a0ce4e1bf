import { Trans, useLingui } from '@lingui/react/macro'
import { useCredentialSubmit } from '#ui/auth/use-sending.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { acceptInvitation, openInvitation } from '#contract/office/session.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import type { ApiError } from '#ui/api/api-error.ts'
import { call } from '#ui/api/call.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { noErrors, submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { useWindowTitle } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { PasswordStrength } from '#ui/auth/password-strength.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { SecondStep, type Ticket } from '../sign-in/second-step.tsx'
import { SignInFrame } from '../sign-in/sign-in-frame.tsx'

/** The page of an invitation: the invited person, a first password, then the second factor. */
export default function Welcome({ params }: ScreenProps) {
  const { t } = useLingui()
  const id = params['id'] ?? ''
  const [ticket, setTicket] = useState<Ticket | null>(null)
  const [, navigate] = useLocation()
  useWindowTitle(t`Welcome`)
  // The password is set and the link used: the normal sign-in follows, which sets up the second factor too.
  const signIn = (reason?: ApiError) => {
    if (reason !== undefined) showToast(() => reason.error, { kind: 'bad' })
    navigate(officePaths.signIn, { replace: true })
  }
  const invitation = useQuery({
    queryKey: [openInvitation.name, id],
    queryFn: () => call(openInvitation, { id }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: ticket === null,
  })
  return (
    <SignInFrame waiting={ticket === null && invitation.isPending}>
      {ticket ? (
        <SecondStep ticket={ticket} onBack={signIn} />
      ) : invitation.data ? (
        <FirstPassword id={id} invitation={invitation.data} onTicket={setTicket} />
      ) : (
        invitation.error && (
          <ErrorPanel
            level="h1"
            failure={invitation.error}
            title={t`This invitation is not valid`}
            action={<ButtonLink href={officePaths.signIn} kind="primary">{t`Sign in`}</ButtonLink>}
          />
        )
      )}
    </SignInFrame>
  )
}

type Invitation = Awaited<ReturnType<typeof call<typeof openInvitation>>>

interface FirstPasswordProps {
  id: string
  invitation: Invitation
  onTicket: (ticket: Ticket) => void
}

function FirstPassword({ id, invitation, onTicket }: FirstPasswordProps) {
  const { t } = useLingui()
  const role = useRoleLabels()
  const form = useFormValues({ password: '' })
  const shortest = invitation.passwordLengthMin
  const { pending, send } = useCredentialSubmit(form, 'password')
  const submit = () => {
    if (form.sayErrors(() => (form.values.password === '' ? { password: t`Enter a password.` } : noErrors))) return
    void send(async () =>
      onTicket(await call(acceptInvitation, { id, password: await encryptPassword(form.values.password) })),
    )
  }
  return (
    <>
      <h1>
        <Trans>Welcome, {invitation.name}</Trans>
      </h1>
      <p className="muted sign-in-lead">{t`Choose a password. Then set up two-factor authentication with an app.`}</p>
      <DescriptionList
        rows={[
          { key: t`Email`, value: invitation.email },
          { key: t`Role`, value: invitation.roles.map(role).join(', ') },
        ]}
      />
      <form ref={form.ref} noValidate onSubmit={submitHandler(submit)}>
        <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
        <PasswordField
          {...form.text('password')}
          label={t`New password`}
          hint={t`At least ${shortest} characters.`}
          autoComplete="new-password"
        />
        <PasswordStrength password={form.values.password} shortest={shortest} />
        <Button kind="primary" type="submit" full pending={pending}>{t`Continue`}</Button>
      </form>
    </>
  )
}
