import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { MethodRecord } from '#contract/settings.ts'
import { minorOf, money, type Money as Amount } from '#rules/money.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { Money } from '#ui/money/money.tsx'
import { CompletedStep, StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { type OpenAccount, fullAccountText } from './accounts.ts'
import { amountLessFee, MethodTiles } from './method-tiles.tsx'

/** The two steps on one page: the amount follows as soon as the method is chosen (requirements 8.1). */
export const methodAndAmount = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('select_payment_method'),
    account: z.string(),
    method: z.nullable(z.string()),
    amount: z.string(),
  }),
  z.object({ step: z.literal('select_amount'), account: z.string(), method: z.string(), amount: z.string() }),
])
export type MethodAndAmount = z.output<typeof methodAndAmount>

interface MethodAndAmountStepProps {
  account: OpenAccount
  methods: readonly MethodRecord[]
  chosen: MethodAndAmount
  onChosen: (step: MethodAndAmount) => void
  onChangeAccount: () => void
  /** Called with the valid choice to continue. */
  onNext: (chosen: { account: string; method: string; amount: string }) => void
  words: {
    /** Above the chosen account. */
    account: string
    question: string
    methods: string
    methodMissing: string
    /** On phones, before the amount to be received. */
    arrives: (method: MethodRecord) => string
  }
  /** Returns why an amount is invalid, or null. */
  amountProblem: (amount: Amount | null, method: MethodRecord) => string | null
  /** Below the amount: the permitted range. `setAmount` enters a decimal for the client. */
  possible: (setAmount: (decimal: string) => void) => ReactNode
  slip: (method: MethodRecord | null, amount: Amount | null) => ReactNode
}

/** Method and amount of a deposit or withdrawal. */
export function MethodAndAmountStep(props: MethodAndAmountStepProps) {
  const { account, methods, chosen, onChosen, onChangeAccount, onNext, words, amountProblem } = props
  const { t } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [isRejected, setRejected] = useState(false)
  const method = methods.find(({ id }) => id === chosen.method) ?? null
  const minor = minorOf(chosen.amount)
  const entered = minor === null ? null : money(minor, account.baseCurrency)
  const amount = entered?.minor === 0n ? null : entered
  const choose = (step: MethodAndAmount) => {
    setRejected(false)
    onChosen(step)
  }
  const setAmount = (decimal: string) => choose({ ...chosen, amount: decimal })
  const problem = method && amountProblem(entered, method)
  const wrong = isRejected ? { method: method ? undefined : words.methodMissing, amount: problem ?? undefined } : {}
  const next = () => {
    if (method && problem === null) return onNext({ account: account._id, method: method.id, amount: chosen.amount })
    setRejected(true)
    focusFirstError(form.current)
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitHandler(next)}>
        <div className="decided-lines">
          <CompletedStep label={words.account} onChange={onChangeAccount}>
            {fullAccountText(account)}
          </CompletedStep>
        </div>
        <StepHeader level={2} title={words.question} />
        <MethodTiles
          label={<span className="unseen">{words.methods}</span>}
          methods={methods}
          value={chosen.method}
          error={wrong.method}
          onValue={(id) => choose({ ...chosen, step: 'select_amount', method: id })}
        />
        {chosen.step === 'select_amount' && (
          <div className="money-question">
            <AmountField
              label={t`Enter an amount`}
              currency={account.baseCurrency}
              value={chosen.amount}
              error={wrong.amount}
              onValue={setAmount}
            />
            {props.possible(setAmount)}
          </div>
        )}
        <WizardFooter
          onBack={onChangeAccount}
          phoneLine={
            method &&
            amount &&
            wrong.amount === undefined && <PhoneLine words={words.arrives(method)} method={method} amount={amount} />
          }
        />
      </form>
      {props.slip(method, wrong.amount === undefined ? amount : null)}
    </div>
  )
}

function PhoneLine({ words, method, amount }: { words: string; method: MethodRecord; amount: Amount }) {
  return (
    <>
      <span>{words}</span>
      <b>
        <Money amount={amountLessFee(method, amount)} />
      </b>
    </>
  )
}
