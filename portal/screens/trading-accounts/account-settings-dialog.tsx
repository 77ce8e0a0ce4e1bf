import { Trans, useLingui } from '@lingui/react/macro'
import { useState, useEffect } from 'react'
import {
  type Account,
  getDemoAccounts,
  getLiveAccounts,
  updateAccount,
  setNickname,
  changeTradingPassword,
} from '#contract/accounts.ts'
import { getTradingAccount } from '#contract/trading-history.ts'
import { checkNickname } from '#rules/accounts.ts'
import { checkTradingPassword } from '#rules/passwords.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { Codes } from '#ui/text/codes.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { submitHandler, useFormValues } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { PasswordField } from '#ui/auth/password-field.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import { encryptPassword } from '#ui/auth/encrypt-password.ts'
import { accountName } from '../../funding/accounts.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { LeverageSection } from './leverage-section.tsx'

/** SETTINGS of an account: current and new leverage, trading password, nickname (requirements 7.7). */
export function AccountSettingsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<number | null>(null)
  const update = useEndpointMutation(updateAccount, {
    refreshes: [getLiveAccounts, getDemoAccounts, getTradingAccount],
    onDone: () => {
      showToast(
        () => t`You have successfully requested leverage change for your account. Please wait for admin to approve it.`,
      )
      onClose()
    },
  })
  const others = account.leverages.filter((leverage) => leverage !== account.leverage)
  const settings = usePortalSettings()
  const canAsk =
    others.length > 0 && account.leverageRequest === null && !account.closed && settings?.windDown.leverage === false
  return (
    <Dialog
      title={t`Settings for ${accountName(account)}`}
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {canAsk ? <Trans>Cancel</Trans> : <Trans>Close</Trans>}
          </Button>
          {canAsk && (
            <Button
              kind="primary"
              pending={update.isPending}
              disabledReason={chosen === null && t`Choose another leverage first.`}
              onClick={() => chosen !== null && update.mutate({ accountId: account._id, leverage: chosen as 30 })}
            >
              {chosen === null ? <Trans>Request leverage</Trans> : <Trans>Request {leverageText(chosen)}</Trans>}
            </Button>
          )}
        </>
      }
    >
      <p className="muted size-14 numbers">
        {groupedByFour(account.number ?? '')} · {account.platform} · {account.type} · {account.baseCurrency}
      </p>
      <div className="account-settings">
        <LeverageSection
          account={account}
          choices={canAsk ? others : []}
          chosen={chosen}
          onChosen={setChosen}
          failure={update.error}
        />
        <TradingPasswordForm account={account} />
        <NicknameForm account={account} />
      </div>
    </Dialog>
  )
}

/** The form for the client's own name for an account. */
function NicknameForm({ account }: { account: Account }) {
  const { t } = useLingui()
  const form = useFormValues({ nickname: account.nickname })
  const save = useEndpointMutation(setNickname, {
    refreshes: [getLiveAccounts, getDemoAccounts, getTradingAccount],
    onDone: () => showToast(() => t`The nickname has been saved.`),
    onFailure: (failure) => void form.sayErrors(() => ({ nickname: failure.errors['nickname'] ?? failure.error })),
  })
  const nickname = form.values.nickname.trim()
  const send = () => {
    if (checkNickname(nickname) !== null)
      form.sayErrors(() => ({ nickname: t`A nickname can have up to 30 letters, digits, spaces or hyphens.` }))
    else save.mutate({ accountId: account._id, nickname })
  }
  return (
    <section>
      <form ref={form.ref} noValidate className="nickname-form" onSubmit={submitHandler(send)}>
        <TextField label={t`Nickname`} autoComplete="off" maxLength={30} {...form.text('nickname')} />
        <Button type="submit" pending={save.isPending}>
          <Trans>Save</Trans>
          <span className="unseen"> {t`Nickname`}</span>
        </Button>
      </form>
    </section>
  )
}

/** A new password for the platform; shown only when the client opens it. */
function TradingPasswordForm({ account }: { account: Account }) {
  const { t } = useLingui()
  const { server } = account
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
      showToast(() => t`You have successfully changed the password for your account.`)
      close()
    },
    onFailure: (failure) => void form.sayErrors(() => ({ password: failure.errors['password'] ?? failure.error })),
  })
  const close = () => {
    form.set({ password: '' })
    setOpen(false)
  }
  const send = async () => {
    const problem = checkTradingPassword(form.values.password)
    if (problem !== null) {
      form.sayErrors(() => ({
        password:
          problem === 'trading-password-characters'
            ? t`A trading password cannot contain =, | or a backslash.`
            : t`A trading password has 8 to 15 characters with lowercase and uppercase letters, a digit and a special character.`,
      }))
      return
    }
    setSealing(true)
    try {
      change.mutate({ accountId: account._id, password: await encryptPassword(form.values.password) })
    } catch {
      form.sayErrors(() => ({ password: t`Server error.` }))
    } finally {
      setSealing(false)
    }
  }
  return (
    <section>
      <div className="row between">
        <div>
          <h3>{t`Trading password`}</h3>
          <p className="muted size-14">
            {account.closed
              ? t`You can no longer log in to this account on the platform.`
              : t`For logging in to the platform, not to this portal.`}
          </p>
          {!account.closed && server !== null && (
            <p className="muted size-14">
              <Codes>{t`Server: ${server}`}</Codes>
            </p>
          )}
        </div>
        {!open && !account.closed && (
          <Button size="small" onClick={() => setOpen(true)}>
            <Trans>Change</Trans>
            <span className="unseen"> {t`Trading password`}</span>
          </Button>
        )}
      </div>
      {open && (
        <form ref={form.ref} noValidate className="settings-form" onSubmit={submitHandler(() => void send())}>
          <PasswordField
            label={t`New trading password`}
            hint={t`8 to 15 characters with lowercase and uppercase letters, a digit and a special character, but no =, | or backslash.`}
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
