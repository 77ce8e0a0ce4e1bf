import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type Account, getDemoAccounts, getLiveAccounts, updateAccount } from '#contract/accounts.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { nameOf } from '../../funding/accounts.ts'
import { usePortalSettings } from '../../portal-settings.ts'
import { LeverageSection } from './leverage-section.tsx'
import { NicknameForm } from './nickname-form.tsx'
import { TradingPasswordForm } from './trading-password-form.tsx'

/** SETTINGS of an account: leverage old and new, trading password, nickname (requirements 7.7). */
export function AccountSettingsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<number | null>(null)
  const update = useEndpointMutation(updateAccount, {
    refreshes: [getLiveAccounts, getDemoAccounts],
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
      isOpen
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
