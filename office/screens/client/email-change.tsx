import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { getClientEvents, getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { askEmailChange } from '#contract/office/profile-changes.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { Notice } from '#ui/feedback/alert.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { DeedDialog } from '../../records/action-dialog.tsx'

interface EmailChangeProps {
  client: OfficeClient
}

const hidden: readonly string[] = ['wrong-role', 'erased-already']

function deedOf({ deeds }: OfficeClient) {
  return deeds.find(({ deed, refusal }) => deed === 'askEmailChange' && !hidden.includes(refusal?.code ?? ''))
}

/** Whether the reader's role asks for another address of this client, be it now or after the right answer. */
export function mayAskForEmail(client: OfficeClient): boolean {
  return deedOf(client) !== undefined
}

/** The way out for a client who is not reached any more: asked for here, decided among the profile changes by another. */
export function EmailChange({ client }: EmailChangeProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const deed = deedOf(client)
  if (!deed) return null
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        <Trans>Change…</Trans>
        <span className="unseen"> {t`E-mail`}</span>
      </button>
      {open &&
        (deed.refusal ? <NotYet why={deed.refusal.text} onClose={close} /> : <Ask client={client} onClose={close} />)}
    </>
  )
}

function NotYet({ why, onClose }: { why: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      title={<Trans>Another e-mail address</Trans>}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          <Trans>Back</Trans>
        </Button>
      }
    >
      <Notice kind="wait">{why}</Notice>
    </Dialog>
  )
}

function Ask({ client, onClose }: EmailChangeProps & { onClose: () => void }) {
  const { t } = useLingui()
  const [email, setEmail] = useState('')
  const { name, email: now } = client.client
  return (
    <DeedDialog
      endpoint={askEmailChange}
      input={(reason) => ({ id: client.id, email, reason })}
      refreshes={[getOfficeClient, getClientEvents, listInbox]}
      done={t`Another person decides on it now.`}
      fields={['email']}
      title={<Trans>Ask for another e-mail address of {name}</Trans>}
      command={<Trans context="another person decides">Ask</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            <Trans>
              Write how you know who asks. A mail tells {now} at once; another person decides, and a link in a mail to
              the new address puts it in force. All sessions end then.
            </Trans>
          </p>
          <TextField
            label={t`New address`}
            type="email"
            autoComplete="off"
            error={errors['email']}
            value={email}
            maxLength={254}
            onChange={(event) => setEmail(event.target.value)}
          />
        </>
      )}
    </DeedDialog>
  )
}
