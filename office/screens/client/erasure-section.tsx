import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getOfficeClient, type OfficeClient, searchClients } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { approveErasure, requestErasure, cancelErasure, rejectErasure } from '#contract/office/retention.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { Time } from '#ui/text/time.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { usePurgedText } from '../../records/purge-labels.ts'
import { SecondApproval } from '../../records/second-approval.tsx'

const refreshes = [getOfficeClient, getClientEvents, searchClients, listInbox]
type Erasure = NonNullable<OfficeClient['erasure']>

/** Shows the erasure request and its outcome, if there is one. */
export function ErasureSection({ client }: { client: OfficeClient }) {
  const { erasure } = client
  if (!erasure || erasure.state === 'rejected' || erasure.state === 'cancelled') return null
  if (erasure.state === 'pending') return <PendingErasure client={client} erasure={erasure} />
  return <CompletedErasure erasure={erasure} erasedAt={client.erasedAt} />
}

function CompletedErasure({ erasure, erasedAt }: { erasure: Erasure; erasedAt: Date | null }) {
  const { t } = useLingui()
  const text = usePurgedText()
  const what = text(erasure.erased)
  const { keptUntil } = erasure
  return (
    <Alert
      kind="plain"
      title={
        erasedAt ? (
          <Trans>
            Erased on <Time at={erasedAt} form="day" />
          </Trans>
        ) : (
          <Trans>Erased to the extent allowed by law</Trans>
        )
      }
    >
      {what && <p>{t`Removed: ${what}.`}</p>}
      <p>
        {erasedAt ? (
          <Trans>Payments, requests and the audit log are kept under the client number only.</Trans>
        ) : (
          keptUntil && (
            <Trans>
              Identity, documents, emails and bank details must be kept until <Time at={keptUntil} form="day" />. They
              are then deleted automatically.
            </Trans>
          )
        )}
      </p>
    </Alert>
  )
}

function PendingErasure({ client, erasure }: { client: OfficeClient; erasure: Erasure }) {
  const { t } = useLingui()
  const asker = erasure.askedBy?.name ?? '–'
  const { name } = client.client
  return (
    <section className="sheet padded stack">
      <Alert kind="wait" title={<Trans>Erasure requested</Trans>}>
        <p>
          {erasure.askedFor === 'client' ? (
            <Trans>
              Requested by {asker} on the client’s behalf on <Time at={erasure.askedAt} />: {erasure.reason}
            </Trans>
          ) : (
            <Trans>
              Requested by {asker} on the firm’s behalf on <Time at={erasure.askedAt} />: {erasure.reason}
            </Trans>
          )}
        </p>
      </Alert>
      <SecondApproval
        proposal={{ id: client.id, version: erasure.version }}
        verbs={erasure.verbs}
        approve={approveErasure}
        reject={rejectErasure}
        cancel={cancelErasure}
        refreshes={refreshes}
        words={{
          approve: {
            command: t`Erase`,
            title: t`Erase ${name}`,
            done: t`The erasure has been approved.`,
            look: <ErasureScope keptUntil={erasure.keptUntil} />,
          },
          reject: { command: t`Reject`, title: t`Reject erasure`, done: t`The erasure has been rejected.` },
          cancel: {
            command: t`Cancel request`,
            title: t`Cancel erasure request`,
            done: t`The erasure request has been cancelled.`,
          },
        }}
        danger="approve"
      />
    </section>
  )
}

function ErasureScope({ keptUntil }: Pick<Erasure, 'keptUntil'>) {
  return (
    <p>
      {keptUntil && keptUntil > new Date() ? (
        <Trans>
          Login credentials, notifications and unused files are deleted now. The statutory record is deleted
          automatically after <Time at={keptUntil} form="day" />. You cannot undo this.
        </Trans>
      ) : (
        <Trans>
          Name, address, documents, emails and bank details are deleted now. Payments and the audit log are kept. You
          cannot undo this.
        </Trans>
      )}
    </p>
  )
}

/** Requests an erasure; another person decides. */
export function RequestErasureDialog({ client, onClose }: { client: OfficeClient; onClose: () => void }) {
  const { t } = useLingui()
  const [askedFor, setAskedFor] = useState<'client' | 'firm'>('client')
  const { name } = client.client
  return (
    <ActionDialog
      endpoint={requestErasure}
      input={(reason) => ({ id: client.id, askedFor, reason })}
      refreshes={refreshes}
      done={t`Another person must approve the erasure.`}
      title={<Trans>Request the erasure of {name}</Trans>}
      command={<Trans context="another person decides">Request</Trans>}
      onClose={onClose}
    >
      <p>{t`Data under a statutory retention period is kept until the period ends. Another person must approve.`}</p>
      <RadioCards
        label={t`Requested by`}
        value={askedFor}
        onValue={setAskedFor}
        tiles={[
          { value: 'client', label: t`The client` },
          { value: 'firm', label: t`The firm` },
        ]}
      />
    </ActionDialog>
  )
}
