import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { platformNames } from '#ui/account/platform-names.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { FieldGroup } from '#ui/forms/field.tsx'
import { Money } from '#ui/money/money.tsx'
import '#ui/forms/choice.css'
import { usePossiblePayments } from '../portal-settings.ts'
import {
  accountText,
  canPayOut,
  canReceive,
  factSeparator,
  accountMoney,
  accountTypeText,
  accountName,
  accountNumberText,
  type OpenAccount,
} from './accounts.ts'
import { oldBalances } from './old-balances.tsx'
import './funding.css'

interface AccountTilesProps {
  label: ReactNode
  accounts: readonly OpenAccount[]
  /** The account's id: its number may also exist on the other platform. */
  value: string | null
  onValue: (id: string) => void
  /** A source must be able to pay out; an empty account shows FUND NOW instead (requirements 1.13). */
  asSource?: boolean
  error?: ReactNode
}

/** The client's accounts with their balances, one of them to be chosen. */
export function AccountTiles({ label, accounts, value, onValue, asSource, error }: AccountTilesProps) {
  const group = useId()
  return (
    <FieldGroup label={label} error={error}>
      {() => (
        <div className="choices">
          {accounts.map((account) =>
            asSource && !canPayOut(account) ? (
              <EmptyAccount key={account._id} account={account} />
            ) : (
              <label key={account._id} className="choice" data-wrong={error ? '' : undefined}>
                <input
                  type="radio"
                  name={group}
                  value={account._id}
                  checked={account._id === value}
                  onChange={() => onValue(account._id)}
                />
                <span className="choice-words">
                  <span className="choice-label">
                    <AccountName account={account} />
                    <Money amount={accountMoney(account, account.balance)} />
                  </span>
                  <AccountNote account={account} />
                </span>
              </label>
            ),
          )}
        </div>
      )}
    </FieldGroup>
  )
}

/** On a phone the number has a line of its own. */
function AccountName({ account }: { account: OpenAccount }) {
  return (
    <span className="numbers">
      {accountName(account)}
      <span className="account-tile-dot">{factSeparator}</span>
      <span>{accountNumberText(account.number)}</span>
    </span>
  )
}

function AccountNote({ account }: { account: OpenAccount }) {
  const old = oldBalances(account)
  return (
    <span className="choice-note account-tile-note">
      <span>{accountTypeText(account)}</span>
      {account.reserved > 0n && account.available !== null && (
        <span>
          <Trans>
            <Money amount={accountMoney(account, account.available)} /> available
          </Trans>
        </span>
      )}
      {old && <span>{old}</span>}
    </span>
  )
}

function EmptyAccount({ account }: { account: OpenAccount }) {
  const reason = useUnusableReason(account)
  const isFundable = usePossiblePayments().deposits && canReceive(account) && account.balance !== null
  return (
    <div className="empty-account">
      <span className="choice-words">
        <span className="choice-label">
          <AccountName account={account} />
          <Money amount={accountMoney(account, account.balance)} />
        </span>
        <span className="choice-note">
          {accountTypeText(account)} · {reason}
        </span>
      </span>
      {isFundable && (
        <ButtonLink size="small" kind="tinted" href={portalPaths.depositToAccount(account.number)}>
          <Trans>FUND NOW</Trans>
          <span className="unseen"> {accountText(account)}</span>
        </ButtonLink>
      )}
    </div>
  )
}

/** Returns why an account cannot be chosen as a source. */
function useUnusableReason(account: OpenAccount): ReactNode {
  const { t } = useLingui()
  const { closed, connected, platform, balance } = account
  const name = platformNames[platform]
  if (closed) return t`This account is closed.`
  if (!connected) return t`${name} is not connected.`
  if (balance === null) return oldBalances(account)
  return t`This account has no funds yet.`
}
