import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Plural, Trans } from '@lingui/react/macro'
import type { OfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { type BalanceLine, BalancesTable } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'

interface AccountBalancesProps {
  money: NonNullable<OfficeWithdrawal['money']>
  withdrawal: OfficeWithdrawal
}

/** Balance, reserved amount, unrealised P&L and margin, with the available rest. */
export function AccountBalances({ money, withdrawal: { account, currency } }: AccountBalancesProps) {
  const isReserved = money.setAsideHere.amount !== 0n
  const lines: (BalanceLine | false)[] = [
    { key: 'balance', label: <Trans>Platform balance</Trans>, minor: money.balance.amount },
    {
      key: 'ledger',
      label: (
        <>
          <Trans>Ledger balance</Trans> <ReconciledMark agrees={money.agrees} known={money.balance.amount !== null} />
        </>
      ),
      minor: money.ledger.amount,
    },
    isReserved && {
      key: 'here',
      label: <Trans>Reserved for this withdrawal</Trans>,
      minor: money.setAsideHere.amount,
    },
    (money.setAsideElsewhere.amount ?? 0n) !== 0n && {
      key: 'elsewhere',
      label: <Trans>Reserved for other requests</Trans>,
      minor: money.setAsideElsewhere.amount,
    },
    money.floating !== null && { key: 'floating', label: <Trans>Unrealised P&L</Trans>, minor: money.floating.amount },
    {
      key: 'margin',
      label: (
        <>
          <Trans>Margin used</Trans>
          {money.openPositions !== null && (
            <>
              , <Plural value={money.openPositions} one="# open position" other="# open positions" />
            </>
          )}
        </>
      ),
      minor: money.margin.amount,
    },
  ]
  return (
    <RecordSection title={<Trans>Balances of account {groupedByFour(account.number)}</Trans>}>
      <div className="money-sum">
        <BalancesTable
          at={money.balance.at}
          currency={currency}
          lines={lines}
          available={{
            key: 'available',
            label: isReserved ? <Trans>Available after payout</Trans> : <Trans>Available</Trans>,
            minor: money.freeAfter.amount,
          }}
        />
      </div>
    </RecordSection>
  )
}

function ReconciledMark({ agrees, known }: { agrees: boolean; known: boolean }) {
  if (!known) return null
  return agrees ? (
    <span className="tone-ok">
      <IconCheck className="small" aria-hidden="true" /> <Trans>reconciled</Trans>
    </span>
  ) : (
    <span className="tone-bad strong">
      <IconAlertTriangle className="small" aria-hidden="true" /> <Trans>differs</Trans>
    </span>
  )
}
