import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  explainPayoutStop,
  liftPayoutStop,
  listPayoutStops,
  recoverPayoutStop,
  reopenPayoutStop,
} from '#contract/office/payout-stops.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'

type Stop = ResponseOf<typeof listPayoutStops>['rows'][number]
type StopAction = 'explain' | 'lift' | 'reopen' | 'recover'
const stopActions: readonly StopAction[] = ['explain', 'lift', 'reopen', 'recover']

/** Debits without a record: payouts are stopped until two people have explained them. */
export function PayoutStops() {
  const { data } = useEndpoint(listPayoutStops, {})
  if (!data || data.rows.length === 0) return null
  return (
    <div className="payout-stops stack">
      {data.rows.map((stop) => (
        <StopNotice key={stop.id} stop={stop} />
      ))}
    </div>
  )
}

function StopNotice({ stop }: { stop: Stop }) {
  const { i18n } = useLingui()
  const [open, setOpen] = useState<StopAction | null>(null)
  const labels: Readonly<Record<StopAction, React.ReactNode>> = {
    explain: <Trans>Add explanation for debit</Trans>,
    lift: <Trans>Lift payout stop</Trans>,
    reopen: <Trans>Reject explanation</Trans>,
    recover: <Trans>Start recovery</Trans>,
  }
  const amount = moneyText({ minor: stop.amount, currency: stop.currency }, i18n.locale)
  const refusal = (step: StopAction) => stop.verbs.find(({ verb }) => verb === step)?.refusal
  const possible = stopActions.filter((step) => refusal(step) === null)
  const why = stopActions
    .map((step) => refusal(step))
    .find((one) => one?.code === 'own-import' || one?.code === 'own-act')
  return (
    <Alert kind="bad" title={<Trans>Payouts are stopped</Trans>}>
      <p>
        <Trans>
          The bank shows a debit of {amount} with reference <Codes>{stop.reference}</Codes>, which is not in our
          records. <Link href={`${officePaths.imports}?line=${stop.lineId}`}>View bank transaction</Link>
        </Trans>
      </p>
      {stop.explanation !== null && (
        <p>
          <b className="strong">{stop.explainedBy?.name}:</b> <UserText>{stop.explanation}</UserText>
        </p>
      )}
      {possible.length === 0 && why && <p className="muted">{why.text}</p>}
      <div className="row wrap payout-stop-steps">
        {possible.map((step) => (
          <Button key={step} size="small" onClick={() => setOpen(step)}>
            {labels[step]}
          </Button>
        ))}
      </div>
      {open && <StopDialog stop={stop} step={open} label={labels[open]} onClose={() => setOpen(null)} />}
    </Alert>
  )
}

interface StopDialogProps {
  stop: Stop
  step: StopAction
  label: React.ReactNode
  onClose: () => void
}

function StopDialog({ stop: { id, version }, step, label, onClose }: StopDialogProps) {
  const { t } = useLingui()
  const done = {
    refreshes: [listPayoutStops],
    onDone: () => {
      showToast(() => t`Your decision has been saved.`)
      onClose()
    },
  }
  const explain = useEndpointMutation(explainPayoutStop, done)
  const lift = useEndpointMutation(liftPayoutStop, done)
  const reopen = useEndpointMutation(reopenPayoutStop, done)
  const recover = useEndpointMutation(recoverPayoutStop, done)
  const sending = { explain, lift, reopen, recover }[step]
  const send = (reason: string) => {
    if (step === 'lift') lift.mutate({ id, version, note: reason })
    else if (step === 'explain') explain.mutate({ id, version, reason })
    else if (step === 'reopen') reopen.mutate({ id, version, reason })
    else recover.mutate({ id, version, reason })
  }
  return (
    <ReasonDialog
      title={label}
      command={label}
      reason={step === 'lift' ? 'optional' : 'log'}
      pending={sending.isPending}
      failure={sending.error}
      onConfirm={send}
      onClose={onClose}
    >
      {step === 'recover' && (
        <p className="muted">{t`All payouts and new payment requests stop until recovery is complete.`}</p>
      )}
    </ReasonDialog>
  )
}
