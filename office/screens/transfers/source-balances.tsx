import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OfficeTransfer } from '#contract/office/transfers.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { Table } from '#ui/data/table.tsx'
import { RecordSection } from '../../decision/client-facts.tsx'

interface Line {
  key: string
  label: ReactNode
  minor: bigint | null
}

/** Shows what could leave the source, less what is set aside, closed by what is free afterwards. */
export function SourceBalances({ transfer }: { transfer: OfficeTransfer }) {
  const { t } = useLingui()
  const { source, currency, setAsideHere, setAsideElsewhere, freeAfter } = transfer
  const money = (minor: bigint | null) => <Money bare amount={minor === null ? null : { minor, currency }} />
  const lines: (Line | false)[] = [
    { key: 'free', label: <LowerLabel source={source} />, minor: smallerOf(source) },
    { key: 'here', label: <Trans>Reserved for this transfer</Trans>, minor: setAsideHere.amount },
    (setAsideElsewhere.amount ?? 0n) !== 0n && {
      key: 'elsewhere',
      label: <Trans>Reserved for other requests</Trans>,
      minor: setAsideElsewhere.amount,
    },
  ]
  return (
    <RecordSection title={<Trans>Balances of account {groupedByFour(source.number)}</Trans>}>
      <Table
        caption={t`Account balances`}
        columns={[
          { key: 'label', head: t`From the platform and the ledger`, cell: (line: Line) => line.label },
          { key: 'amount', head: currency, align: 'right', cell: (line: Line) => money(line.minor) },
        ]}
        rows={lines.filter((line) => line !== false)}
        rowKey={({ key }) => key}
        foot={[
          <Trans key="label">Available after transfer</Trans>,
          <span key="amount">{money(freeAfter.amount)}</span>,
        ]}
      />
    </RecordSection>
  )
}

/** The smaller of balance and free margin can leave an account (requirements 18.5). */
function smallerOf({ balance, freeMargin }: OfficeTransfer['source']): bigint | null {
  if (balance.amount === null || freeMargin.amount === null) return balance.amount
  return freeMargin.amount < balance.amount ? freeMargin.amount : balance.amount
}

function LowerLabel({ source }: { source: OfficeTransfer['source'] }) {
  return smallerOf(source) === source.balance.amount ? (
    <Trans>Platform balance</Trans>
  ) : (
    <Trans>Free margin below balance</Trans>
  )
}
