import { Trans, useLingui } from '@lingui/react/macro'
import { moneyText } from '#ui/money/money.tsx'
import { accountText, accountMoney, type OpenAccount } from '../../funding/accounts.ts'

/** "Main account · 5012 4471", and its balance below. */
export function AccountWithBalance({ account }: { account: OpenAccount }) {
  const { i18n } = useLingui()
  const balance = accountMoney(account, account.balance)
  return (
    <>
      <span className="numbers">{accountText(account)}</span>
      <span className="transfer-balance">{balance && <Trans>Balance {moneyText(balance, i18n.locale)}</Trans>}</span>
    </>
  )
}
