import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { requestStatus } from '#contract/request-status.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { stateWithoutResponse, statusPollMs } from '../funding/request-state.ts'
import { type StoreKey, unansweredRequests } from '../funding/stored-request.ts'
import type { Client } from '../session.ts'
import { confirmLogout, cancelLogout } from './logout.ts'

/** Shows the outcome of each request without a response before Logout deletes it. */
export default function LogoutDialog({ client }: { client: Client }) {
  const { t } = useLingui()
  const [requests] = useState(() => unansweredRequests(client.id))
  return (
    <Dialog
      title={t`Before you log out`}
      onClose={cancelLogout}
      actions={
        <>
          <Button kind="quiet" onClick={cancelLogout}>{t`Stay logged in`}</Button>
          <Button kind="primary" onClick={confirmLogout}>{t`Logout`}</Button>
        </>
      }
    >
      <ul className="stack" aria-live="polite">
        {requests.map(({ at, key, sentAt }) => (
          <li key={key}>
            <RequestOutcome at={at} requestKey={key} sentAt={sentAt} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

interface RequestOutcomeProps {
  at: StoreKey
  requestKey: string
  /** In ms since 1970. */
  sentAt: number
}

function RequestOutcome({ at, requestKey, sentAt }: RequestOutcomeProps) {
  const { t } = useLingui()
  const options = { staleMs: 0, pollMs: statusPollMs }
  const { data, error, dataUpdatedAt } = useEndpoint(requestStatus, { key: requestKey }, options)
  const names: Record<StoreKey, string> = {
    deposit: t`Your deposit`,
    withdrawal: t`Your withdrawal`,
    transfer: t`Your transfer`,
    bank: t`Your bank details`,
  }
  const list = at === 'bank' ? t`Bank Details` : t`Transactions History`
  const outcome = () => {
    if (error) return t`We cannot check whether we received this request. Check ${list} when you log in again.`
    if (!data) return t`We are checking the status of your request.`
    if (data.status === 'answered')
      return (data.answerStatus ?? 0) < 300
        ? t`We have received this request. You can safely log out.`
        : t`This request was declined. Nothing has changed.`
    switch (stateWithoutResponse(data.status, dataUpdatedAt - sentAt)) {
      case 'arriving':
        return t`We have received this request and are processing it. You can see it in ${list}.`
      case 'expected':
        return t`We have not received this request yet. It may still arrive. Check ${list} when you log in again.`
      case 'absent':
        return t`We have not received this request. Nothing has changed. It will be deleted when you log out.`
      case 'forgotten':
        return t`The status of this request is no longer available. Check ${list} when you log in again.`
    }
  }
  return (
    <>
      <p className="strong">{names[at]}</p>
      <p className="muted">{outcome()}</p>
    </>
  )
}
