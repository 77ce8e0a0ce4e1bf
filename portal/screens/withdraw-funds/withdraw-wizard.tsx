import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { getBankDetails, type BankDetails as Bank } from '#contract/bank-details.ts'
import { failedRead, useEndpoint } from '#ui/api/endpoint-query.ts'
import { accountOfNumber, useOpenAccounts, type OpenAccount } from '../../funding/accounts.ts'
import { MissingBankDetailsAlert } from '../../funding/page-alerts.tsx'
import { methodsWithSent } from '../../funding/sent-method.ts'
import { useStoredRequest, useOpenStep } from '../../funding/stored-request.ts'
import { useMoneySteps } from '../../funding/money-steps.ts'
import { MoneyStopped } from '../../funding/money-stopped.tsx'
import { FundingPage } from '../../funding/funding-page.tsx'
import { MissingAccount } from '../../funding/missing-account.tsx'
import { SelectAccountStep } from '../../funding/select-account-step.tsx'
import { type PortalSettings, usePortalSettingsQuery } from '../../portal-settings.ts'
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx'
import { SelectAmountStep } from './select-amount-step.tsx'
import { SelectBankStep } from './select-bank-step.tsx'
import {
  resolveDraft,
  type WithdrawalRecords,
  openWithdrawStep,
  pathToWithdrawal,
  withdrawDraft,
  type WithdrawDraft,
  type WithdrawStep,
} from './withdraw-draft.ts'
import { WithdrawSummary } from './withdraw-summary.tsx'
import { portalPaths } from '#contract/portal-paths.ts'
import { Button, ButtonLink } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

/** select_account → select_payment_method → select_amount → wire → confirm_wire. */
export function WithdrawWizard({ preselected }: { preselected: string | null }) {
  const { t } = useLingui()
  const { accounts, error, refetch } = useOpenAccounts()
  const settingsRead = usePortalSettingsQuery()
  const banks = useEndpoint(getBankDetails, { a: 'all', b: 'all' })
  const failed = failedRead({ data: accounts, error, refetch }, settingsRead, banks)
  const settings = settingsRead.data
  return (
    <FundingPage title={t`Withdraw funds`} alert={<MissingBankDetailsAlert />} failed={failed}>
      {accounts && settings && banks.data && (
        <Steps
          preselected={preselected}
          settings={settings}
          known={{ accounts, methods: settings.withdrawalMethods, banks: banks.data.bankDetails }}
        />
      )}
    </FundingPage>
  )
}

interface StepsProps {
  /** The number of the account from whose page the client came. */
  preselected: string | null
  known: WithdrawalRecords
  settings: PortalSettings
}

function Steps({ preselected, known, settings }: StepsProps) {
  const { t } = useLingui()
  const { kept, keep, forget } = useStoredRequest('withdrawal', withdrawDraft)
  const decide = (draft: WithdrawDraft) =>
    resolveDraft(draft, { ...known, methods: methodsWithSent(known.methods, kept) })
  const [step, setStep] = useOpenStep('withdrawal', openWithdrawStep, (open): WithdrawStep => {
    const isWanted = (accountId: string | null) =>
      preselected === null || known.accounts.find(({ _id }) => _id === accountId)?.number === preselected
    if (kept && decide(kept.draft) && (kept.sent || isWanted(kept.draft.account)))
      return { step: 'confirm_wire', draft: kept.draft }
    const isPossible = open?.step === 'select_account' || hasBankFor(known, open?.account ?? null)
    if (open && isPossible && isWanted(open.account)) return open
    const named = accountOfNumber(known.accounts, preselected)
    if (!named || named.missing || (named.balance !== null && named.balance <= 0n))
      return { step: 'select_account', account: null }
    return { step: 'select_payment_method', account: named._id, method: null, amount: '' }
  })
  useEffect(() => {
    scrollTo({ top: 0 })
  }, [step.step])
  const { goNext, goBack, change } = useMoneySteps({ step, setStep, keep, forget, pathTo: pathToWithdrawal })
  // A request that was sent is still followed up.
  if (settings.moneyStopped?.accounts && !kept?.sent)
    return <MoneyStopped title={<Trans>Withdrawals are unavailable at the moment</Trans>} />
  if (known.accounts.length === 0)
    return (
      <MissingAccount>
        {t`You need an open trading account to withdraw. Request one, or wait for your requested account to open.`}
      </MissingAccount>
    )
  // Also if a chosen record no longer exists: then it is chosen again.
  const askSource = (chosen: string | null) => (
    <SelectAccountStep
      question={<Trans>Choose the account to withdraw from</Trans>}
      accounts={known.accounts}
      chosen={chosen}
      onChoose={(account) => setStep({ step: 'select_account', account })}
      asSource
      onNext={(account) => goNext({ step: 'select_payment_method', account, method: null, amount: '' })}
      slip={(account) => <WithdrawSummary account={account} method={null} amount={null} bank={null} />}
    />
  )
  if (step.step === 'select_account') return askSource(step.account)
  const accountId = step.step === 'confirm_wire' ? step.draft.account : step.account
  const account = known.accounts.find(({ _id }) => _id === accountId)
  if (!account || (!account.connected && !kept?.sent)) return askSource(null)
  const onChangeAccount = () => goBack({ step: 'select_account', account: account._id })
  if (!hasBankFor(known, account._id))
    return (
      <>
        {askSource(account._id)}
        <MissingBankDetails account={account} banks={known.banks} onBack={onChangeAccount} />
      </>
    )
  if (step.step === 'select_payment_method' || step.step === 'select_amount')
    return (
      <SelectAmountStep
        account={account}
        known={known}
        settings={settings}
        chosen={step}
        onChosen={change}
        onChangeAccount={onChangeAccount}
        onNext={goNext}
      />
    )
  if (step.step === 'wire')
    return (
      <SelectBankStep
        account={account}
        known={known}
        chosen={step}
        onStep={goBack}
        onBank={(bank) => setStep({ ...step, bank })}
        onNext={(draft) => goNext({ step: 'confirm_wire', draft })}
      />
    )
  const decided = decide(step.draft)
  if (!decided || !kept) return askSource(null)
  return <ConfirmWithdrawal decided={decided} kept={kept} keep={keep} forget={forget} onStep={goBack} />
}

/** Returns whether an approved bank account has the currency of a trading account. */
function hasBankFor({ accounts, banks }: WithdrawalRecords, accountId: string | null): boolean {
  const account = accounts.find(({ _id }) => _id === accountId)
  return banks.some(
    ({ status, bankAccountCurrency }) => status === 'approved' && bankAccountCurrency === account?.baseCurrency,
  )
}

interface MissingBankDetailsProps {
  account: OpenAccount
  banks: readonly Bank[]
  onBack: () => void
}

/** Missing Bank Details: there is no bank account in the trading account's currency. */
function MissingBankDetails({ account, banks, onBack }: MissingBankDetailsProps) {
  const { t } = useLingui()
  const currency = account.baseCurrency
  const waiting = banks.some(
    ({ status, bankAccountCurrency }) => status === 'pending' && bankAccountCurrency === currency,
  )
  return (
    <Dialog
      title={t`Missing Bank Details`}
      onClose={onBack}
      actions={
        <>
          <Button kind="quiet" onClick={onBack}>{t`Choose another account`}</Button>
          <ButtonLink
            kind="primary"
            href={waiting ? portalPaths.bankDetails : `${portalPaths.bankDetails}?add=bank&currency=${currency}`}
          >
            {waiting ? <Trans>Bank Details</Trans> : <Trans>Submit bank details</Trans>}
          </ButtonLink>
        </>
      }
    >
      <p className="muted">
        {waiting
          ? t`We are reviewing your bank account in ${currency}. You can withdraw to it once it is approved. We will email you.`
          : t`You can withdraw from this account only to your own approved bank account in ${currency}. Add one with a bank statement. We verify it once.`}
      </p>
    </Dialog>
  )
}
