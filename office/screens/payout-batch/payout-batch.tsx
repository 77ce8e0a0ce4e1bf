import { IconFileDownload } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getPayoutBatch, payoutFile, type PayoutBatch } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { Money } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { saveFile } from '#ui/api/upload.ts'
import { UserText } from '#ui/text/user-text.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Codes } from '#ui/text/codes.tsx'
import { recordScreen } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { AmountPage } from '../../decision/record-page.tsx'
import { useDecision } from '../../decision/decision.tsx'
import { showFailure } from '../../records/show-failure.ts'
import { useCanDo } from '../../session.ts'
import { useBatchDecisions, BatchDecisionEffect } from './batch-decisions.tsx'
import { CutOff } from '../payout-batches/ready-payouts.tsx'
import { BatchStatus } from './batch-status.tsx'
import { BatchTrack } from './batch-track.tsx'
import { BeforeRelease } from './before-release.tsx'

/** One payout batch: who created, released and confirmed it, its payments, and the content of its file. */
export default recordScreen(getPayoutBatch, ({ batch }) => <Page batch={batch} />)

function Page({ batch }: { batch: PayoutBatch }) {
  const deciding = useDecision('payout_batch', officePaths.payoutBatches, () => true)
  const [typed, setTyped] = useState('')
  const decisions = useBatchDecisions(batch, typed)
  const amount = { minor: batch.draft?.total ?? batch.total, currency: batch.currency }
  return (
    <AmountPage
      kind="payout_batch"
      // A void request shows its reason beside the person who gives it.
      record={batch.voidRequest ? { ...batch, reason: null } : batch}
      section={
        <>
          <Trans>Payout batch</Trans> · <Codes>{batch.number}</Codes>
        </>
      }
      amount={amount}
      status={
        <>
          {batch.cutOff && (
            <span className="muted">
              <CutOff at={batch.cutOff} />
            </span>
          )}
          <BatchStatus state={batch.state} />
        </>
      }
      deciding={deciding}
      decisions={decisions}
      sentence={<BatchDecisionEffect batch={batch} />}
      side={
        <>
          {batch.draft && <BeforeRelease batch={batch} typed={typed} onTyped={setTyped} />}
          <FileFacts batch={batch} />
        </>
      }
    >
      <BatchTrack batch={batch} />
      <Notices batch={batch} />
      <BatchPayments batch={batch} />
    </AmountPage>
  )
}

function Notices({ batch }: { batch: PayoutBatch }) {
  const { voidRequest, nobodyCanRelease, draft } = batch
  const out = draft ? batch.payments.filter(({ inFile }) => !inFile).length : 0
  return (
    <>
      {nobodyCanRelease && (
        <Alert kind="bad" title={<Trans>No active staff member can release this batch</Trans>}>
          <Trans>
            This needs a finance supervisor or an administrator who did not create the batch and neither entered nor
            approved any of its payments. Void the batch, or ask an administrator to add a person or change the setting.
          </Trans>
        </Alert>
      )}
      {voidRequest && (
        <Alert
          kind="wait"
          title={<Trans>{voidRequest.by.name} states that the bank executed none of the payments</Trans>}
        >
          <UserText>{voidRequest.reason}</UserText>
        </Alert>
      )}
      {out > 0 && (
        <Alert
          kind="wait"
          title={
            <Plural value={out} one="# payment cannot be paid out now" other="# payments cannot be paid out now" />
          }
        >
          <Plural
            value={out}
            one="It is not included in the file. You can add it to another batch later."
            other="They are not included in the file. You can add them to another batch later."
          />
        </Alert>
      )}
    </>
  )
}

function FileFacts({ batch }: { batch: PayoutBatch }) {
  const { t } = useLingui()
  const maySave = useCanDo('savePayoutFile')
  const hash = batch.draft?.sha256 ?? batch.sha256
  const rows: (DescriptionRow | false)[] = [
    { key: t`Payments`, value: <span className="numbers">{batch.draft?.count ?? batch.count}</span> },
    {
      key: t`Total`,
      value: <Money amount={{ minor: batch.draft?.total ?? batch.total, currency: batch.currency }} />,
    },
    hash !== null && { key: t`SHA-256`, value: <code className="batch-hash">{hash}</code> },
    batch.fileName !== null && {
      key: t`File`,
      value: (
        <span className="numbers">
          <Codes>{batch.fileName}</Codes>
        </span>
      ),
    },
  ]
  return (
    <RecordSection title={<Trans>Payout file</Trans>}>
      <div className="stack-2">
        <DescriptionList rows={rows} />
        {batch.fileName !== null && maySave && (
          <Button
            size="small"
            icon={<IconFileDownload className="small" aria-hidden="true" />}
            onClick={() => savePayoutFile(batch.id, batch.fileName ?? '')}
          >
            <Trans>Download payout file</Trans>
          </Button>
        )}
        {batch.draft && <p className="muted">{t`The file is created when the batch is released.`}</p>}
      </div>
    </RecordSection>
  )
}

/** Downloads the file, whose bytes are the same each time. */
function savePayoutFile(id: string, name: string): void {
  saveFile(payoutFile.path.replace(':id', encodeURIComponent(id)), name).catch(showFailure)
}

type Payment = PayoutBatch['payments'][number]

/** Returns whether a payment needs attention: left out of the file, or returned. */
function needsAttention({ blocks, state }: Payment): boolean {
  return blocks.length > 0 || state === 'returned'
}

/** The payments of a batch with their bank accounts and their total. */
function BatchPayments({ batch }: { batch: PayoutBatch }) {
  const { t } = useLingui()
  const { currency, payments, draft } = batch
  const count = draft?.count ?? batch.count
  const columns = useColumns(batch)
  const returned = payments.filter(({ state }) => state === 'returned').length
  const paid = payments.filter(({ state }) => state === 'paid').length
  return (
    <section className="batch-payments">
      <div className="batch-payments-head">
        <h2 className="title-3">
          <Trans>Payments</Trans> <span className="muted numbers">{payments.length}</span>
        </h2>
        {returned > 0 && (
          <p className="numbers">
            <span className="tone-bad">{t`${returned} returned`}</span>
            <span className="tone-ok">{t`${paid} paid`}</span>
          </p>
        )}
      </div>
      <Table
        caption={t`Payments of ${batch.number}`}
        columns={columns}
        rows={payments.toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)))}
        rowKey={({ id }) => id}
        rowHref={({ id }) => officePaths.withdrawal(id)}
        rowTone={(payment) => (needsAttention(payment) ? 'bad' : undefined)}
        foot={[
          <Trans key="total">
            Total, <Plural value={count} one="# payment" other="# payments" />
          </Trans>,
          '',
          '',
          <Money key="sum" amount={{ minor: draft?.total ?? batch.total, currency }} />,
          '',
        ]}
      />
    </section>
  )
}

function useColumns({ currency, draft }: PayoutBatch): Column<Payment>[] {
  const { t } = useLingui()
  return [
    {
      head: t`Withdrawal`,
      phone: 'time',
      cell: ({ reference, iban, accountNumber }) => (
        <span className="numbers">
          <span className="strong unbroken">{reference}</span>
          <span className="batch-ending">
            {' · '}
            <Trans>ending {(iban ?? accountNumber ?? '').slice(-4)}</Trans>
          </span>
        </span>
      ),
    },
    { head: t`Client`, phone: 'title', cell: (payment) => <Payee payment={payment} /> },
    {
      head: t`Bank account`,
      cell: ({ iban, accountNumber }) => <span className="numbers">{groupedByFour(iban ?? accountNumber ?? '–')}</span>,
    },
    {
      head: currency,
      align: 'right',
      phone: 'figure',
      cell: ({ amount }) => <Money amount={{ minor: amount, currency }} />,
    },
    {
      head: draft ? t`Approved` : t`Status`,
      phone: 'status',
      cell: ({ state, approvals, blocks }) =>
        blocks.length > 0 ? (
          <span className="tone-bad">{blocks.map(({ text }) => text).join(' ')}</span>
        ) : draft ? (
          <span className="muted">
            <Plural value={approvals} one="# approval" other="# approvals" />
          </span>
        ) : (
          <StatusBadge record="withdrawal" state={state} />
        ),
    },
  ]
}

/** The client, and the holder of the bank account if the names differ. */
function Payee({ payment: { client, holder } }: { payment: Payment }) {
  return (
    <span className="queue-client">
      {client.name}
      {holder !== client.name && <small>{holder}</small>}
    </span>
  )
}
