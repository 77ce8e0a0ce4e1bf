import { Trans, useLingui } from '@lingui/react/macro'
import { officeChangePassword, officeCurrent } from '#contract/office/session.ts'
import { endMyAbsence, setMyAbsence } from '#contract/office/absences.ts'
import { useCredentialSubmit } from '#ui/auth/use-sending.ts'
import { Button } from '#ui/forms/button.tsx'
import { call } from '#ui/api/call.ts'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { PasswordStrength } from '#ui/auth/password-strength.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { useRoleLabels } from '../../layout/role-labels.ts'
import { session, useStaff } from '../../session.ts'
import { AbsenceDialog } from '../../records/absence-dialog.tsx'
import { AbsenceLine } from '../../records/absence.tsx'
import { showFailure } from '../../records/show-failure.ts'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'

/** The reader's own absence and password; another administrator changes roles and second factor. */
export default function MySecurity() {
  const { t } = useLingui()
  const { staff } = useStaff()
  const role = useRoleLabels()
  return (
    <OfficePage>
      <PageHeader title={t`My security`} />
      <div className="form stack-8">
        <DescriptionList
          rows={[
            { key: <Trans>Name</Trans>, value: staff.name },
            { key: <Trans>Email</Trans>, value: staff.email },
            { key: <Trans>Roles</Trans>, value: staff.roles.map(role).join(', ') },
            {
              key: <Trans>Two-factor authentication (2FA)</Trans>,
              value: (
                <Trans>
                  On. If you lose your device, an administrator can reset it. You then set it up again when you sign in.
                </Trans>
              ),
            },
            { key: <Trans>Absence</Trans>, value: <MyAbsence /> },
          ]}
        />
        <PasswordForm />
      </div>
    </OfficePage>
  )
}

function PasswordForm() {
  const { t } = useLingui()
  const { passwordLengthMin } = useStaff()
  const form = useFormValues({ currentPassword: '', password: '', again: '' })
  const { pending, send } = useCredentialSubmit(form, 'again')
  const { currentPassword, password, again } = form.values
  const wrong = (): Record<string, string> => {
    if (currentPassword === '') return { currentPassword: t`Enter your current password.` }
    if (password === '') return { password: t`Enter a new password.` }
    return password === again ? {} : { again: t`Passwords MUST match!` }
  }
  const submit = () => {
    if (form.sayErrors(wrong)) return
    void send(async () => {
      const { token } = await call(officeChangePassword, {
        currentPassword: await encryptPassword(currentPassword),
        password: await encryptPassword(password),
      })
      session.keep(token)
      showToast(() => t`Your password has been changed. We have ended your other sessions.`)
      form.set({ currentPassword: '', password: '', again: '' })
    })
  }
  return (
    <form ref={form.ref} className="stack" noValidate onSubmit={submitHandler(submit)}>
      <h2>{t`Change password`}</h2>
      <PasswordField {...form.text('currentPassword')} label={t`Current password`} autoComplete="current-password" />
      <div>
        <PasswordField {...form.text('password')} label={t`New password`} autoComplete="new-password" />
        <PasswordStrength password={password} shortest={passwordLengthMin} />
      </div>
      <PasswordField {...form.text('again')} label={t`Confirm new password`} autoComplete="new-password" />
      <Button kind="primary" type="submit" pending={pending}>{t`Change password`}</Button>
    </form>
  )
}

/** The reader's own absence, which colleagues see (requirements 24.73). */
function MyAbsence() {
  const { t } = useLingui()
  const { absence } = useStaff().staff
  const [open, setOpen] = useFormFromUrl(['absence'])
  const end = useEndpointMutation(endMyAbsence, {
    refreshes: [officeCurrent],
    onDone: () => showToast(() => t`Your absence has ended.`),
    onFailure: showFailure,
  })
  return (
    <div className="stack-2">
      {absence ? (
        <AbsenceLine absence={absence} />
      ) : (
        <span>
          <Trans context="absence">None</Trans>
        </span>
      )}
      <div className="row wrap">
        <Button size="small" onClick={() => setOpen('absence')}>
          {absence ? <Trans>Change absence…</Trans> : <Trans>Set absence…</Trans>}
        </Button>
        {absence && (
          <Button size="small" pending={end.isPending} onClick={() => end.mutate({ before: absence })}>
            <Trans>End absence</Trans>
          </Button>
        )}
      </div>
      {open && (
        <AbsenceDialog
          endpoint={setMyAbsence}
          input={(days) => days}
          refreshes={[officeCurrent]}
          title={<Trans>Save my absence</Trans>}
          absence={absence}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}
