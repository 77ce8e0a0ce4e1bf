import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { BankDetails as Bank } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { minorOf, money } from '#rules/money.ts'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { Link } from '#ui/navigation/link.tsx'
import { moneyText } from '#ui/money/money.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { CompletedStep, StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { accountText, type OpenAccount } from '../../funding/accounts.ts'
import { MethodText } from '../../funding/method-tiles.tsx'
import type { WithdrawalRecords, WithdrawDraft, WithdrawStep } from './withdraw-draft.ts'
import { WithdrawSummary } from './withdraw-summary.tsx'

type Chosen = Extract<WithdrawStep, { step: 'wire' }>

interface SelectBankStepProps {
  account: OpenAccount
  known: WithdrawalRecords
  chosen: Chosen
  onStep: (step: WithdrawStep) => void
  onBank: (bank: string) => void
  onNext: (draft: WithdrawDraft) => void
}

/** The choice of a bank account; those that cannot be used say why. */
export function SelectBankStep({ account, known, chosen, onStep, onBank, onNext }: SelectBankStepProps) {
  const { t, i18n } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const reasonAgainst = useBankBlockReason(account)
  const usable = known.banks.filter((bank) => reasonAgainst(bank) === null)
  const [only, ...others] = usable
  const offered = others.length === 0 ? (only?._id ?? null) : null
  // One that was chosen and has become unusable since is not replaced by another without the client.
  const isUsable = usable.some(({ _id }) => _id === chosen.bank)
  const bankId = chosen.bank === null ? offered : isUsable ? chosen.bank : null
  const [wrong, setWrong] = useState(false)
  const method = known.methods.find(({ id }) => id === chosen.method) ?? null
  const amount = money(minorOf(chosen.amount) ?? 0n, account.baseCurrency)
  const bank = known.banks.find(({ _id }) => _id === bankId) ?? null
  const toAmount: WithdrawStep = {
    step: 'select_amount',
    account: chosen.account,
    method: chosen.method,
    amount: chosen.amount,
  }
  const next = () => {
    if (bankId !== null)
      return onNext({ account: chosen.account, method: chosen.method, amount: chosen.amount, bank: bankId })
    setWrong(true)
    focusFirstError(form.current)
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitHandler(next)}>
        <div className="decided-lines">
          <CompletedStep
            label={t`From account`}
            onChange={() => onStep({ step: 'select_account', account: chosen.account })}
          >
            {accountText(account)}
          </CompletedStep>
          <CompletedStep label={t`Method`} onChange={() => onStep(toAmount)}>
            {method && <MethodText method={method} />}
          </CompletedStep>
          <CompletedStep label={t`Amount`} onChange={() => onStep(toAmount)}>
            {moneyText(amount, i18n.locale)}
          </CompletedStep>
        </div>
        <StepHeader level={2} title={<Trans>Choose the bank account to withdraw to</Trans>} />
        <RadioCards
          label={<span className="unseen">{t`Bank account`}</span>}
          value={bankId}
          onValue={onBank}
          error={wrong && bankId === null && t`Choose a bank account.`}
          tiles={[...usable, ...known.banks.filter((bank) => !usable.includes(bank))].map((candidate) => ({
            value: candidate._id,
            label: candidate.bankName,
            end: <span className="numbers">{candidate.bankAccountCurrency}</span>,
            note: <span className="numbers">{numberOf(candidate)}</span>,
            disabledReason: reasonAgainst(candidate),
          }))}
        />
        <p className="size-14 muted">
          <Trans>
            Another account?{' '}
            <Link href={`${portalPaths.bankDetails}?add=bank&currency=${account.baseCurrency}`}>Add Bank</Link> first.
            We verify it once.
          </Trans>
        </p>
        <WizardFooter onBack={() => onStep(toAmount)} />
      </form>
      <WithdrawSummary account={account} method={method} amount={amount} bank={bank} />
    </div>
  )
}

/** Returns why a bank account cannot receive this withdrawal, or null. */
function useBankBlockReason(account: OpenAccount) {
  const { t } = useLingui()
  return (bank: Bank): string | null => {
    if (bank.status === 'rejected') return t`This bank account was not approved.`
    // Approved or not, an account in another currency cannot receive it.
    if (bank.bankAccountCurrency !== account.baseCurrency)
      return t`This bank account is in ${bank.bankAccountCurrency}, the trading account in ${account.baseCurrency}.`
    if (bank.status !== 'approved') return t`Under review. You can use it once it is approved.`
    return null
  }
}

function numberOf(bank: Bank): string {
  if (bank.bankCountry === 'GB')
    return `${sortCodeText(bank.bankSortCode ?? '')} · ${groupedByFour(bank.bankAccountNumber ?? '')}`
  return groupedByFour(bank.bankIBAN ?? '')
}
