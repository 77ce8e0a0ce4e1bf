import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { requestStatus } from '#contract/request-status.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { type StoreKey, unansweredRequests } from '../funding/stored-request.ts'
import type { Client } from '../session.ts'
import { logOutNow, cancelLogout } from './logout.ts'

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
          <Button kind="primary" onClick={logOutNow}>{t`Logout`}</Button>
        </>
      }
    >
      <ul className="stack" aria-live="polite">
        {requests.map(({ at, key }) => (
          <li key={key}>
            <RequestOutcome at={at} requestKey={key} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function RequestOutcome({ at, requestKey }: { at: StoreKey; requestKey: string }) {
  const { t } = useLingui()
  const { data, error } = useEndpoint(requestStatus, { key: requestKey }, { staleMs: 0 })
  const names: Record<StoreKey, string> = {
    deposit: t`Your deposit`,
    withdrawal: t`Your withdrawal`,
    transfer: t`Your transfer`,
    bank: t`Your bank details`,
  }
  return (
    <>
      <p className="strong">{names[at]}</p>
      <p className="muted">
        {error
          ? t`We cannot check whether we received this request. Check Transactions History when you log in again.`
          : !data
            ? t`We are checking the status of your request.`
            : data.status === 'unknown'
              ? t`We have not received this request. Nothing has changed. It will be deleted when you log out.`
              : data.status === 'in-progress'
                ? t`We have received this request and are processing it. You can see it in Transactions History.`
                : (data.answerStatus ?? 0) < 300
                  ? t`We have received this request. You can safely log out.`
                  : t`This request was declined. Nothing has changed.`}
      </p>
    </>
  )
}
