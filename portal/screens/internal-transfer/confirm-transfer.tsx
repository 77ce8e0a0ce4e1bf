import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getTransferHistory } from '#contract/history.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { changeQuery } from '#ui/navigation/url-state.ts'
import type { ApiError } from '#ui/api/api-error.ts'
import { scrollIntoViewOnRender, submitHandler } from '#ui/forms/form-state.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { CompletedStep, StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { changeActionsOf } from '../../funding/request-state.ts'
import { useConfirmedRequest } from '../../funding/confirmed-request.ts'
import { type StoredRequest, failedResultOf, storeResult } from '../../funding/stored-request.ts'
import { UnsettledNotice } from '../../funding/unsettled-notice.tsx'
import { useClient } from '../../session.ts'
import { AccountWithBalance } from './account-with-balance.tsx'
import { TransferNextSteps } from './transfer-next-steps.tsx'
import { useShownRate } from './shown-rate.ts'
import {
  type ResolvedDraft,
  sentRate,
  type ShownRate,
  type TransferDraft,
  type TransferStep,
} from './transfer-draft.ts'
import { TransferSummary } from './transfer-summary.tsx'

interface ConfirmTransferProps {
  decided: ResolvedDraft
  kept: StoredRequest<TransferDraft>
  keep: (kept: StoredRequest<TransferDraft>) => void
  forget: () => void
  onChange: (step: TransferStep) => void
}

/** The confirm step. The rate shown is the one sent with the request. */
export function ConfirmTransfer({ decided, kept, keep, forget, onChange }: ConfirmTransferProps) {
  const { t, i18n } = useLingui()
  const { source, destination, amount } = decided
  const [failure, setFailure] = useState<ApiError | null>(null)
  const sent = kept.sent && kept.draft.rate !== null ? sentRate(decided, kept.draft.rate) : null
  const quote = useShownRate(source, destination, amount, sent === null)
  const shown = sent ?? quote.shown
  const onFailure = (found: ApiError) => {
    setFailure(found)
    if (found.code === 'rate-changed') void quote.refetch()
  }
  const { request, send } = useTransferRequest({ decided, shown, kept, keep, forget, onFailure })
  const changeTo = changeActionsOf(request, onChange)
  const backTo = { source: source._id, destination: destination._id }
  const backToAmount: TransferStep = { step: 'select_amount', ...backTo, amount: kept.draft.amount }
  const amountShown = moneyText(amount, i18n.locale)
  const confirm = () => {
    setFailure(null)
    void send()
  }
  return (
    <div className="with-slip">
      <form noValidate className="money-decisions" onSubmit={submitHandler(confirm)}>
        <div className="decided-lines">
          <CompletedStep label={t`From`} onChange={changeTo({ step: 'select_account_from', source: source._id })}>
            <AccountWithBalance account={source} />
          </CompletedStep>
          <CompletedStep label={t`To`} onChange={changeTo({ step: 'select_account_to', ...backTo })}>
            <AccountWithBalance account={destination} />
          </CompletedStep>
          <CompletedStep label={t`Amount`} onChange={changeTo(backToAmount)}>
            {amountShown}
          </CompletedStep>
        </div>
        <StepHeader level={2} title={<Trans>Check and confirm</Trans>} />
        <TransferSummary source={source} destination={destination} amount={amount} shown={shown} look="wide" />
        {quote.error && !shown && (
          <Alert kind="bad">
            <ApiErrorText failure={quote.error} />
          </Alert>
        )}
        <UnsettledNotice unsettled={request.unsettled} onAsk={() => void request.settle()} />
        {failure && (
          <div ref={scrollIntoViewOnRender}>
            <Alert kind="bad">{failure.error}</Alert>
          </div>
        )}
        <WizardFooter
          onBack={changeTo(backToAmount)}
          pending={request.isUnderWay}
          next={<Trans>TRANSFER {amountShown}</Trans>}
          disabledReason={
            shown
              ? undefined
              : quote.error
                ? t`No exchange rate is available at the moment.`
                : t`Loading the exchange rate.`
          }
        />
      </form>
      <TransferNextSteps destination={destination.number} requested={null} />
    </div>
  )
}

interface RequestParts extends Omit<ConfirmTransferProps, 'onChange'> {
  shown: ShownRate | null
  onFailure: (failure: ApiError) => void
}

const refreshes = [getTransferHistory, getLiveAccounts]
/** Rejections that are resolved here: the same request may be confirmed again. */
const retryableCodes = ['rate-changed', 'figures-old', 'too-many']

/** Sends the transfer; a rejection stores its message and opens the error step (requirements 10.6). */
function useTransferRequest({ decided, shown, kept, keep, forget, onFailure }: RequestParts) {
  const [, navigate] = useLocation()
  const owner = useClient()?.id ?? ''
  const { source, destination, amount } = decided
  const lead = (result: 'success' | 'failed') =>
    navigate(portalPaths.internalTransfer + changeQuery('', { result }), { replace: true })
  const request = useConfirmedRequest(requestTransfer, {
    kept,
    keep,
    refreshes,
    onRefused: (failure) => {
      // A new key: the rejection belongs to the old one.
      keep({ key: crypto.randomUUID(), sent: false, draft: { ...kept.draft, rate: null } })
      if (retryableCodes.includes(failure.code)) return onFailure(failure)
      storeResult('transfer', owner, failedResultOf(failure))
      lead('failed')
    },
    onDone: (answer) => {
      forget()
      storeResult('transfer', owner, {
        id: answer.id,
        reference: answer.reference,
        amount: String(answer.amount),
        currency: answer.currency,
        arrives: String(answer.arrives),
        arrivesCurrency: answer.arrivesCurrency,
        rate: answer.rate,
        source: source.number,
        destination: destination.number,
        at: Date.now(),
      })
      lead('success')
    },
  })
  const send = async () => {
    const rate = kept.sent ? kept.draft.rate : (shown?.rate ?? null)
    await request.send(
      {
        sourceAccountPlatform: source.platform,
        sourceAccount: source.number,
        destinationAccountPlatform: destination.platform,
        destinationAccount: destination.number,
        transferCurrency: amount.currency,
        transferAmount: kept.draft.amount,
        ...(rate === null ? {} : { rate }),
      },
      { ...kept.draft, rate },
    )
  }
  return { request, send }
}
