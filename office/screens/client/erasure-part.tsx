import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getClientEvents, getOfficeClient, type OfficeClient, searchClients } from '#contract/office/clients.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { approveErasure, askErasure, cancelErasure, rejectErasure } from '#contract/office/retention.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { RadioTiles } from '#ui/radio-tiles.tsx'
import { Time } from '#ui/time.tsx'
import { DeedDialog } from '../../records/deed-dialog.tsx'
import { useForgottenText } from '../../records/forgotten-words.ts'

const refreshes = [getOfficeClient, getClientEvents, searchClients, listInbox]
type Erasure = NonNullable<OfficeClient['erasure']>

/** A wish for erasure and what became of it; nothing where nobody ever asked. */
export function ErasurePart({ client }: { client: OfficeClient }) {
  const { erasure } = client
  if (!erasure || erasure.state === 'rejected' || erasure.state === 'cancelled') return null
  if (erasure.state === 'pending') return <Waiting client={client} erasure={erasure} />
  return <Erased erasure={erasure} erasedAt={client.erasedAt} />
}

function Erased({ erasure, erasedAt }: { erasure: Erasure; erasedAt: Date | null }) {
  const text = useForgottenText()
  const what = text(erasure.erased)
  const { keptUntil } = erasure
  return (
    <Notice
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
    </Notice>
  )
}

function Waiting({ client, erasure }: { client: OfficeClient; erasure: Erasure }) {
  const [open, setOpen] = useState<'approve' | 'reject' | 'cancel' | null>(null)
  const may = (name: string) => erasure.verbs.some(({ verb, refusal }) => verb === name && refusal === null)
  const why = erasure.verbs.find(({ verb }) => verb === 'approve')?.refusal
  const asker = erasure.askedBy?.name ?? '–'
  return (
    <section className="sheet padded stack">
      <Notice kind="wait" title={<Trans>Erasure asked for</Trans>}>
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
        {why && why.code !== 'wrong-role' && <p className="muted">{why.text}</p>}
      </Notice>
      <div className="row wrap">
        {may('cancel') && (
          <Button onClick={() => setOpen('cancel')}>
            <Trans>Take back…</Trans>
          </Button>
        )}
        {may('reject') && (
          <Button onClick={() => setOpen('reject')}>
            <Trans>Refuse…</Trans>
          </Button>
        )}
        {may('approve') && (
          <Button kind="danger" onClick={() => setOpen('approve')}>
            <Trans>Erase…</Trans>
          </Button>
        )}
      </div>
      {open && <Decision verb={open} client={client} erasure={erasure} onClose={() => setOpen(null)} />}
    </section>
  )
}

interface DecisionProps {
  verb: 'approve' | 'reject' | 'cancel'
  client: OfficeClient
  erasure: Erasure
  onClose: () => void
}

function Decision({ verb, client, erasure, onClose }: DecisionProps) {
  const { t } = useLingui()
  const { name } = client.client
  const { version } = erasure
  const { id } = client
  if (verb === 'cancel')
    return (
      <DeedDialog
        endpoint={cancelErasure}
        input={(note) => ({ id, version, note })}
        refreshes={refreshes}
        done={t`The wish is taken back.`}
        title={<Trans>Take the wish back</Trans>}
        command={<Trans>Take back</Trans>}
        reason="optional"
        onClose={onClose}
      />
    )
  if (verb === 'reject')
    return (
      <DeedDialog
        endpoint={rejectErasure}
        input={(reason) => ({ id, version, reason })}
        refreshes={refreshes}
        done={t`The erasure is refused.`}
        title={<Trans>Refuse the erasure</Trans>}
        command={<Trans>Refuse</Trans>}
        onClose={onClose}
      />
    )
  return (
    <DeedDialog
      endpoint={approveErasure}
      input={(note) => ({ id, version, note })}
      refreshes={refreshes}
      done={t`The erasure is approved.`}
      title={<Trans>Erase {name}</Trans>}
      command={<Trans>Erase</Trans>}
      kind="danger"
      reason="optional"
      onClose={onClose}
    >
      <p>
        {erasure.keptUntil && erasure.keptUntil > new Date() ? (
          <Trans>
            Ways in, notices and unused files go now. The legal record goes by itself after{' '}
            <Time at={erasure.keptUntil} form="day" />. It cannot be taken back.
          </Trans>
        ) : (
          <Trans>
            Name, address, documents, mails and bank details go now. Money and audit log stay. It cannot be taken back.
          </Trans>
        )}
      </p>
    </DeedDialog>
  )
}

/** Asks for it; another person decides. */
export function AskErasureDialog({ client, onClose }: { client: OfficeClient; onClose: () => void }) {
  const { t } = useLingui()
  const [askedFor, setAskedFor] = useState<'client' | 'firm'>('client')
  const { name } = client.client
  return (
    <DeedDialog
      endpoint={askErasure}
      input={(reason) => ({ id: client.id, askedFor, reason })}
      refreshes={refreshes}
      done={t`Another person decides on the erasure now.`}
      title={<Trans>Ask for the erasure of {name}</Trans>}
      command={<Trans>Ask</Trans>}
      onClose={onClose}
    >
      <p>
        <Trans>What the law wants kept stays until its time is over. Another person decides.</Trans>
      </p>
      <RadioTiles
        label={t`Who wishes it`}
        value={askedFor}
        onValue={setAskedFor}
        tiles={[
          { value: 'client', label: t`The client` },
          { value: 'firm', label: t`The firm` },
        ]}
      />
    </DeedDialog>
  )
}
