/** Labels of failed operations: what failed, the effect on the client and the attempts. */
import { useLingui } from '@lingui/react/macro'
import { useStateLabel } from '../../records/value-names.ts'
import { codeAsText, useOperationLabel } from '../../records/work-item-labels.ts'

interface OperationLabels {
  kind: (kind: string) => string
  meaning: (meaning: string) => string
  state: (state: string) => string
  tried: (what: string) => string
}

export function useOperationLabels(): OperationLabels {
  const { t } = useLingui()
  const kind = useOperationLabel()
  const state = useStateLabel()
  const meanings: Readonly<Record<string, string>> = {
    'withdrawal-waits': t`The withdrawal is pending. The money is reserved and has not left the account.`,
    'return-not-credited': t`The bank returned the money. It is not on the account yet.`,
    'deposit-not-credited': t`The money has arrived but is not on the account yet.`,
    'transfer-waits': t`The transfer is pending. The money is reserved in the source account.`,
    'transfer-under-way': t`The money has left one account and is not on the other yet. It is owed to the client.`,
    'demo-without-balance': t`The demo account is open without its starting balance. No real money is affected.`,
    'correction-waits': t`The correction is approved but not posted on the platform yet.`,
    'account-waits': t`The client is waiting for the trading account.`,
    'leverage-waits': t`The previous leverage still applies.`,
    'status-waits': t`The account still has the previous client category.`,
    'refund-waits': t`The payment has not been returned to the payer yet.`,
    'statement-waits': t`The statement is shown as being checked.`,
    'account-incomplete': t`Totals, closed trades and statements of this account are shown as being checked. Balance and open positions are current.`,
    'account-unread': t`The account shows its last balances. Requests that need newer ones are not possible.`,
    'account-held': t`Nothing is sent to the account. Deposits, withdrawals and transfers are pending.`,
    'mail-not-sent': t`The email has not been delivered.`,
    'nothing-yet': t`No effect on the client at the moment.`,
    waits: t`The client is waiting.`,
  }
  const tries: Readonly<Record<string, string>> = {
    written: t`Recorded`,
    sent: t`Sent`,
    asked: t`Platform status checks`,
    parked: t`Needs manual action`,
    failed: t`Failed`,
  }
  return {
    kind,
    meaning: (meaning) => meanings[meaning] ?? codeAsText(meaning),
    state: (code) => state('operation', code),
    tried: (what) => tries[what] ?? codeAsText(what),
  }
}
