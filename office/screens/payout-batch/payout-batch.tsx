import { IconFileDownload } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getPayoutBatch, payoutFile, type PayoutBatch } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { Money } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { saveFile } from '#ui/api/upload.ts'
import { UserText } from '#ui/text/user-text.tsx'
import { RecordSection, RecordScreen } from '../../decision/record-parts.tsx'
import { AmountPage } from '../../decision/record-page.tsx'
import { useDecision } from '../../decision/deciding.tsx'
import { showFailure } from '../../records/show-failure.ts'
import { useMayDo } from '../../session.ts'
import { useBatchDecisions, WhatHappens } from './batch-decisions.tsx'
import { CutOff } from '../payout-batches/ready-payouts.tsx'
import { BatchPayments } from './batch-payments.tsx'
import { BatchStatus } from './batch-status.tsx'
import { BatchTrack } from './batch-track.tsx'
import { BeforeRelease } from './before-release.tsx'

/** One payout batch: who created, released and confirmed it, its payments, and the content of its file. */
export default function PayoutBatchScreen({ params }: ScreenProps) {
  const id = params['id'] ?? ''
  const read = useEndpoint(getPayoutBatch, { id })
  return <RecordScreen read={read}>{({ batch }) => <Page key={id} batch={batch} />}</RecordScreen>
}

function Page({ batch }: { batch: PayoutBatch }) {
  const deciding = useDecision('payout_batch', officePaths.payoutBatches, () => true)
  const [typed, setTyped] = useState('')
  const decisions = useBatchDecisions(batch, typed)
  const amount = { minor: batch.draft?.total ?? batch.total, currency: batch.currency }
  return (
    <AmountPage
      kind="payout_batch"
      record={batch}
      section={
        <>
          <Trans>Payout batch</Trans> · {batch.number}
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
      sentence={<WhatHappens batch={batch} />}
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
        <Alert kind="bad" title={<Trans>No active person can release this batch</Trans>}>
          <Trans>
            This needs a finance supervisor or an administrator who did not create the batch and approved none of its
            payments. Void the batch, or ask an administrator to add a person or change the setting.
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
          <Trans>They are not included in the file. You can add them to another batch later.</Trans>
        </Alert>
      )}
    </>
  )
}

function FileFacts({ batch }: { batch: PayoutBatch }) {
  const { t } = useLingui()
  const maySave = useMayDo('savePayoutFile')
  const hash = batch.draft?.sha256 ?? batch.sha256
  const rows: (DescriptionRow | false)[] = [
    { key: t`Payments`, value: <span className="numbers">{batch.draft?.count ?? batch.count}</span> },
    {
      key: t`Total`,
      value: <Money amount={{ minor: batch.draft?.total ?? batch.total, currency: batch.currency }} />,
    },
    hash !== null && { key: t`SHA-256`, value: <code className="batch-hash">{hash}</code> },
    batch.fileName !== null && { key: t`File`, value: <span className="numbers">{batch.fileName}</span> },
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
