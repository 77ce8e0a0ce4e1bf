import { useState } from 'react'
import { money } from '#rules/money.ts'
import { BarChart, ChartLegend, ChartTableButton, LineChart } from '../charts/chart.tsx'
import { Sparkline } from '../charts/sparkline.tsx'
import { Money } from '../money/money.tsx'
import { Part } from './part.tsx'

interface Day {
  day: string
  equity: number | null
  balance: number
  came: number
  went: number
}

/**
 * Thirty days: a deposit on the ninth, a withdrawal on the twentieth, and no report of the platform on the fourteenth.
 */
const days: Day[] = Array.from({ length: 30 }, (_, index) => {
  const balance = 200_000 + (index >= 9 ? 900_000 : 0) - (index >= 20 ? 120_000 : 0)
  return {
    day: `${index + 1} June`,
    equity: index === 14 ? null : balance + Math.round(Math.sin(index / 2) * 24_000),
    balance,
    came: index % 7 > 4 ? 0 : 30_000 + ((index * 7_919) % 50_000) + (index === 9 ? 90_000 : 0),
    went: index % 7 > 4 ? 0 : 12_000 + ((index * 3_571) % 40_000),
  }
})

const amount = (minor: number | null) => <Money amount={minor === null ? null : money(BigInt(minor), 'EUR')} />
const figure = (key: 'equity' | 'balance' | 'came' | 'went', head: string) => ({
  key,
  head,
  align: 'right' as const,
  cell: (day: Day) => amount(day[key]),
})
const day = { key: 'day', head: 'Day', cell: (row: Day) => row.day }
const inThousands = (value: number) => `${value / 100_000}k`

/** Line chart, bar chart and sparkline, with a gap, a jump and their table. */
export function Charts() {
  const [asTable, setAsTable] = useState(false)
  const same = { points: days, pointKey: (row: Day) => row.day, dayWord: (row: Day) => row.day, asTable }
  return (
    <>
      <Part title="Lines">
        <LineChart
          {...same}
          label="Equity of account 5012 4471, 1 to 30 June: from 2,000.00 to 9,950.00 EUR."
          valueWord={inThousands}
          height={232}
          series={[
            { value: (row) => row.equity, look: 'solid', jump: (row) => jumpOf(row) },
            { value: (row) => row.balance, look: 'dashed' },
          ]}
          markers={[
            { index: 9, way: 'in' },
            { index: 20, way: 'out' },
          ]}
          readout={(row) => (
            <>
              <span className="muted">{row.day}</span>
              <span>Equity {amount(row.equity)}</span>
              <span>Balance {amount(row.balance)}</span>
            </>
          )}
          columns={[day, figure('equity', 'Equity'), figure('balance', 'Balance')]}
        />
        <div className="row between wrap">
          <ChartLegend
            entries={[
              { look: 'solid', name: 'Equity' },
              { look: 'dashed', name: 'Balance' },
              { look: 'in', name: 'Deposit' },
              { look: 'out', name: 'Withdrawal' },
            ]}
          />
          <ChartTableButton asTable={asTable} onChange={setAsTable} />
        </div>
      </Part>
      <Part title="Bars and small lines">
        <BarChart
          {...same}
          label="EUR by day, 1 to 30 June."
          dayWords={3}
          valueWord={inThousands}
          height={132}
          above={(row) => row.came}
          below={(row) => row.went}
          net="net"
          columns={[day, figure('came', 'In'), figure('went', 'Out')]}
        />
        <ChartLegend
          entries={[
            { look: 'bar-in', name: 'in' },
            { look: 'bar-out', name: 'out' },
            { look: 'bar-net', name: 'net' },
          ]}
        />
        <div className="row wrap">
          <Sparkline values={[0, -20, 14, 30, 12, 60, 80]} label="Result over 30 days: up 80.00 EUR" />
          <Sparkline values={[0, 20, -14, -30, -12, -60, -80]} label="Result over 30 days: down 80.00 EUR" />
          <Sparkline values={[0, 0, 0]} label="Result over 30 days: none" />
        </div>
      </Part>
    </>
  )
}

function jumpOf(row: Day): number {
  const index = days.indexOf(row)
  return row.balance - (days[index - 1]?.balance ?? row.balance)
}
