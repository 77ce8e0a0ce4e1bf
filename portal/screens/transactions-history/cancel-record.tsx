import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { getLiveAccounts } from '#contract/accounts.ts'
import { cancelDeposit } from '#contract/deposits.ts'
import { getTransferHistory, getTransferTimeline } from '#contract/history.ts'
import { settings } from '#contract/settings.ts'
import { cancelTransfer } from '#contract/transfers.ts'
import { cancelWithdrawal } from '#contract/withdrawals.ts'
import { Button } from '#ui/forms/button.tsx'
import { refreshEndpoints, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { amountOf, type HistoryRecord } from './history-record.ts'

const cancels = { deposits: cancelDeposit, withdrawals: cancelWithdrawal, transfers: cancelTransfer } as const
const refreshes = [getTransferHistory, getTransferTimeline, getLiveAccounts]

/** Focuses the safe answer, because the pressed button has been removed. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus()

/**
 * Cancels the request while it is pending, after a confirmation in place. While recovery has stopped it, the button
 * says so.
 */
export function CancelRecord({ record, stopped }: { record: HistoryRecord; stopped: boolean }) {
  const { t, i18n } = useLingui()
  const [asking, setAsking] = useState(false)
  const queries = useQueryClient()
  const cancel = useEndpointMutation(cancels[record.list], {
    refreshes,
    // Decided in the meantime: reload to show the decision.
    onFailure: ({ status, code }) => {
      if (status === 409) void refreshEndpoints(queries, refreshes)
      if (code === 'money-stopped') void refreshEndpoints(queries, [settings])
    },
  })
  const amount = moneyText(amountOf(record), i18n.locale)
  const words = {
    deposits: {
      command: t`Cancel deposit`,
      consequence:
        record.list === 'deposits' && record.row.depositType !== 'wire'
          ? t`We will close the payment page. If you have already paid, we will still credit ${amount} to your account.`
          : t`This cancels your deposit of ${amount}. Do not cancel if your bank has already sent it.`,
    },
    withdrawals: {
      command: t`Cancel withdrawal`,
      consequence: t`${amount} stays in your account and will be available again immediately.`,
    },
    transfers: {
      command: t`Cancel transfer`,
      consequence: t`${amount} stays in its account and will be available again immediately.`,
    },
  }[record.list]
  if (!asking)
    return (
      <Button
        kind="danger"
        size="small"
        disabledReason={
          stopped && (
            <Trans>You cannot cancel this request while we check our records. Try again after the check.</Trans>
          )
        }
        onClick={() => setAsking(true)}
      >
        {words.command}
      </Button>
    )
  return (
    <div className="record-cancel">
      {cancel.error ? (
        <Alert kind="bad">
          <ApiErrorText failure={cancel.error} />
        </Alert>
      ) : (
        <p>{words.consequence}</p>
      )}
      <div className="row wrap">
        <Button size="small" ref={takeFocus} onClick={() => setAsking(false)}>{t`Keep request`}</Button>
        <Button
          kind="danger"
          size="small"
          pending={cancel.isPending}
          onClick={() => cancel.mutate({ id: record.row.id })}
        >
          {words.command}
        </Button>
      </div>
    </div>
  )
}
