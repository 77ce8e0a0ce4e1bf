import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { focusFirstError } from '#ui/forms/form-focus.ts'
import { submitting } from '#ui/forms/form-values.ts'
import { DecidedLine, StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { AccountTiles } from '../../funding/account-tiles.tsx'
import type { OpenAccount } from '../../funding/accounts.ts'
import { useNoMoneyReason } from '../../funding/no-money-reason.ts'
import { AccountWithBalance } from './account-with-balance.tsx'
import { TransferSummary } from './transfer-summary.tsx'

export interface SelectAccountStepProps {
  asked: 'source' | 'destination'
  accounts: readonly OpenAccount[]
  /** Decided before the destination is asked. */
  source: OpenAccount | null
  initial: string | null
  onBack?: () => void
  /** Hands on the account's id. */
  onNext: (account: string) => void
}

/** From which account, and then to which. */
export function SelectAccountStep({ asked, accounts, source, initial, onBack, onNext }: SelectAccountStepProps) {
  const { t } = useLingui()
  const noMoney = useNoMoneyReason(accounts)
  const form = useRef<HTMLFormElement>(null)
  const offered = accounts.filter(({ _id }) => _id !== source?._id)
  const [chosen, setChosen] = useState<OpenAccount | null>(() => offered.find(({ _id }) => _id === initial) ?? null)
  const [wrong, setWrong] = useState(false)
  const next = () => {
    if (chosen) return onNext(chosen._id)
    setWrong(true)
    focusFirstError(form.current)
  }
  const title = asked === 'source' ? t`Choose the account to transfer from` : t`Choose the account to transfer to`
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitting(next)}>
        {source && (
          <div className="decided-lines">
            <DecidedLine label={t`From`} {...(onBack ? { onChange: onBack } : {})}>
              <AccountWithBalance account={source} />
            </DecidedLine>
          </div>
        )}
        <StepHeader level={2} title={title} />
        <AccountTiles
          label={<span className="unseen">{t`Account`}</span>}
          accounts={offered}
          value={chosen?._id ?? null}
          onValue={(id) => setChosen(offered.find(({ _id }) => _id === id) ?? null)}
          asSource={asked === 'source'}
          error={wrong && !chosen && t`Choose an account.`}
        />
        {asked === 'source' && (
          <p className="muted size-14">
            <Trans>We set the amount aside immediately and transfer it after approval.</Trans>
          </p>
        )}
        <WizardFooter {...(onBack ? { onBack } : {})} disabledReason={asked === 'source' && noMoney} />
      </form>
      <TransferSummary
        source={source ?? chosen}
        destination={asked === 'destination' ? chosen : null}
        amount={null}
        shown={null}
      />
    </div>
  )
}
