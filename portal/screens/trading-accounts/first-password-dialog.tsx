import { Trans, useLingui } from '@lingui/react/macro'
import { type Account, getDemoAccounts, getLiveAccounts, revealPassword } from '#contract/accounts.ts'
import { Button } from '#ui/forms/button.tsx'
import { CopyButton } from '#ui/data/copy-button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import { accountName } from '../../funding/accounts.ts'

/** The first trading password: revealed by a click, once (requirements 7.5). */
export function FirstPasswordDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useLingui()
  const reveal = useEndpointMutation(revealPassword, { refreshes: [getLiveAccounts, getDemoAccounts] })
  const password = reveal.data?.password
  // The password is shown only once: while it is on its way the dialog stays open.
  const close = reveal.isPending ? {} : { onClose }
  return (
    <Dialog
      title={t`First trading password of ${accountName(account)}`}
      {...close}
      actions={
        password === undefined ? (
          <>
            <Button kind="quiet" aria-disabled={reveal.isPending} onClick={onClose}>{t`Later`}</Button>
            <Button kind="primary" pending={reveal.isPending} onClick={() => reveal.mutate({ accountId: account._id })}>
              <Trans>Show password now</Trans>
            </Button>
          </>
        ) : (
          <>
            <Button kind="quiet" onClick={onClose}>{t`Close`}</Button>
            <CopyButton kind="primary" text={password} name={t`Copy password`}>{t`Copy password`}</CopyButton>
          </>
        )
      }
    >
      {password === undefined ? (
        <div className="stack">
          <p className="muted">
            <Trans>
              You can view it only once. Have your password manager or the platform ready. You can set a new password
              under SETTINGS at any time.
            </Trans>
          </p>
          <StepUpHint />
          {reveal.error instanceof ApiError && <Alert kind="bad">{reveal.error.error}</Alert>}
        </div>
      ) : (
        <div className="stack" role="status">
          <p className="first-password">{password}</p>
          <DescriptionList
            rows={[
              { key: t`Log in with`, value: groupedByFour(account.number ?? '') },
              account.server !== null && { key: t`Server`, value: account.server },
              { key: t`Platform`, value: account.platform },
            ]}
          />
          <p className="size-14 muted">{t`You cannot view this password again after you close this window.`}</p>
        </div>
      )}
    </Dialog>
  )
}
