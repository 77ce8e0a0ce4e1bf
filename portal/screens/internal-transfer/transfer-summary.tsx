import { useLingui } from '@lingui/react/macro'
import type { Money as Amount } from '#rules/money.ts'
import { Money, MoneySummary } from '#ui/money/money.tsx'
import { accountName, accountNumberText, type OpenAccount } from '../../funding/accounts.ts'
import { RateText } from './rate-line.tsx'
import type { ShownRate } from './transfer-draft.ts'

interface TransferSummaryProps {
  source: OpenAccount | null
  destination: OpenAccount | null
  amount: Amount | null
  shown: ShownRate | null
  look?: 'side' | 'wide'
}

/** Shows the choices so far, down to the amount received. */
export function TransferSummary({ source, destination, amount, shown, look = 'side' }: TransferSummaryProps) {
  const { t } = useLingui()
  const exchanged = source && destination && source.baseCurrency !== destination.baseCurrency
  return (
    <MoneySummary
      title={look === 'side' ? t`Your transfer` : undefined}
      look={look}
      lines={[
        { label: t`From`, value: source && <AccountLines account={source} /> },
        { label: t`To`, value: destination && <AccountLines account={destination} /> },
        { label: t`You transfer`, value: amount && <Money amount={amount} /> },
        ...(exchanged
          ? [{ label: t`Rate`, value: amount && shown && <RateText amount={amount} shown={shown} /> }]
          : []),
      ]}
      total={{
        label: t`Credited amount`,
        value: amount && shown && <Money amount={shown.arrives} size={look === 'wide' ? 'step' : 'text'} />,
      }}
    />
  )
}

function AccountLines({ account }: { account: OpenAccount }) {
  return (
    <>
      {accountName(account)}
      <br />
      <span className="numbers unbroken">{accountNumberText(account.number)}</span>
    </>
  )
}
