import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getClientEvents, getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import {
  approveFactorReset,
  askFactorReset,
  cancelFactorReset,
  rejectFactorReset,
} from '#contract/office/factor-resets.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { Time } from '#ui/time.tsx'
import { DeedDialog } from '../../records/deed-dialog.tsx'

const refreshes = [getOfficeClient, getClientEvents, listInbox]
type Verb = 'approve' | 'reject' | 'cancel'
type Reset = NonNullable<OfficeClient['factorReset']>

/** The way out for a client who lost the second factor: asked for here, decided here by another. */
export function FactorResetPart({ client }: { client: OfficeClient }) {
  const { factorReset } = client
  const deed = client.deeds.find((one) => one.deed === 'askFactorReset')
  const mayAsk = client.security.secondFactor && deed !== undefined && deed.refusal?.code !== 'wrong-role'
  if (!factorReset && !mayAsk) return null
  return (
    <section>
      <h2>
        <Trans>Second factor</Trans>
      </h2>
      {factorReset ? (
        <Waiting client={client} reset={factorReset} />
      ) : (
        <Asking client={client} refusal={deed?.refusal?.text} />
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
        <DeedDialog
          endpoint={askFactorReset}
          input={(reason) => ({ id: client.id, reason })}
          refreshes={refreshes}
          done={t`Another person decides on it now.`}
          title={<Trans>Ask to turn off the second factor of {name}</Trans>}
          command={<Trans>Ask</Trans>}
          onClose={() => setOpen(false)}
        >
          <p>
            <Trans>
              Only for somebody who lost the app and every recovery code. Write how you know who called. A mail tells
              the client at once; another person decides.
            </Trans>
          </p>
        </DeedDialog>
      )}
    </>
  )
}

function Waiting({ client, reset }: { client: OfficeClient; reset: Reset }) {
  const [open, setOpen] = useState<Verb | null>(null)
  const may = (name: Verb) => reset.verbs.some(({ verb, refusal }) => verb === name && refusal === null)
  const why = reset.verbs.find(({ verb }) => verb === 'approve')?.refusal
  const { askedBy, askedAt, reason } = reset
  return (
    <div className="stack">
      <Notice kind="wait" title={<Trans>Turning it off is asked for</Trans>}>
        <p>
          <Trans>
            {askedBy.name}, <Time at={askedAt} />: {reason}
          </Trans>
        </p>
        {why && why.code !== 'wrong-role' && <p className="muted">{why.text}</p>}
      </Notice>
      <div className="row wrap">
        {may('cancel') && (
          <Button onClick={() => setOpen('cancel')}>
            <Trans>Take back…</Trans>
          </Button>
        )}
        {may('reject') && (
          <Button onClick={() => setOpen('reject')}>
            <Trans>Leave it on…</Trans>
          </Button>
        )}
        {may('approve') && (
          <Button kind="danger" onClick={() => setOpen('approve')}>
            <Trans>Turn it off…</Trans>
          </Button>
        )}
      </div>
      {open && <Decision verb={open} client={client} version={reset.version} onClose={() => setOpen(null)} />}
    </div>
  )
}

interface DecisionProps {
  verb: Verb
  client: OfficeClient
  version: number
  onClose: () => void
}

function Decision({ verb, client, version, onClose }: DecisionProps) {
  const { t } = useLingui()
  const { id } = client
  const { name } = client.client
  if (verb === 'cancel')
    return (
      <DeedDialog
        endpoint={cancelFactorReset}
        input={(note) => ({ id, version, note })}
        refreshes={refreshes}
        done={t`It is taken back; the second factor stays on.`}
        title={<Trans>Take it back</Trans>}
        command={<Trans>Take back</Trans>}
        reason="optional"
        onClose={onClose}
      />
    )
  if (verb === 'reject')
    return (
      <DeedDialog
        endpoint={rejectFactorReset}
        input={(reason) => ({ id, version, reason })}
        refreshes={refreshes}
        done={t`The second factor stays on.`}
        title={<Trans>Leave the second factor on</Trans>}
        command={<Trans>Leave it on</Trans>}
        onClose={onClose}
      />
    )
  return (
    <DeedDialog
      endpoint={approveFactorReset}
      input={(note) => ({ id, version, note })}
      refreshes={refreshes}
      done={t`The second factor is off, and every session has ended.`}
      title={<Trans>Turn off the second factor of {name}</Trans>}
      command={<Trans>Turn it off</Trans>}
      kind="danger"
      reason="optional"
      onClose={onClose}
    >
      <p>
        <Trans>
          From now on the password alone opens the portal. Every session ends, recovery codes are void, and a mail tells
          the client.
        </Trans>
      </p>
    </DeedDialog>
  )
}
