/** Dialogs, drawers and a timeline in the gallery. */
import { useState } from 'react'
import { money } from '#rules/money.ts'
import { Button } from '../forms/button.tsx'
import { Dialog, Drawer } from '../overlays/dialog.tsx'
import { Accordion } from '../data/disclosure.tsx'
import { FirmNotice } from '../feedback/firm-notice.tsx'
import { DescriptionList } from '../data/description-list.tsx'
import { Money } from '../money/money.tsx'
import { StatusBadge } from '../data/status-badge.tsx'
import { Time } from '../text/time.tsx'
import { Timeline } from '../data/timeline.tsx'
import { Part } from './part.tsx'

export function Dialogs() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | null>(null)
  return (
    <Part title="Floating">
      <div className="row wrap">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Open drawer</Button>
      </div>
      <Dialog
        title="Missing Bank Details"
        isOpen={open === 'dialog'}
        onClose={() => setOpen(null)}
        actions={
          <>
            <Button kind="quiet" onClick={() => setOpen(null)}>
              Not now
            </Button>
            <Button kind="primary">Add bank</Button>
          </>
        }
      >
        <p className="muted">
          We can only send money to a bank account in your name that we have checked. You have none in GBP yet.
        </p>
      </Dialog>
      <Drawer
        title="Deposit"
        isOpen={open === 'drawer'}
        onClose={() => setOpen(null)}
        head={
          <>
            <StatusBadge record="transfer" state="approved" />
            <p>
              <Money amount={money(25_000n, 'EUR')} size="figure" />
            </p>
            <p className="muted size-14">Deposit by card to 5012 4471</p>
          </>
        }
        actions={<Button size="small">Receipt</Button>}
      >
        <div className="stack-6">
          <h3>What happened</h3>
          <Story />
          <DescriptionList
            rows={[
              { key: 'Reference', value: 'CR 51PN 08TA' },
              { key: 'Leverage', value: '1:100' },
            ]}
          />
        </div>
      </Drawer>
      <FirmNotice
        notice={{
          title: 'We will cease trading and leave financial services',
          lines: [],
          dates: [
            { when: 'Before 5 July', what: 'Please close your open positions yourself.' },
            { when: '5 July, 3pm', what: 'Positions that are still open are closed automatically.' },
          ],
        }}
      />
      <Accordion
        initial="a"
        sections={[
          { key: 'a', title: 'Personal details', children: 'Name, address' },
          {
            key: 'b',
            title: 'Trading experience',
            end: <StatusBadge record="transfer" state="pending" />,
            children: 'Experience',
          },
        ]}
      />
    </Part>
  )
}

function Story() {
  const at = new Date('2026-06-12T14:03:21Z')
  return (
    <Timeline
      entries={[
        { mark: 'approved', title: 'Added to your account', time: <Time at={at} form="history" /> },
        { mark: 'approved', title: 'Paid by card', text: 'Visa debit, ending 4406.', time: <Time at={at} /> },
        { title: 'We send it to your bank' },
      ]}
    />
  )
}
