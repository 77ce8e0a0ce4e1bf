import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getClientEvents, getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
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

/** The way out for a client who lost the second factor: asked for here, decided here by another. */
export function FactorResetSection({ client }: { client: OfficeClient }) {
  const { factorReset } = client
  const action = client.deeds.find((one) => one.deed === 'askFactorReset')
  const mayAsk = client.security.secondFactor && action !== undefined && action.refusal?.code !== 'wrong-role'
  if (!factorReset && !mayAsk) return null
  return (
    <section>
      <h2>
        <Trans>Second factor</Trans>
      </h2>
      {factorReset ? (
        <Waiting client={client} reset={factorReset} />
      ) : (
        <Asking client={client} refusal={action?.refusal?.text} />
      )}
    </section>
  )
}

/** With its reason where it cannot be asked for yet. */
function Asking({ client, refusal }: { client: OfficeClient; refusal: string | undefined }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const { name } = client.client
  return (
    <>
      <Button disabledReason={refusal} onClick={() => setOpen(true)}>
        <Trans>Lost: ask to turn it off…</Trans>
      </Button>
      {open && (
        <ActionDialog
          endpoint={requestFactorReset}
          input={(reason) => ({ id: client.id, reason })}
          refreshes={refreshes}
          done={t`Another person decides on it now.`}
          title={<Trans>Ask to turn off the second factor of {name}</Trans>}
          command={<Trans context="another person decides">Ask</Trans>}
          onClose={() => setOpen(false)}
        >
          <p>
            <Trans>
              Only for somebody who lost the app and every recovery code. Write how you know who called. A mail tells
              the client at once; another person decides.
            </Trans>
          </p>
        </ActionDialog>
      )}
    </>
  )
}

function Waiting({ client, reset }: { client: OfficeClient; reset: Reset }) {
  const { t } = useLingui()
  const { askedBy, askedAt, reason } = reset
  const { name } = client.client
  return (
    <div className="stack">
      <Alert kind="wait" title={<Trans>Turning it off is asked for</Trans>}>
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
            command: t`Turn it off`,
            title: t`Turn off the second factor of ${name}`,
            done: t`The second factor is off, and every session has ended.`,
            look: <WhatFollows />,
          },
          reject: {
            command: t`Leave it on`,
            title: t`Leave the second factor on`,
            done: t`The second factor stays on.`,
          },
          cancel: {
            command: t`Take back`,
            title: t`Take it back`,
            done: t`It is taken back; the second factor stays on.`,
          },
        }}
        danger="approve"
      />
    </div>
  )
}

function WhatFollows() {
  return (
    <p>
      <Trans>
        From now on the password alone opens the portal. Every session ends, recovery codes are void, and a mail tells
        the client.
      </Trans>
    </p>
  )
}
