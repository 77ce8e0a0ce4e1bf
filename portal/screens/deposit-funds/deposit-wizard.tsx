import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { failedRead } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { accountOfNumber, canReceive, type OpenAccount, useOpenAccounts } from '../../funding/accounts.ts'
import { NoFundedAccountsAlert } from '../../funding/page-alerts.tsx'
import { methodsWithSent } from '../../funding/sent-method.ts'
import { useStoredRequest, useOpenStep } from '../../funding/stored-request.ts'
import { useMoneySteps } from '../../funding/money-steps.ts'
import { MoneyStopped } from '../../funding/money-stopped.tsx'
import { FundingPage } from '../../funding/funding-page.tsx'
import { MissingAccount } from '../../funding/missing-account.tsx'
import { SelectAccountStep } from '../../funding/select-account-step.tsx'
import { type PortalSettings, usePortalSettingsQuery } from '../../portal-settings.ts'
import { ConfirmDeposit } from './confirm-deposit.tsx'
import {
  confirmStepOf,
  resolveDraft,
  depositDraft,
  type DepositDraft,
  type DepositStep,
  openDepositStep,
  pathToDeposit,
} from './deposit-draft.ts'
import { DepositSummary } from './deposit-summary.tsx'
import { largestMinor, isLessThan, money } from '#rules/money.ts'
import { moneyText } from '#ui/money/money.tsx'
import { methodFee } from '../../funding/method-tiles.tsx'
import { type MethodAndAmount, MethodAndAmountStep } from '../../funding/method-and-amount-step.tsx'

/** select_account → select_payment_method → select_amount → wire or cc_gcen. */
export function DepositWizard({ preselected }: { preselected: string | null }) {
  const { t } = useLingui()
  const { accounts, error, refetch } = useOpenAccounts()
  const settingsRead = usePortalSettingsQuery()
  const failed = failedRead({ data: accounts, error, refetch }, settingsRead)
  const settings = settingsRead.data
  return (
    <FundingPage title={t`Deposit funds`} failed={failed}>
      {accounts && settings && <Steps preselected={preselected} accounts={accounts} settings={settings} />}
    </FundingPage>
  )
}

interface StepsProps {
  preselected: string | null
  accounts: readonly OpenAccount[]
  settings: PortalSettings
}

function Steps(props: StepsProps) {
  const wizard = useWizard(props)
  return (
    <>
      <NoFundedAccountsAlert accounts={props.accounts} isConfirming={wizard.isConfirming} />
      <Step {...props} {...wizard} />
    </>
  )
}

function useWizard({ preselected, accounts, settings }: StepsProps) {
  const { kept, keep, forget } = useStoredRequest('deposit', depositDraft)
  const methods = methodsWithSent(settings.depositMethods, kept)
  // A request that was sent is still followed up, also if its account has been closed since.
  const receivers = accounts.filter(canReceive)
  const [step, setStep] = useOpenStep('deposit', openDepositStep, (open): DepositStep => {
    const decided = kept && resolveDraft(kept.draft, kept.sent ? accounts : receivers, methods)
    if (kept && decided && (kept.sent || preselected === null || preselected === decided.account.number))
      return { step: confirmStepOf(decided.method), draft: kept.draft }
    const openAt = receivers.find(({ _id }) => _id === open?.account)
    if (open && (preselected === null || preselected === openAt?.number)) return open
    const named = accountOfNumber(receivers, preselected)
    if (!named) return { step: 'select_account', account: null }
    return { step: 'select_payment_method', account: named._id, method: null, amount: '' }
  })
  const { goNext, goBack, change } = useMoneySteps({ step, setStep, keep, forget, pathTo: pathToDeposit })
  const isConfirming = step.step === 'wire' || step.step === 'cc_gcen'
  useEffect(() => {
    scrollTo({ top: 0 })
  }, [isConfirming])
  return { step, kept, keep, forget, methods, receivers, setStep, goNext, goBack, change, isConfirming }
}

function Step(props: StepsProps & ReturnType<typeof useWizard>) {
  const { t } = useLingui()
  const { accounts, settings, step, kept, keep, forget, methods, receivers, setStep, goNext, goBack, change } = props
  // A request that was sent is still followed up.
  if (settings.windDown.deposits && !kept?.sent) return <DepositsClosed />
  if (settings.moneyStopped?.accounts && !kept?.sent)
    return <MoneyStopped title={<Trans>Deposits are unavailable at the moment</Trans>} />
  const decided = 'draft' in step ? resolveDraft(step.draft, kept?.sent ? accounts : receivers, methods) : undefined
  if (receivers.length === 0 && !decided)
    return (
      <MissingAccount>
        {t`You need an open trading account to deposit. Request one, or wait for your requested account to open.`}
      </MissingAccount>
    )
  const openConfirm = (draft: DepositDraft) => {
    const method = settings.depositMethods.find(({ id }) => id === draft.method)
    if (!method) return
    goNext({ step: confirmStepOf(method), draft })
  }
  // Also if a chosen record no longer exists: then it is chosen again.
  const askAccount = (chosen: string | null) => (
    <SelectAccountStep
      question={<Trans>Choose an account for the deposit</Trans>}
      accounts={receivers}
      chosen={chosen}
      onChoose={(account) => setStep({ step: 'select_account', account })}
      onNext={(account) => goNext({ step: 'select_payment_method', account, method: null, amount: '' })}
      slip={(account) => <DepositSummary account={account} method={null} amount={null} />}
    />
  )
  if (step.step === 'select_account') return askAccount(step.account)
  if (step.step === 'select_payment_method' || step.step === 'select_amount') {
    const account = receivers.find(({ _id }) => _id === step.account)
    if (!account) return askAccount(null)
    return (
      <DepositAmountStep
        key={step.account}
        account={account}
        settings={settings}
        chosen={step}
        onChosen={change}
        onChangeAccount={() => goBack({ step: 'select_account', account: step.account })}
        onNext={openConfirm}
      />
    )
  }
  if (!decided || !kept) return askAccount(null)
  return <ConfirmDeposit step={step.step} decided={decided} kept={kept} keep={keep} forget={forget} onChange={goBack} />
}

function DepositsClosed() {
  return (
    <Alert title={<Trans>Deposits are not available.</Trans>}>
      <Trans>
        You can still withdraw and view your accounts. <Link href={portalPaths.withdrawFunds}>Withdraw Funds</Link>
      </Trans>
    </Alert>
  )
}

interface DepositAmountStepProps {
  account: OpenAccount
  settings: PortalSettings
  chosen: MethodAndAmount
  onChosen: (step: MethodAndAmount) => void
  onChangeAccount: () => void
  onNext: (draft: DepositDraft) => void
}

/** Method and amount: at least the minimum of the settings. */
function DepositAmountStep({ settings, onNext, ...step }: DepositAmountStepProps) {
  const { t, i18n } = useLingui()
  const { account } = step
  const minimum = money(settings.limits.depositMin[account.baseCurrency], account.baseCurrency)
  const smallest = moneyText(minimum, i18n.locale)
  return (
    <MethodAndAmountStep
      {...step}
      methods={settings.depositMethods}
      words={{
        account: t`To account`,
        question: t`Choose a payment method`,
        methods: t`Payment method`,
        methodMissing: t`Choose a payment method.`,
        arrives: ({ time }) => t`Arrival: ${time}`,
      }}
      amountProblem={(amount, method) => {
        if (amount === null) return t`Enter an amount.`
        if (isLessThan(amount, minimum)) return t`Amount too low`
        if (amount.minor > largestMinor) return t`This amount is too large. Enter a smaller amount.`
        const fee = methodFee(method, amount)
        return isLessThan(fee, amount)
          ? null
          : t`The amount must be higher than the fee of ${moneyText(fee, i18n.locale)}.`
      }}
      possible={() => <p className="amount-note">{t`Minimum ${smallest}. Your bank may charge its own fees.`}</p>}
      slip={(method, amount) => <DepositSummary account={account} method={method} amount={amount} />}
      onNext={(chosen) => onNext({ ...chosen, cardType: null })}
    />
  )
}
