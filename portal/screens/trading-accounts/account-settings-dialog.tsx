import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type Account, getDemoAccounts, getLiveAccounts, updateAccount, setNickname } from '#contract/accounts.ts'
import { getTradingAccount } from '#contract/trading-history.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { nameOf } from '../../funding/accounts.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { LeverageSection } from './leverage-section.tsx'
import { TradingPasswordForm } from './trading-password-form.tsx'
import { checkNickname } from '#rules/accounts.ts'
import { submitting, useFormValues } from '#ui/forms/form-values.ts'
import { TextField } from '#ui/forms/text-field.tsx'

/** SETTINGS of an account: current and new leverage, trading password, nickname (requirements 7.7). */
export function AccountSettingsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<number | null>(null)
  const update = useEndpointMutation(updateAccount, {
    refreshes: [getLiveAccounts, getDemoAccounts, getTradingAccount],
    onDone: () => {
      showToast(
        t`You have successfully requested leverage change for your account. Please wait for admin to approve it.`,
      )
      onClose()
    },
  })
  const others = account.leverages.filter((leverage) => leverage !== account.leverage)
  const settings = usePortalSettings()
  const canAsk = others.length > 0 && account.leverageRequest === null && settings?.windDown.leverage === false
  return (
    <Dialog
      title={t`Settings of ${nameOf(account)}`}
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
