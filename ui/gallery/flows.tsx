/** A list with its tools, and the parts of a wizard. */
import { money } from '#rules/money.ts'
import { Checklist } from '../data/checklist.tsx'
import { Money, MoneySummary } from '../money/money.tsx'
import { Pagination } from '../data/pagination.tsx'
import { StatusBadge } from '../data/status-badge.tsx'
import { Table } from '../data/table.tsx'
import { Tabs } from '../data/tabs.tsx'
import { Time } from '../text/time.tsx'
import { CompletedStep, StepHeader, StepProgress, WizardFooter, WizardRail } from '../layout/wizard.tsx'
import { Part } from './part.tsx'

export function Lists() {
  return (
    <Part title="List">
      <Tabs
        label="Kind"
        tabs={[
          { href: '/a', label: 'Live', count: 4, current: true },
          { href: '/b', label: 'Demo', count: 1, current: false },
        ]}
      />
      <div className="sheet">
        <Table
          caption="Deposits"
          columns={[
            {
              head: 'Time',
              sort: 'timestamp',
              phone: 'time',
              cell: (row: { id: string; minor: bigint; state: string }) => (
                <Time at={new Date(Number(row.id) * 1000)} form="history" />
              ),
            },
            { head: 'Method', phone: 'title', cell: () => 'Bank Transfer' },
            {
              head: 'Amount',
              align: 'right',
              phone: 'figure',
              cell: (row) => <Money amount={money(row.minor, 'EUR')} />,
            },
            { head: 'Status', phone: 'status', cell: (row) => <StatusBadge record="transfer" state={row.state} /> },
          ]}
          rows={[
            { id: '1781000000', minor: 250_000n, state: 'approved' },
            { id: '1780000000', minor: 25_000n, state: 'processing' },
          ]}
          rowKey={(row) => row.id}
          rowHref={(row) => `/history?record=${row.id}`}
          selectedKey="1780000000"
          sort={{ by: 'timestamp', direction: 'desc' }}
          onSort={() => undefined}
        />
      </div>
      <Pagination size={10} sizes={[10, 20]} onSize={() => undefined} onNext={() => undefined} range="1 to 10" />
      <Checklist
        checks={[
          { tone: 'ok', title: 'IBAN valid' },
          { tone: 'wait', title: 'Password changed 3 days ago', text: '17 June, 22:41' },
        ]}
      />
    </Part>
  )
}

export function Flow() {
  return (
    <Part title="Steps">
      <WizardRail
        label="Registration"
        steps={[
          { title: 'Create Account', state: 'done' },
          {
            title: 'Personal Details',
            state: 'current',
            parts: [
              { title: 'Contact details', state: 'done' },
              { title: 'Residential address', state: 'current' },
              { title: 'Nationality', state: 'ahead' },
            ],
          },
          { title: 'Legal', state: 'ahead' },
        ]}
      />
      <StepProgress step={2} of={6} />
      <CompletedStep label="From account" onChange={() => undefined}>
        Main account · 5012 4471
      </CompletedStep>
      <StepHeader title="How much?" level={2} />
      <MoneySummary
        title="Withdrawal"
        lines={[
          { label: 'To', value: 'Example Bank AG' },
          { label: 'Fee, 0%', value: <Money amount={money(0n, 'EUR')} /> },
          { label: 'Arrives', value: null },
        ]}
        total={{ label: 'You receive', value: <Money amount={money(120_000n, 'EUR')} /> }}
      />
      <WizardFooter onBack={() => undefined} onNext={() => undefined} />
    </Part>
  )
}
