import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { getTransferHistory } from '#contract/history.ts'
import { requestCreditCardPayment, requestWirePayment } from '#contract/deposits.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { cardTypes } from '#rules/constants.ts'
import { decimalOf } from '#rules/money.ts'
import { requiresCardType } from '#rules/payment-methods.ts'
import type { ApiError } from '#ui/api/api-error.ts'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { CompletedStep, StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { accountText } from '../../funding/accounts.ts'
import { changeActionsOf } from '../../funding/request-state.ts'
import { useConfirmedRequest } from '../../funding/confirmed-request.ts'
import {
  continueAtProvider,
  type StoredRequest,
  storeDraft,
  failedResultOf,
  storeResult,
} from '../../funding/stored-request.ts'
import { MethodText } from '../../funding/method-tiles.tsx'
import { draftWithMethod } from '../../funding/sent-method.ts'
import { UnsettledNotice } from '../../funding/unsettled-notice.tsx'
import { useClient } from '../../session.ts'
import { type ResolvedDraft, type DepositDraft, type DepositStep } from './deposit-draft.ts'
import { DepositSummary } from './deposit-summary.tsx'
import { CardNextSteps, WireNextSteps } from './next-steps.tsx'

interface ConfirmDepositProps {
  step: 'wire' | 'cc_gcen'
  decided: ResolvedDraft
  kept: StoredRequest<DepositDraft>
  keep: (kept: StoredRequest<DepositDraft>) => void
  forget: () => void
  onChange: (step: DepositStep) => void
}

const refreshes = [getTransferHistory]

/** The confirm step: the summary, and the card type for a card. */
export function ConfirmDeposit({ step, decided, kept, keep, forget, onChange }: ConfirmDepositProps) {
  const { t, i18n } = useLingui()
  const { account, method, amount } = decided
  const [cardType, setCardType] = useState(decided.cardType)
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState(false)
  const { request, send, isLeaving } = useDepositRequest({ decided, cardType, kept, keep, forget })
  // While the provider's page loads the step stays unchanged and allows going back.
  const isUnderWay = request.isUnderWay || isLeaving
  const changeTo = changeActionsOf({ ...request, isUnderWay, mayChange: request.mayChange && !isLeaving }, onChange)
  const needsCardType = requiresCardType(method.type)
  const confirm = () => {
    if (!needsCardType || cardType !== null) return void send()
    setWrong(true)
    focusFirstError(form.current)
  }
  const { draft } = kept
  const shown = moneyText(amount, i18n.locale)
  const backToAmount: DepositStep = {
    step: 'select_amount',
    account: draft.account,
    method: draft.method,
    amount: draft.amount,
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitHandler(confirm)}>
        <div className="decided-lines">
          <CompletedStep label={t`To account`} onChange={changeTo({ step: 'select_account', account: draft.account })}>
            {accountText(account)}
          </CompletedStep>
          <CompletedStep label={t`Method`} onChange={changeTo(backToAmount)}>
            <MethodText method={method} />
          </CompletedStep>
          <CompletedStep label={t`Amount`} onChange={changeTo(backToAmount)}>
            {shown}
          </CompletedStep>
        </div>
        <StepHeader level={2} title={<Trans>Check and confirm</Trans>} />
        {needsCardType && (
          <RadioCards
            label={t`Card type`}
            across={2}
            tiles={cardTypes.map(({ code, name }) => ({ value: String(code), label: name }))}
            disabled={!request.mayChange || isLeaving}
            value={cardType === null ? null : String(cardType)}
            error={wrong && cardType === null && t`Choose your card type.`}
            onValue={(value) => {
              const type = Number(value)
              setCardType(type)
              // Another type is another request, even if the provider did not accept the first one.
              keep({ key: crypto.randomUUID(), sent: false, draft: { ...draft, cardType: type } })
            }}
          />
        )}
        <DepositSummary account={account} method={method} amount={amount} look="wide" />
        {step === 'cc_gcen' && (
          <Alert>{t`You will enter your payment details on our payment provider’s page and then return here.`}</Alert>
        )}
        <UnsettledNotice unsettled={request.unsettled} onAsk={() => void request.settle()} />
        <WizardFooter
          onBack={changeTo(backToAmount)}
          pending={isUnderWay}
          next={step === 'wire' ? <Trans>DEPOSIT {shown}</Trans> : <Trans>PAY {shown}</Trans>}
        />
      </form>
      {step === 'wire' ? <WireNextSteps account={account} method={method} /> : <CardNextSteps account={account} />}
    </div>
  )
}

interface RequestParts {
  decided: ResolvedDraft
  cardType: number | null
  kept: StoredRequest<DepositDraft>
  keep: (kept: StoredRequest<DepositDraft>) => void
  forget: () => void
}

/**
 * Sends the request of a wire or card; a rejection stores its message and opens the failed page (requirements 8.20).
 */
function useDepositRequest({ decided, cardType, kept, keep, forget }: RequestParts) {
  const [, navigate] = useLocation()
  const owner = useClient()?.id ?? ''
  const { account, method, amount } = decided
  const [isLeaving, setLeaving] = useState(false)
  const parts = {
    kept,
    keep,
    refreshes,
    onRefused: (failure: ApiError) => {
      // TRY AGAIN restores the draft under a new key.
      keep({ key: crypto.randomUUID(), sent: false, draft: kept.draft })
      storeResult('deposit', owner, failedResultOf(failure))
      navigate(portalPaths.depositResult('failed'))
    },
  }
  const isWire = method.type === 'wire'
  const wire = useConfirmedRequest(requestWirePayment, {
    ...parts,
    asks: isWire,
    onDone: (answer) => {
      forget()
      storeResult('deposit', owner, { id: answer.id, account: account.number, at: Date.now() })
      navigate(`${portalPaths.depositResult('success')}?deposit=${encodeURIComponent(answer.id)}`)
    },
  })
  const card = useConfirmedRequest(requestCreditCardPayment, {
    ...parts,
    asks: !isWire,
    onDone: (answer) => {
      setLeaving(true)
      storeDraft('deposit', owner, answer.REF, { ...kept.draft, cardType })
      continueAtProvider(answer.paymentUrl, 'deposit', owner)
    },
  })
  const fields = {
    accountPlatform: account.platform,
    accountNumber: account.number,
    depositCurrency: amount.currency,
    depositAmountSent: decimalOf(amount.minor),
    paymentGatewayService: method.paymentGateway,
  }
  const send = async () => {
    const { type } = method
    const draft = draftWithMethod(kept.draft, method)
    if (type === 'wire') return wire.send({ ...fields, depositType: type }, draft)
    const ccType = requiresCardType(type) && cardType !== null ? { ccType: cardType as 1 } : {}
    return card.send({ ...fields, depositType: type, method: type, ...ccType }, draft)
  }
  return { request: isWire ? wire : card, send, isLeaving }
}
