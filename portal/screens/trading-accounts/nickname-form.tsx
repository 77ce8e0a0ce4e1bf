import { Trans, useLingui } from '@lingui/react/macro'
import { type Account, getDemoAccounts, getLiveAccounts, setNickname } from '#contract/accounts.ts'
import { checkNickname } from '#rules/accounts.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { submitting, useFormValues } from '#ui/forms/form-values.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { TextField } from '#ui/forms/text-field.tsx'

/** The client's own name for an account. */
export function NicknameForm({ account }: { account: Account }) {
  const { t } = useLingui()
  const form = useFormValues({ nickname: account.nickname })
  const save = useEndpointMutation(setNickname, {
    refreshes: [getLiveAccounts, getDemoAccounts],
    onDone: () => showToast(t`The nickname has been saved.`),
    onFailure: (failure) => form.sayErrors({ nickname: failure.errors['nickname'] ?? failure.error }),
  })
  const nickname = form.values.nickname.trim()
  const send = () => {
    if (checkNickname(nickname) !== null)
      form.sayErrors({ nickname: t`A nickname can have up to 30 letters, digits, spaces or hyphens.` })
    else save.mutate({ accountId: account._id, nickname })
  }
  return (
    <section>
      <form ref={form.ref} noValidate className="nickname-form" onSubmit={submitting(send)}>
        <TextField label={t`Nickname`} autoComplete="off" maxLength={30} {...form.text('nickname')} />
        <Button type="submit" pending={save.isPending}>
          <Trans>Save</Trans>
          <span className="unseen"> {t`Nickname`}</span>
        </Button>
      </form>
    </section>
  )
}
