import { useLingui } from '@lingui/react/macro'
import { hasMoney, type OpenAccount } from './accounts.ts'

/** Why no account can be chosen as a source; undefined where one can. */
export function useNoMoneyReason(accounts: readonly OpenAccount[]): string | undefined {
  const { t } = useLingui()
  if (accounts.some(hasMoney)) return undefined
  return accounts.some(({ balance }) => balance === null)
    ? t`The balances of your accounts are not available yet. We will keep trying.`
    : t`Your accounts have no funds yet.`
}
