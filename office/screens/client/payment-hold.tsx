import { IconHandStop } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { holdPayments, liftHold } from '#contract/office/client-decisions.ts'
import { getOfficeClient, isActionAllowed, type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { Button } from '#ui/forms/button.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

const refreshes = [getOfficeClient, getClientEvents]

/** Payments on hold: who set it, why and until when. Only staff see it. */
export function PaymentHold({ client }: { client: OfficeClient }) {
  const [isLifting, setLifting] = useState(false)
  const { hold } = client
  if (!hold) return null
  const mayLift = isActionAllowed(client, 'liftHold')
  return (
    <Alert
      kind="wait"
      icon={<IconHandStop className="small" aria-hidden="true" />}
      title={
        hold.until ? (
          <Trans>
            Payments on hold until <Time at={hold.until} />
          </Trans>
        ) : (
          <Trans>Payments on hold</Trans>
        )
      }
    >
      <p>
        <UserText>{hold.reason}</UserText>
      </p>
      <p className="muted">
        <Trans>
          Set by {hold.setBy.name} on <Time at={hold.since} />. The client is not notified.
        </Trans>
      </p>
      {mayLift && (
        <Button size="small" className="client-lift" onClick={() => setLifting(true)}>
          <Trans>Lift hold</Trans>…
        </Button>
      )}
      {isLifting && <LiftDialog client={client} hold={hold} onClose={() => setLifting(false)} />}
    </Alert>
  )
}

interface LiftDialogProps {
  client: OfficeClient
  hold: NonNullable<OfficeClient['hold']>
  onClose: () => void
}

function LiftDialog({ client, hold, onClose }: LiftDialogProps) {
  const { t } = useLingui()
  return (
    <ActionDialog
      endpoint={liftHold}
      input={(reason) => ({ id: client.id, hold: hold.id, reason })}
      refreshes={refreshes}
      done={t`The hold has been lifted.`}
      title={<Trans>Lift hold on payments</Trans>}
      command={<Trans>Lift hold</Trans>}
      onClose={onClose}
    >
      <p>
        <Trans>
          Payments of {client.client.name} can be approved again. Approved payments that were on hold will be sent.
        </Trans>
      </p>
    </ActionDialog>
  )
}

/** Puts payments on hold, with or without an end date. */
export function HoldDialog({ client, onClose }: { client: OfficeClient; onClose: () => void }) {
  const { t } = useLingui()
  const [lastDay, setLastDay] = useState<string | null>('')
  return (
    <ActionDialog
      endpoint={holdPayments}
      input={(reason) => (lastDay === null ? null : { id: client.id, reason, ...(lastDay === '' ? {} : { lastDay }) })}
      refreshes={refreshes}
      done={t`Payments are on hold.`}
      title={<Trans>Put payments of {client.client.name} on hold</Trans>}
      command={<Trans>Put on hold</Trans>}
      kind="danger"
      fields={['lastDay']}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            <Trans>
              Withdrawals and transfers will not be approved or sent. Deposits will not be matched or returned. The
              client is not notified and can still send requests. Only staff can see the reason.
            </Trans>
          </p>
          <DatePicker
            label={t`Last day of the hold`}
            hint={t`Leave this empty for a hold without an end date.`}
            optional
            value={lastDay}
            error={errors['lastDay']}
            onDay={setLastDay}
          />
        </>
      )}
    </ActionDialog>
  )
}
