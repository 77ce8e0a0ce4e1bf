import { IconScale } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getTransferHistory } from '#contract/history.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { decimalOf, type Money as Amount, money } from '#rules/money.ts'
import { submitHandler } from '#ui/forms/form-state.ts'
import { Money, moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import type { StepUpSubject } from '#ui/auth/step-up.ts'
import { CompletedStep, StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { withUnbrokenRanges } from '#ui/text/no-break.ts'
import { accountText, accountNumberText, type OpenAccount } from '../../funding/accounts.ts'
import { changeActionsOf } from '../../funding/request-state.ts'
import { useConfirmedRequest } from '../../funding/confirmed-request.ts'
import { type StoredRequest, failedResultOf, storeResult } from '../../funding/stored-request.ts'
import { MethodText } from '../../funding/method-tiles.tsx'
import { draftWithMethod } from '../../funding/sent-method.ts'
import { UnsettledNotice } from '../../funding/unsettled-notice.tsx'
import { useClient } from '../../session.ts'
import { NextSteps } from '../../funding/next-steps.tsx'
import {
  bankNumberText,
  bankStepOf,
  type ResolvedDraft,
  lastCharactersOf,
  type WithdrawDraft,
  type WithdrawStep,
} from './withdraw-draft.ts'
import { WideWithdrawSummary } from './withdraw-summary.tsx'

interface ConfirmWithdrawalProps {
  decided: ResolvedDraft
  kept: StoredRequest<WithdrawDraft>
  keep: (kept: StoredRequest<WithdrawDraft>) => void
  forget: () => void
  onStep: (step: WithdrawStep) => void
}

const refreshes = [getLiveAccounts, getTransferHistory]

/** The confirm step: the full bank account, the remaining balance and the next steps; the button repeats the amount. */
export function ConfirmWithdrawal({ decided, kept, keep, forget, onStep }: ConfirmWithdrawalProps) {
  const { t, i18n } = useLingui()
  const { account, method, amount, bank } = decided
  const { draft } = kept
  const { request, confirm } = useWithdrawal({ decided, kept, keep, forget })
  const changeTo = changeActionsOf(request, onStep)
  const shown = moneyText(amount, i18n.locale)
  const toAmount: WithdrawStep = {
    step: 'select_amount',
    account: draft.account,
    method: draft.method,
    amount: draft.amount,
  }
  const toBank = bankStepOf(draft)
  return (
    <div className="with-slip">
      <form noValidate className="money-decisions" onSubmit={submitHandler(() => void confirm())}>
        <div className="decided-lines">
          <CompletedStep
            label={t`From account`}
            onChange={changeTo({ step: 'select_account', account: draft.account })}
          >
            {accountText(account)}
          </CompletedStep>
          <CompletedStep label={t`Method`} onChange={changeTo(toAmount)}>
            <MethodText method={method} />
          </CompletedStep>
          <CompletedStep label={t`Amount`} onChange={changeTo(toAmount)}>
            {shown}
          </CompletedStep>
          <CompletedStep label={t`Bank account`} onChange={changeTo(toBank)}>
            {t`${bank.bankName} · account ending\u00a0${lastCharactersOf(bank)}`}
          </CompletedStep>
        </div>
        <StepHeader level={2} title={<Trans>Check and confirm</Trans>} />
        <WideWithdrawSummary method={method} amount={amount} bank={bank} />
        <RemainingBalance account={account} amount={amount} />
        <UnsettledNotice unsettled={request.unsettled} onAsk={() => void request.settle()} />
        <StepUpHint always />
        <WizardFooter onBack={changeTo(toBank)} pending={request.isUnderWay} next={<Trans>WITHDRAW {shown}</Trans>} />
      </form>
      <NextSteps
        entries={[
          {
            title: t`You confirm`,
            text: t`We set ${shown} aside immediately, so you cannot use it for other requests.`,
          },
          { title: t`We review and approve`, text: t`You can cancel the request in Transactions History until then.` },
          {
            title: t`We send it to your bank`,
            text: t`It should arrive ${withUnbrokenRanges(method.time)} later. We will email you when we send it.`,
          },
        ]}
      />
    </div>
  )
}

function RemainingBalance({ account, amount }: { account: OpenAccount; amount: Amount }) {
  const { balance, available, reserved, freeMargin, openPositions, baseCurrency: currency } = account
  if (balance === null) return null
  return (
    <Alert icon={<IconScale className="small" aria-hidden="true" />}>
      <Trans>
        After this withdrawal, the balance of {accountNumberText(account.number)} will be{' '}
        <Money amount={money(balance - amount.minor, currency)} />.
      </Trans>{' '}
      {available !== null && reserved > 0n && (
        <Trans>
          Of this, <Money amount={money(available - amount.minor, currency)} /> will be available.{' '}
          <Money amount={money(reserved, currency)} /> is set aside for other requests.
        </Trans>
      )}{' '}
      {openPositions !== null && openPositions > 0 && freeMargin !== null && (
        <Trans>
          With your <Plural value={openPositions} one="# open position" other="# open positions" />, your free margin
          will then be <Money amount={money(freeMargin - amount.minor, currency)} />.
        </Trans>
      )}
    </Alert>
  )
}

/** Sends the request under its key; a rejection stores its message and opens the failed page (requirements 9). */
function useWithdrawal({ decided, kept, keep, forget }: Omit<ConfirmWithdrawalProps, 'onStep'>) {
  const [, navigate] = useLocation()
  const owner = useClient()?.id ?? ''
  const { account, method, amount, bank } = decided
  const request = useConfirmedRequest(requestWithdrawal, {
    kept,
    keep,
    refreshes,
    subject: useWithdrawalSubject(decided),
    onDone: (answer) => {
      forget()
      storeResult('withdrawal', owner, {
        id: answer.id,
        reference: answer.reference,
        account: account.number,
        bank: bank.bankName,
        ending: lastCharactersOf(bank),
        time: method.time,
        currency: answer.currency,
        amount: decimalOf(answer.amount),
        arrives: decimalOf(answer.arrives),
        available: decimalOf(answer.available),
        continuesAt: answer.continuesAt?.getTime() ?? null,
      })
      navigate(portalPaths.withdrawalResult('success'))
    },
    onRefused: (failure) => {
      // TRY AGAIN restores the draft under a new key.
      keep({ key: crypto.randomUUID(), sent: false, draft: kept.draft })
      storeResult('withdrawal', owner, failedResultOf(failure))
      navigate(portalPaths.withdrawalResult('failed'))
    },
  })
  const confirm = () =>
    request.send(
      {
        accountPlatform: account.platform,
        accountNumber: account.number,
        paymentGatewayService: method.paymentGateway,
        withdrawalType: method.type,
        withdrawalPaymentName: method.method,
        withdrawalCurrency: amount.currency,
        withdrawalAmount: decimalOf(amount.minor),
        bankId: bank._id,
      },
      draftWithMethod(kept.draft, method),
    )
  return { request, confirm }
}

/** Returns the subject of the step-up: the amount, its destination and its source. */
function useWithdrawalSubject({ account, amount, bank }: ResolvedDraft): StepUpSubject {
  const { t, i18n } = useLingui()
  const shown = moneyText(amount, i18n.locale)
  return {
    title: t`You withdraw ${shown}`,
    rows: [
      { key: t`Bank account`, value: `${bank.bankName}, ${bankNumberText(bank)}` },
      { key: t`From account`, value: accountText(account) },
    ],
  }
}
