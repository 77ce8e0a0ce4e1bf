import { Trans, useLingui } from '@lingui/react/macro'
import type { MethodRecord } from '#contract/settings.ts'
import type { Money as Amount } from '#rules/money.ts'
import { Money, MoneySummary } from '#ui/money/money.tsx'
import { withUnbrokenRanges } from '#ui/text/no-break.ts'
import { accountName, accountNumberText, type OpenAccount } from '../../funding/accounts.ts'
import { amountLessFee, methodFee } from '../../funding/method-tiles.tsx'

interface DepositSummaryProps {
  account: OpenAccount | null
  method: MethodRecord | null
  amount: Amount | null
  look?: 'side' | 'wide'
}

/** Shows the choices so far, down to the amount received. */
export function DepositSummary({ account, method, amount, look = 'side' }: DepositSummaryProps) {
  const { t } = useLingui()
  const fee = method && amount ? methodFee(method, amount) : null
  const arrives = method && amount ? amountLessFee(method, amount) : null
  const Frame = look === 'side' ? 'aside' : 'div'
  return (
    <Frame>
      <MoneySummary
        title={look === 'side' ? t`Your deposit` : undefined}
        look={look}
        lines={[
          { label: t`To`, value: account && <AccountLines account={account} /> },
          { label: t`Method`, value: method?.method ?? null },
          { label: t`You pay`, value: amount && <Money amount={amount} /> },
          { label: method ? t`Fee, ${method.fees}` : t`Fee`, value: fee && <Money amount={fee} /> },
        ]}
        total={{
          label: t`Credited amount`,
          value: arrives && <Money amount={arrives} size={look === 'wide' ? 'step' : 'text'} />,
        }}
      />
      {look === 'side' && method && (
        <p className="slip-note">
          {method.type === 'wire' ? (
            <Trans>
              {withUnbrokenRanges(method.time)} after your bank sends the money. We will email you when it arrives.
            </Trans>
          ) : (
            <Trans>Credited to your account as soon as the payment is confirmed.</Trans>
          )}
        </p>
      )}
    </Frame>
  )
}

function AccountLines({ account }: { account: OpenAccount }) {
  return (
    <>
      {accountName(account)}
      <br />
      {accountNumberText(account.number)}
    </>
  )
}
