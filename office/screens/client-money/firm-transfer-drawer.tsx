import { Trans, useLingui } from '@lingui/react/macro'
import { getClientMoneyView } from '#contract/office/accounting.ts'
import { confirmFirmMoney, getFirmMoney, listFirmMoney, rejectFirmMoney } from '#contract/office/firm-money.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Money, moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { type Confirmation, useConfirmation } from '../../records/confirmation.ts'

type FirmTransfer = ResponseOf<typeof getFirmMoney>['move']
type TransferAction = 'confirm' | 'reject'

/** One transfer of firm money, the firm's balance there, and the decision of a second person. */
export function FirmTransferDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui()
  const look = useConfirmation<TransferAction>()
  const { data, error, refetch } = useEndpoint(getFirmMoney, { id })
  const move = data?.move
  if (look.open && move) return <DecideDialog action={look.open} move={move} onClose={look.leave} />
  return (
    <Drawer title={t`Firm money`} onClose={onClose}>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {move && (
        <div className="stack-6">
          <Facts move={move} />
          {move.state === 'processing' && <AwaitingPaymentNote move={move} />}
          <DecisionActions move={move} look={look} />
        </div>
      )}
    </Drawer>
  )
}

function Facts({ move }: { move: FirmTransfer }) {
  const { amount, currency, surplus, lineId, payer } = move
  return (
    <DescriptionList
      rows={[
        { key: <Trans>Status</Trans>, value: <StatusBadge record="firm_money" state={move.state} /> },
        { key: <Trans>Amount</Trans>, value: <Money amount={{ minor: amount, currency }} signed /> },
        {
          key: <Trans>Direction</Trans>,
          value:
            amount > 0n ? <Trans>Into the client money account</Trans> : <Trans>Out of the client money account</Trans>,
        },
        { key: <Trans>Reference</Trans>, value: <span className="numbers unbroken">{move.reference}</span> },
        lineId !== null && {
          key: <Trans>Bank transaction</Trans>,
          value: <Link href={`${officePaths.imports}?line=${lineId}`}>{payer || <Trans>Bank transaction</Trans>}</Link>,
        },
        {
          key: <Trans>Proposed by</Trans>,
          value: (
            <>
              {move.askedBy.name}, <Time at={move.createdAt} />
            </>
          ),
        },
        { key: <Trans>Reason</Trans>, value: move.why },
        {
          key: surplus < 0n ? <Trans>Shortfall</Trans> : <Trans>Excess</Trans>,
          value: <Money amount={{ minor: surplus, currency }} signed />,
        },
        move.decidedBy && { key: <Trans>Decided by</Trans>, value: move.decidedBy.name },
        move.reason !== null && { key: <Trans>Reason</Trans>, value: move.reason },
      ]}
    />
  )
}

/** Confirmed, but not yet on a bank statement. */
function AwaitingPaymentNote({ move: { amount, bankAccount, reference } }: { move: FirmTransfer }) {
  const { t } = useLingui()
  const account = groupedByFour(bankAccount)
  return (
    <Alert
      kind="wait"
      title={amount > 0n ? <Trans>Payment into {account}</Trans> : <Trans>Payment out of {account}</Trans>}
    >
      <Codes>
        {t`Enter ${reference} as the payment reference. The transfer is posted automatically when it appears on the bank statement.`}
      </Codes>
    </Alert>
  )
}

function DecisionActions({ move, look }: { move: FirmTransfer; look: Confirmation<TransferAction> }) {
  const { t } = useLingui()
  const refusal = (action: TransferAction) => move.verbs.find((one) => one.verb === action)?.refusal ?? null
  const [noConfirm, noReject] = [refusal('confirm'), refusal('reject')]
  if (noReject && noReject.code === 'wrong-state') return null
  return (
    <>
      {noReject && <p>{noReject.text}</p>}
      <div className="row wrap">
        {!noReject && (
          <Button ref={look.opener('reject')} kind="danger" onClick={() => look.ask('reject')}>{t`Reject…`}</Button>
        )}
        {!noConfirm && (
          <Button ref={look.opener('confirm')} kind="primary" onClick={() => look.ask('confirm')}>{t`Confirm…`}</Button>
        )}
      </div>
    </>
  )
}

function DecideDialog({ action, move, onClose }: { action: TransferAction; move: FirmTransfer; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { id, version, amount, currency, lineId } = move
  const sum = moneyText({ minor: amount < 0n ? -amount : amount, currency }, i18n.locale)
  const both = { refreshes: [listFirmMoney, getFirmMoney, getClientMoneyView], onClose }
  if (action === 'reject')
    return (
      <ActionDialog
        {...both}
        endpoint={rejectFirmMoney}
        input={(reason) => ({ id, version, reason })}
        done={t`The firm money transfer has been rejected.`}
        title={<Trans>Reject firm money transfer</Trans>}
        command={<Trans>Reject</Trans>}
        kind="danger"
      />
    )
  return (
    <ActionDialog
      {...both}
      endpoint={confirmFirmMoney}
      input={(note) => ({ id, version, note })}
      done={
        lineId === null
          ? t`Confirmed. It will be posted when it appears on the bank statement.`
          : t`Confirmed and posted.`
      }
      title={<Trans>Confirm firm money transfer of {sum}</Trans>}
      command={<Trans>Confirm</Trans>}
      reason="optional"
    >
      <p>
        {lineId === null
          ? t`The payment can then be made. It is posted when it appears on the bank statement.`
          : t`The bank transaction is recorded as firm money. You can undo it only with another firm money transfer.`}
      </p>
    </ActionDialog>
  )
}
