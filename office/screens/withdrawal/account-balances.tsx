import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { Table } from '#ui/data/table.tsx'
import { RecordSection, BalancesHead } from '../../decision/record-parts.tsx'

interface Line {
  key: string
  label: ReactNode
  minor: bigint | null
}

interface AccountBalancesProps {
  money: NonNullable<OfficeWithdrawal['money']>
  withdrawal: OfficeWithdrawal
}

/** Balance, reserved amount, unrealised P&L and margin, with the available rest. */
export function AccountBalances({ money, withdrawal: { account, currency } }: AccountBalancesProps) {
  const { t } = useLingui()
  const isReserved = money.setAsideHere.amount !== 0n
  const lines: (Line | false)[] = [
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
        <Table
          caption={t`Account balances`}
          columns={[
            { head: <BalancesHead at={money.balance.at} />, cell: (line: Line) => line.label },
            {
              head: currency,
              align: 'right',
              cell: (line: Line) => (
                <Money bare amount={line.minor === null ? null : { minor: line.minor, currency }} />
              ),
            },
          ]}
          rows={lines.filter((line) => line !== false)}
          rowKey={({ key }) => key}
          foot={[
            isReserved ? <Trans key="label">Available after payout</Trans> : <Trans key="label">Available</Trans>,
            <Money
              key="amount"
              bare
              amount={money.freeAfter.amount === null ? null : { minor: money.freeAfter.amount, currency }}
            />,
          ]}
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
