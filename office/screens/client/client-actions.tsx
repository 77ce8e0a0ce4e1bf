import { useMutation } from '@tanstack/react-query'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import {
  closeClient,
  reactivateClient,
  sendResetLink,
  signOutClient,
  suspendClient,
} from '#contract/office/client-decisions.ts'
import { getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents, getClientLogins } from '#contract/office/client-tabs.ts'
import { requestSourceOfWealth } from '#contract/office/documents.ts'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { RequestErasureDialog } from './erasure-section.tsx'
import { LastBalanceDialog } from './last-balance-dialog.tsx'
import { HoldDialog } from './payment-hold.tsx'
import { evidenceBundle } from '#contract/office/records.ts'
import { saveFile } from '#ui/api/upload.ts'

export type ClientActionName =
  | 'signOut'
  | 'evidence'
  | 'suspend'
  | 'reactivate'
  | 'close'
  | 'reset'
  | 'wealth'
  | 'hold'
  | 'lastBalance'
  | 'erase'

interface ActionProps {
  client: OfficeClient
  onClose: () => void
}

const refreshes = [getOfficeClient, getClientEvents, getClientLogins]

/** The confirmation of an action on a client. */
export function ClientActionDialog({ action, ...rest }: ActionProps & { action: ClientActionName }) {
  const dialogs: Readonly<Record<ClientActionName, (props: ActionProps) => ReactNode>> = {
    signOut: SignOutDialog,
    evidence: EvidenceDialog,
    suspend: SuspendDialog,
    reactivate: ReactivateDialog,
    close: CloseDialog,
    reset: PasswordResetDialog,
    wealth: WealthDialog,
    hold: HoldDialog,
    lastBalance: LastBalanceDialog,
    erase: RequestErasureDialog,
  }
  const Chosen = dialogs[action]
  return <Chosen {...rest} />
}

function SignOutDialog({ client, onClose }: ActionProps) {
  const { t } = useLingui()
  const { name } = client.client
  return (
    <ActionDialog
      endpoint={signOutClient}
      input={(reason) => ({ id: client.id, reason })}
      refreshes={refreshes}
      done={t`${name} has been signed out everywhere.`}
      title={<Trans>Sign {name} out everywhere</Trans>}
      command={<Trans>Sign out</Trans>}
      onClose={onClose}
    >
      <p>
        <Plural
          value={client.security.openSessions}
          _0="No active sessions."
          one="Ends # active session."
          other="Ends # active sessions."
        />{' '}
        <Trans>The password does not change. The client can log in again.</Trans>
      </p>
    </ActionDialog>
  )
}

function EvidenceDialog({ client, onClose }: ActionProps) {
  const path = evidenceBundle.path.replace(':id', encodeURIComponent(client.id))
  const saving = useMutation({
    mutationFn: (reason: string) => saveFile(path, `client-${client.client.number}-evidence.zip`, { reason }),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={<Trans>Download evidence bundle</Trans>}
      command={<Trans>Download</Trans>}
      pending={saving.isPending}
      failure={saving.error}
      onClose={onClose}
      onConfirm={(reason) => saving.mutate(reason)}
    >
      <p>
        <Trans>
          A ZIP file with all events, documents and decisions for {client.client.name}. The download and your reason are
          logged.
        </Trans>
      </p>
    </ReasonDialog>
  )
}

function SuspendDialog({ client, onClose }: ActionProps) {
  const { t } = useLingui()
  const { name } = client.client
  return (
    <ActionDialog
      endpoint={suspendClient}
      input={(reason, clientReason = null) => ({ id: client.id, version: client.version, reason, clientReason })}
      refreshes={refreshes}
      done={t`${name} has been suspended.`}
      title={<Trans>Suspend {name}</Trans>}
      command={<Trans>Suspend</Trans>}
      kind="danger"
      reader={client.client}
      twoTexts={{ kind: 'suspension', none: t`No text: the client receives no email` }}
      onClose={onClose}
    >
      <p>{t`All sessions end and the client loses access to the portal. Funds and positions are not affected.`}</p>
    </ActionDialog>
  )
}

function ReactivateDialog({ client, onClose }: ActionProps) {
  const { t } = useLingui()
  const { name } = client.client
  return (
    <ActionDialog
      endpoint={reactivateClient}
      input={(reason) => ({ id: client.id, version: client.version, reason })}
      refreshes={refreshes}
      done={t`${name} has access to the portal again.`}
      title={<Trans>Reactivate {name}</Trans>}
      command={<Trans>Reactivate</Trans>}
      onClose={onClose}
    >
      <p>{t`The client gets access to the portal again and an email.`}</p>
    </ActionDialog>
  )
}

function CloseDialog({ client, onClose }: ActionProps) {
  const { t } = useLingui()
  const { name } = client.client
  const refusal = client.verbs.find(({ verb }) => verb === 'close')?.refusal
  if (refusal)
    return (
      <Dialog
        title={<Trans>Close the relationship with {name}</Trans>}
        onClose={onClose}
        actions={<Button kind="primary" onClick={onClose}>{t`Back`}</Button>}
      >
        <Alert kind="wait">{refusal.text}</Alert>
      </Dialog>
    )
  return (
    <ActionDialog
      endpoint={closeClient}
      input={(reason, clientReason) => ({
        id: client.id,
        version: client.version,
        reason,
        ...(clientReason ? { clientReason } : {}),
      })}
      refreshes={refreshes}
      done={t`The relationship with ${name} has been closed.`}
      title={<Trans>Close the relationship with {name}</Trans>}
      command={<Trans>Close relationship</Trans>}
      kind="danger"
      reader={client.client}
      twoTexts={{ kind: 'closure' }}
      onClose={onClose}
    >
      <p>{t`Possible only with no balance, pending requests or open discrepancies. You cannot undo this.`}</p>
    </ActionDialog>
  )
}

function PasswordResetDialog({ client, onClose }: ActionProps) {
  const { t } = useLingui()
  const { email } = client.client
  return (
    <ActionDialog
      endpoint={sendResetLink}
      input={() => ({ id: client.id })}
      refreshes={refreshes}
      done={t`We have sent a reset link to ${email}.`}
      title={<Trans>Send reset link</Trans>}
      command={<Trans>Send link</Trans>}
      reason="none"
      onClose={onClose}
    >
      <p>{t`We will send a reset link to ${email}. 2FA stays on.`}</p>
    </ActionDialog>
  )
}

function WealthDialog({ client, onClose }: ActionProps) {
  const { t } = useLingui()
  return (
    <ActionDialog
      endpoint={requestSourceOfWealth}
      input={(reason) => ({ id: client.id, reason })}
      refreshes={refreshes}
      done={t`The source of wealth has been requested from the client.`}
      title={<Trans>Request source of wealth</Trans>}
      command={<Trans>Request source of wealth</Trans>}
      reader={client.client}
      onClose={onClose}
    >
      <p>{t`The client gets an email and a new section under Documents in the portal.`}</p>
    </ActionDialog>
  )
}

/** Downloads the ZIP of a client; throws a Failure. */
