import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { clientAction, getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import {
  approveFactorReset,
  requestFactorReset,
  cancelFactorReset,
  rejectFactorReset,
} from '#contract/office/factor-resets.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { Button } from '#ui/forms/button.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { SecondApproval } from '../../records/second-approval.tsx'

const refreshes = [getOfficeClient, getClientEvents, listInbox]
type Reset = NonNullable<OfficeClient['factorReset']>

/** The reset for a client who lost the second factor: requested here, decided here by another person. */
export function FactorResetSection({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const { factorReset } = client
  const action = clientAction(client, 'askFactorReset')
  const mayAsk = client.security.secondFactor && action !== undefined && action.refusal?.code !== 'wrong-role'
  if (!factorReset && !mayAsk) return null
  return (
    <section>
      <h2>{t`Two-factor authentication (2FA)`}</h2>
      {factorReset ? (
        <PendingReset client={client} reset={factorReset} />
      ) : (
        <ResetRequest client={client} refusal={action?.refusal?.text} />
      )}
    </section>
  )
}

/** The request, with the reason if it is not possible yet. */
function ResetRequest({ client, refusal }: { client: OfficeClient; refusal: string | undefined }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const { name } = client.client
  return (
    <>
      <Button disabledReason={refusal} onClick={() => setOpen(true)}>{t`Request 2FA reset…`}</Button>
      {open && (
        <ActionDialog
          endpoint={requestFactorReset}
          input={(reason) => ({ id: client.id, reason })}
          refreshes={refreshes}
          done={t`Another person must approve the request.`}
          title={<Trans>Request 2FA reset for {name}</Trans>}
          command={<Trans context="another person decides">Request</Trans>}
          onClose={() => setOpen(false)}
        >
          <p>
            <Trans>
              Use this only if the client has lost the app and all recovery codes. Explain how you verified the caller’s
              identity. The client is notified immediately. Another person must approve.
            </Trans>
          </p>
        </ActionDialog>
      )}
    </>
  )
}

function PendingReset({ client, reset }: { client: OfficeClient; reset: Reset }) {
  const { t } = useLingui()
  const { askedBy, askedAt, reason } = reset
  const { name } = client.client
  return (
    <div className="stack">
      <Alert kind="wait" title={<Trans>2FA reset requested</Trans>}>
        <p>
          <Trans>
            {askedBy.name}, <Time at={askedAt} />: {reason}
          </Trans>
        </p>
      </Alert>
      <SecondApproval
        proposal={{ id: client.id, version: reset.version }}
        verbs={reset.verbs}
        approve={approveFactorReset}
        reject={rejectFactorReset}
        cancel={cancelFactorReset}
        refreshes={refreshes}
        words={{
          approve: {
            command: t`Turn off 2FA`,
            title: t`Turn off the 2FA of ${name}`,
            done: t`2FA is off. All sessions have ended.`,
            look: <ResetEffects />,
          },
          reject: { command: t`Keep 2FA on`, title: t`Keep 2FA on`, done: t`2FA stays on.` },
          cancel: {
            command: t`Cancel request`,
            title: t`Cancel request`,
            done: t`The request has been cancelled. 2FA stays on.`,
          },
        }}
        danger="approve"
      />
    </div>
  )
}

function ResetEffects() {
  return (
    <p>
      <Trans>
        The client will log in with the password only. All sessions end, recovery codes become invalid and the client is
        notified by email.
      </Trans>
    </p>
  )
}
