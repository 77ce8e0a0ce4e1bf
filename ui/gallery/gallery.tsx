/** Every component in its states, for visual checks. Its texts are samples, not catalogue messages. */
import './gallery.css'
import { IconTransferIn } from '@tabler/icons-react'
import { money } from '#rules/money.ts'
import { Logo } from '../layout/logo.tsx'
import { Button } from '../forms/button.tsx'
import { EmptyState, ErrorPanel, Skeleton } from '../feedback/content-states.tsx'
import { ApiError, serverTexts } from '../api/api-error.ts'
import { Money } from '../money/money.tsx'
import { StatusBadge, statusNames } from '../data/status-badge.tsx'
import { Table } from '../data/table.tsx'
import { Commands, Fields, Alerts, Choices, Dates, Files } from './controls.tsx'
import { Charts } from './charts.tsx'
import { Part } from './part.tsx'
import { Lists, Flow } from './flows.tsx'
import { Dialogs } from './dialogs.tsx'

export function Gallery() {
  return (
    <main className="kit">
      <header className="row between">
        <div>
          <p className="section-name">Parts and states</p>
          <h1 className="kit-title">One brand colour, one typeface, two voices</h1>
        </div>
        <Logo />
      </header>
      <section className="columns-3">
        <Type />
        <Amounts />
        <States />
      </section>
      <section className="columns-3">
        <Commands />
        <Fields />
        <Alerts />
      </section>
      <section className="columns-3">
        <Choices />
        <Dates />
        <Files />
      </section>
      <section className="columns-3">
        <Dialogs />
        <Empties />
        <Failures />
      </section>
      <section className="columns-2">
        <Lists />
        <Flow />
      </section>
      <section className="columns-2">
        <Charts />
      </section>
      <section className="columns-2">
        <Waiting />
        <Colours />
      </section>
    </main>
  )
}

function Type() {
  return (
    <Part title="Type">
      <p>
        <Money amount={money(1_248_050n, 'EUR')} size="step" />
      </p>
      <p className="title-1">Where do you live?</p>
      <p className="title-2">Check and confirm</p>
      <p className="title-3">What happens next</p>
      <p>Your funds are returned to the account they came from, once the regulator approves.</p>
      <p className="size-14 muted">We write to you when it has arrived.</p>
      <p className="section-name">Section · status · command</p>
      <p className="size-14">Auszahlungsbestätigung, Verifizierungsunterlagen, Kontoführungsgebühr, Łódź, Žilina</p>
    </Part>
  )
}

function Amounts() {
  const rows = [
    ['Amount', 1_248_050n],
    ['Out', -120_000n],
    ['Nothing', 0n],
    ['Not known yet', null],
  ] as const
  return (
    <Part title="Money">
      <Table
        caption="Amounts"
        columns={[
          { head: 'Form', cell: (row: (typeof rows)[number]) => row[0] },
          {
            head: 'Amount',
            align: 'right',
            cell: (row) => <Money amount={row[1] === null ? null : money(row[1], 'EUR')} />,
          },
        ]}
        rows={rows}
        rowKey={(row) => row[0]}
        foot={['Total: rule above, double rule below', <Money key="t" amount={money(1_128_050n, 'EUR')} />]}
      />
    </Part>
  )
}

function States() {
  return (
    <Part title="Status">
      <ul className="kit-states">
        {statusNames.map((state) => (
          <li key={state}>
            <StatusBadge record="transfer" state={state} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Empties() {
  return (
    <div className="sheet">
      <EmptyState
        icon={<IconTransferIn aria-hidden="true" />}
        title="No deposits yet"
        action={<Button kind="primary">Fund now</Button>}
      >
        Deposits appear here as soon as you ask for one, with everything that happens to them.
      </EmptyState>
    </div>
  )
}

function Failures() {
  return (
    <div className="sheet">
      <ErrorPanel
        title="Payment failed!"
        failure={
          new ApiError({
            status: 422,
            code: 'declined',
            texts: () =>
              serverTexts(
                'Your bank declined the card. Nothing was charged. Please try again, or pay by bank transfer.',
              ),
            reference: '7F2K-91',
          })
        }
        onRetry={() => undefined}
      />
    </div>
  )
}

function Waiting() {
  return (
    <Part title="Waiting">
      <div className="sheet padded-4 row between">
        <b className="strong">Main account</b>
        <Skeleton width={110} height={24} />
        <Skeleton width={84} height={16} />
      </div>
    </Part>
  )
}

function Colours() {
  const tokens = [
    'page',
    'surface',
    'sunken',
    'line',
    'control',
    'text-3',
    'text-2',
    'text',
    'brand-tint',
    'brand-tint-2',
    'brand-line',
    'brand',
    'brand-hover',
    'ink',
    'ok',
    'wait',
    'bad',
    'run',
    'ok-tint',
    'wait-tint',
    'bad-tint',
    'run-tint',
  ]
  return (
    <Part title="Colour">
      <div className="kit-colours">
        {tokens.map((token) => (
          <div key={token} className="size-12">
            <i style={{ background: `var(--${token})` }} />
            {token}
          </div>
        ))}
      </div>
    </Part>
  )
}
