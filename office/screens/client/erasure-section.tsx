import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getClientEvents, getOfficeClient, type OfficeClient, searchClients } from '#contract/office/clients.ts'
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

/** A wish for erasure and what became of it; nothing where no one ever asked. */
export function ErasureSection({ client }: { client: OfficeClient }) {
  const { erasure } = client
  if (!erasure || erasure.state === 'rejected' || erasure.state === 'cancelled') return null
  if (erasure.state === 'pending') return <Waiting client={client} erasure={erasure} />
  return <Erased erasure={erasure} erasedAt={client.erasedAt} />
}

function Erased({ erasure, erasedAt }: { erasure: Erasure; erasedAt: Date | null }) {
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
          <Trans>Erased as far as the law allows</Trans>
        )
      }
    >
      {what && (
        <p>
          <Trans>Taken away: {what}.</Trans>
        </p>
      )}
      <p>
        {erasedAt ? (
          <Trans>Money, requests and the audit log stay, under the client number alone.</Trans>
        ) : (
          keptUntil && (
            <Trans>
              Identity, documents, mails and bank details must be kept until <Time at={keptUntil} form="day" />. Then
              they go by themselves.
            </Trans>
          )
        )}
      </p>
    </Alert>
  )
}

function Waiting({ client, erasure }: { client: OfficeClient; erasure: Erasure }) {
  const { t } = useLingui()
  const asker = erasure.askedBy?.name ?? '–'
  const { name } = client.client
  return (
    <section className="sheet padded stack">
      <Alert kind="wait" title={<Trans>Erasure asked for</Trans>}>
        <p>
          {erasure.askedFor === 'client' ? (
            <Trans>
              {asker} asked for it on the client’s wish, <Time at={erasure.askedAt} />: {erasure.reason}
            </Trans>
          ) : (
            <Trans>
              {asker} asked for it on the firm’s behalf, <Time at={erasure.askedAt} />: {erasure.reason}
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
            done: t`The erasure is approved.`,
            look: <WhatGoes keptUntil={erasure.keptUntil} />,
          },
          reject: { command: t`Refuse`, title: t`Refuse the erasure`, done: t`The erasure is refused.` },
          cancel: { command: t`Take back`, title: t`Take the wish back`, done: t`The wish is taken back.` },
        }}
        danger="approve"
      />
    </section>
  )
}

function WhatGoes({ keptUntil }: Pick<Erasure, 'keptUntil'>) {
  return (
    <p>
      {keptUntil && keptUntil > new Date() ? (
        <Trans>
          Ways in, notices and unused files go now. The legal record goes by itself after{' '}
          <Time at={keptUntil} form="day" />. It cannot be taken back.
        </Trans>
      ) : (
        <Trans>
          Name, address, documents, mails and bank details go now. Money and audit log stay. It cannot be taken back.
        </Trans>
      )}
    </p>
  )
}

/** Asks for it; another person decides. */
export function RequestErasureDialog({ client, onClose }: { client: OfficeClient; onClose: () => void }) {
  const { t } = useLingui()
  const [askedFor, setAskedFor] = useState<'client' | 'firm'>('client')
  const { name } = client.client
  return (
    <ActionDialog
      endpoint={requestErasure}
      input={(reason) => ({ id: client.id, askedFor, reason })}
      refreshes={refreshes}
      done={t`Another person decides on the erasure now.`}
      title={<Trans>Ask for the erasure of {name}</Trans>}
      command={<Trans context="another person decides">Ask</Trans>}
      onClose={onClose}
    >
      <p>
        <Trans>What the law wants kept stays until its time is over. Another person decides.</Trans>
      </p>
      <RadioCards
        label={t`Who wishes it`}
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
