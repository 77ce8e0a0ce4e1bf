import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { failedRead } from '#ui/api/endpoint-query.ts'
import { CompletedStep } from '#ui/layout/wizard.tsx'
import { canReceive, type OpenAccount, useOpenAccounts } from '../../funding/accounts.ts'
import { useStoredRequest, useOpenStep } from '../../funding/stored-request.ts'
import { useMoneySteps } from '../../funding/money-steps.ts'
import { MoneyStopped } from '../../funding/money-stopped.tsx'
import { FundingPage } from '../../funding/funding-page.tsx'
import { MissingAccount } from '../../funding/missing-account.tsx'
import { SelectAccountStep } from '../../funding/select-account-step.tsx'
import { type PortalSettings, usePortalSettingsQuery } from '../../portal-settings.ts'
import { AccountWithBalance } from './account-with-balance.tsx'
import { ConfirmTransfer } from './confirm-transfer.tsx'
import { SelectAmountStep } from './select-amount-step.tsx'
import {
  resolveDraft,
  openTransferStep,
  pathToTransfer,
  type TransferDraft,
  transferDraft,
  type TransferStep,
} from './transfer-draft.ts'
import { TransferSummary } from './transfer-summary.tsx'
import './internal-transfer.css'

/** select_account_from → select_account_to → select_amount → confirm. */
export function TransferWizard() {
  const { t } = useLingui()
  const { accounts, error, refetch } = useOpenAccounts()
  const settingsRead = usePortalSettingsQuery()
  const failed = failedRead({ data: accounts, error, refetch }, settingsRead)
  const settings = settingsRead.data
  return (
    <FundingPage title={t`Internal transfer`} failed={failed}>
      {accounts && settings && <Steps accounts={accounts} settings={settings} />}
    </FundingPage>
  )
}

function Steps({ accounts, settings }: { accounts: readonly OpenAccount[]; settings: PortalSettings }) {
  const { t } = useLingui()
  const { kept, keep, forget } = useStoredRequest('transfer', transferDraft)
  const receivers = accounts.filter(canReceive)
  // A request that was sent is still followed up, also if its destination has been closed since.
  const decidedBy = (draft: TransferDraft) => resolveDraft(draft, accounts, kept?.sent ? accounts : receivers)
  const [step, setStep] = useOpenStep('transfer', openTransferStep, (open): TransferStep =>
    kept && decidedBy(kept.draft)
      ? { step: 'confirm', draft: kept.draft }
      : (open ?? { step: 'select_account_from', source: null }),
  )
  const { goNext, goBack, change } = useMoneySteps({ step, setStep, keep, forget, pathTo: pathToTransfer })
  useEffect(() => {
    scrollTo({ top: 0 })
  }, [step.step])
  // A request that was sent is still followed up.
  if (settings.moneyStopped?.accounts && !kept?.sent)
    return <MoneyStopped title={<Trans>Transfers are unavailable at the moment</Trans>} />
  if (step.step === 'confirm') {
    const decided = decidedBy(step.draft)
    if (decided && kept)
      return <ConfirmTransfer decided={decided} kept={kept} keep={keep} forget={forget} onChange={goBack} />
  }
  const sources = accounts.filter(({ _id }) => receivers.some((other) => other._id !== _id))
  if (sources.length === 0)
    return (
      <MissingAccount title={<Trans>You need two open trading accounts for a transfer</Trans>}>
        <Trans>Request another account, or wait for your requested account to open.</Trans>
      </MissingAccount>
    )
  const source = accounts.find(({ _id }) => 'source' in step && _id === step.source)
  const backToSource = () => goBack({ step: 'select_account_from', source: source?._id ?? null })
  if (step.step === 'select_account_to' && source)
    return (
      <SelectAccountStep
        key="to"
        question={<Trans>Choose the account to transfer to</Trans>}
        accounts={receivers.filter(({ _id }) => _id !== source._id)}
        chosen={step.destination}
        onChoose={(destination) => setStep({ ...step, destination })}
        decided={
          <CompletedStep label={t`From`} onChange={backToSource}>
            <AccountWithBalance account={source} />
          </CompletedStep>
        }
        onBack={backToSource}
        onNext={(destination) => goNext({ step: 'select_amount', source: source._id, destination, amount: '' })}
        slip={(destination) => <TransferSummary source={source} destination={destination} amount={null} shown={null} />}
      />
    )
  const destination = receivers.find(({ _id }) => step.step === 'select_amount' && _id === step.destination)
  if (step.step === 'select_amount' && source && destination)
    return (
      <SelectAmountStep
        key="amount"
        settings={settings}
        source={source}
        destination={destination}
        amount={step.amount}
        onAmount={(amount) => change({ ...step, amount })}
        onChange={goBack}
        onNext={(draft) => goNext({ step: 'confirm', draft })}
      />
    )
  return (
    <SelectAccountStep
      key="from"
      question={<Trans>Choose the account to transfer from</Trans>}
      accounts={sources}
      chosen={step.step === 'select_account_from' ? step.source : null}
      onChoose={(chosen) => setStep({ step: 'select_account_from', source: chosen })}
      asSource
      note={<Trans>We set the amount aside immediately and transfer it after approval.</Trans>}
      onNext={(chosen) => goNext({ step: 'select_account_to', source: chosen, destination: null })}
      slip={(chosen) => <TransferSummary source={chosen} destination={null} amount={null} shown={null} />}
    />
  )
}
