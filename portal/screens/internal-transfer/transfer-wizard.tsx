import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { failedRead } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { type OpenAccount, useOpenAccounts } from '../../funding/accounts.ts'
import { useStoredRequest, useOpenStep } from '../../funding/stored-request.ts'
import { useMoneySteps } from '../../funding/money-steps.ts'
import { MoneyStopped } from '../../funding/money-stopped.tsx'
import { LoadingStep } from '../../funding/loading-step.tsx'
import { type PortalSettings, usePortalSettingsRead } from '../../portal-settings.ts'
import { ConfirmTransfer } from './confirm-transfer.tsx'
import { SelectAccountStep } from './select-account-step.tsx'
import { SelectAmountStep } from './select-amount-step.tsx'
import { decidedOf, openTransferStep, pathToTransfer, transferDraft, type TransferStep } from './transfer-draft.ts'
import './internal-transfer.css'

/** select_account_from → select_account_to → select_amount → confirm. */
export function TransferWizard() {
  const { t } = useLingui()
  const { accounts, error, refetch } = useOpenAccounts()
  const settingsRead = usePortalSettingsRead()
  const failed = failedRead({ data: accounts, error, refetch }, settingsRead)
  const settings = settingsRead.data
  return (
    <>
      <PageHeader title={t`Internal transfer`} />
      {failed ? (
        <ErrorPanel failure={failed.failure} onRetry={failed.again} />
      ) : accounts && settings ? (
        <Steps accounts={accounts} settings={settings} />
      ) : (
        <LoadingStep />
      )}
    </>
  )
}

function Steps({ accounts, settings }: { accounts: readonly OpenAccount[]; settings: PortalSettings }) {
  const { kept, keep, forget } = useStoredRequest('transfer', transferDraft)
  const [step, setStep] = useOpenStep('transfer', openTransferStep, (open): TransferStep =>
    kept && decidedOf(kept.draft, accounts)
      ? { step: 'confirm', draft: kept.draft }
      : (open ?? { step: 'select_account_from', source: null }),
  )
  const { goOn, goBack, change } = useMoneySteps({ step, setStep, keep, forget, pathTo: pathToTransfer })
  useEffect(() => {
    scrollTo({ top: 0 })
  }, [step.step])
  // What has left the browser already is still asked about.
  if (settings.moneyStopped?.accounts && !kept?.sent)
    return <MoneyStopped title={<Trans>Transfers are unavailable at the moment</Trans>} />
  if (step.step === 'confirm') {
    const decided = decidedOf(step.draft, accounts)
    if (decided && kept)
      return <ConfirmTransfer decided={decided} kept={kept} keep={keep} forget={forget} onChange={goBack} />
  }
  if (accounts.length < 2) return <TooFewAccounts />
  const source = accounts.find(({ _id }) => 'source' in step && _id === step.source)
  if (step.step === 'select_account_to' && source)
    return (
      <SelectAccountStep
        key="to"
        asked="destination"
        accounts={accounts}
        source={source}
        initial={step.destination}
        onBack={() => goBack({ step: 'select_account_from', source: step.source })}
        onNext={(destination) => goOn({ step: 'select_amount', source: source._id, destination, amount: '' })}
      />
    )
  const destination = accounts.find(({ _id }) => step.step === 'select_amount' && _id === step.destination)
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
        onNext={(draft) => goOn({ step: 'confirm', draft })}
      />
    )
  return (
    <SelectAccountStep
      key="from"
      asked="source"
      accounts={accounts}
      source={null}
      initial={step.step === 'select_account_from' ? step.source : null}
      onNext={(chosen) => goOn({ step: 'select_account_to', source: chosen, destination: null })}
    />
  )
}

function TooFewAccounts() {
  return (
    <div className="sheet">
      <EmptyState
        level="h2"
        title={<Trans>You need two open trading accounts for a transfer</Trans>}
        action={
          <ButtonLink kind="primary" href={portalPaths.tradingAccounts}>
            <Trans>Trading Accounts</Trans>
          </ButtonLink>
        }
      >
        <Trans>You need a second account for transfers. Request one, or wait for your requested account to open.</Trans>
      </EmptyState>
    </div>
  )
}
