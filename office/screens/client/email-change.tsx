import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { clientAction, getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { requestEmailChange } from '#contract/office/profile-changes.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

interface EmailChangeProps {
  client: OfficeClient
}

const hidden: readonly string[] = ['wrong-role', 'erased-already']

function actionOf(client: OfficeClient) {
  const action = clientAction(client, 'askEmailChange')
  return hidden.includes(action?.refusal?.code ?? '') ? undefined : action
}

/**
 * Returns whether the reader's role may request another address for this client, now or after a correct security
 * answer.
 */
export function canRequestEmailChange(client: OfficeClient): boolean {
  return actionOf(client) !== undefined
}

/**
 * A new address for a client who cannot be reached: requested here, decided by another person among the profile
 * changes.
 */
export function EmailChange({ client }: EmailChangeProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const action = actionOf(client)
  if (!action) return null
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        <Trans>Change…</Trans>
        <span className="unseen"> {t`Email`}</span>
      </button>
      {open &&
        (action.refusal ? (
          <BlockedDialog why={action.refusal.text} onClose={close} />
        ) : (
          <RequestDialog client={client} onClose={close} />
        ))}
    </>
  )
}

function BlockedDialog({ why, onClose }: { why: string; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog
      title={<Trans>Email change</Trans>}
      onClose={onClose}
      actions={<Button kind="primary" onClick={onClose}>{t`Back`}</Button>}
    >
      <Alert kind="wait">{why}</Alert>
    </Dialog>
  )
}

function RequestDialog({ client, onClose }: EmailChangeProps & { onClose: () => void }) {
  const { t } = useLingui()
  const [email, setEmail] = useState('')
  const { name, email: now } = client.client
  return (
    <ActionDialog
      endpoint={requestEmailChange}
      input={(reason) => ({ id: client.id, email, reason })}
      refreshes={[getOfficeClient, getClientEvents, listInbox]}
      done={t`Another person must approve the request.`}
      fields={['email']}
      title={<Trans>Request an email change for {name}</Trans>}
      command={<Trans context="another person decides">Request</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            <Trans>
              Explain how you verified the client’s identity. We notify {now} immediately. Another person must approve.
              The client then confirms the new address with a link. All sessions end.
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
    </ActionDialog>
  )
}
