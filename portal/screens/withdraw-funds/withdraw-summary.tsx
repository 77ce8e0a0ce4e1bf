import { useLingui } from '@lingui/react/macro'
import type { BankDetails as Bank } from '#contract/bank-details.ts'
import type { MethodRecord } from '#contract/settings.ts'
import type { Money as Amount } from '#rules/money.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { Money, MoneySummary } from '#ui/money/money.tsx'
import { accountName, accountNumberText, type OpenAccount } from '../../funding/accounts.ts'
import { amountLessFee, methodFee } from '../../funding/method-tiles.tsx'
import { useClient } from '../../session.ts'
import { lastCharactersOf } from './withdraw-draft.ts'

interface WithdrawSummaryProps {
  account: OpenAccount | null
  method: MethodRecord | null
  amount: Amount | null
  bank: Bank | null
}

/** Shows the choices so far, down to the amount received. */
export function WithdrawSummary({ account, method, amount, bank }: WithdrawSummaryProps) {
  const { t } = useLingui()
  const { fee, received } = useAmountReceived(method, amount)
  return (
    <MoneySummary
      title={t`Your withdrawal`}
      lines={[
        {
          label: t`From`,
          value: account && (
            <>
              {accountName(account)}
              <br />
              {accountNumberText(account.number)}
            </>
          ),
        },
        { label: t`Method`, value: method?.method ?? null },
        { label: t`You withdraw`, value: amount && <Money amount={amount} /> },
        { label: method ? t`Fee, ${method.fees}` : t`Fee`, value: fee && <Money amount={fee} /> },
        { label: t`Bank account`, value: bank && t`${bank.bankName}, ending\u00a0${lastCharactersOf(bank)}` },
      ]}
      total={{ label: t`You receive`, value: received && <Money amount={received} /> }}
    />
  )
}

/** Shows the summary of the confirm step, with the full bank account. */
export function WideWithdrawSummary({ method, amount, bank }: { method: MethodRecord; amount: Amount; bank: Bank }) {
  const { t } = useLingui()
  const client = useClient()
  const { fee, received } = useAmountReceived(method, amount)
  const isBritish = bank.bankCountry === 'GB'
  return (
    <MoneySummary
      look="wide"
      lines={[
        { label: t`Account holder`, value: `${client?.name ?? ''} ${client?.surname ?? ''}`.trim() },
        ...(isBritish
          ? [
              { label: t`Sort code`, value: sortCodeText(bank.bankSortCode ?? '') },
              { label: t`Account number`, value: groupedByFour(bank.bankAccountNumber ?? '') },
            ]
          : [{ label: t`IBAN`, value: groupedByFour(bank.bankIBAN ?? '') }]),
        { label: t`Bank`, value: bank.bankName },
        { label: t`You withdraw`, value: <Money amount={amount} /> },
        { label: t`Fee, ${method.fees}`, value: fee && <Money amount={fee} /> },
      ]}
      total={{ label: t`You receive`, value: received && <Money amount={received} size="step" /> }}
    />
  )
}

function useAmountReceived(method: MethodRecord | null, amount: Amount | null) {
  const fee = method && amount ? methodFee(method, amount) : null
  const received = method && amount ? amountLessFee(method, amount) : null
  return { fee, received }
}
