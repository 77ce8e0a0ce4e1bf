import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { approveClient, rejectClient } from '#contract/office/client-decisions.ts'
import { getOfficeClient, searchClients, type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import type { Decided } from '#contract/office/decisions.ts'
import { officePaths } from '#contract/office-paths.ts'
import { rejectionReasons } from '#contract/office/rejection-reasons.ts'
import { Button } from '#ui/forms/button.tsx'
import { useItemKeyGuard } from '#ui/navigation/item-key-guard.ts'
import { useShortcuts } from '#ui/navigation/keyboard-shortcuts.ts'
import { DecisionBar } from '#ui/layout/office-page.tsx'
import type { Acknowledging } from '../../decision/decision.tsx'
import { useActionFromUrl } from '../../decision/use-action-from-url.ts'
import { ActionDialog } from '../../records/action-dialog.tsx'

const refreshes = [getOfficeClient, getClientEvents, searchClients]

type Step = 'approve' | 'reject'

/**
 * The approval of a client: identity, address, risk and screening above one button. The next client opens immediately.
 * A confirmation stays open with its texts if a colleague decides meanwhile; sending it then reports the decision.
 */
export function ApprovalBar({ client, acknowledging }: { client: OfficeClient; acknowledging: Acknowledging }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<Step | null>(null)
  const close = () => setOpen(null)
  const { name } = client.client
  const openNextClient = ({ nextItem }: Decided) => nextItem && navigate(officePaths.client(nextItem.id))
  const andNext = (said: string) => (answer: Decided) => (answer.nextItem ? t`${said} Next client opened.` : said)
  return (
    <>
      {client.state === 'pending' && <Buttons client={client} acknowledging={acknowledging} onOpen={setOpen} />}
      {open === 'approve' && (
        <ActionDialog
          endpoint={approveClient}
          input={(note) => ({ id: client.id, version: client.version, note, acknowledged: acknowledging.names })}
          refreshes={refreshes}
          done={andNext(t`${name} has been approved.`)}
          onDone={openNextClient}
          title={<Trans>Approve {name}</Trans>}
          command={<Trans>Approve</Trans>}
          reason={acknowledging.of.words === 'acknowledgement' ? 'log' : 'optional'}
          onClose={close}
        >
          <p>{t`The client gets immediate access to the portal and an email.`}</p>
        </ActionDialog>
      )}
      {open === 'reject' && (
        <ActionDialog
          endpoint={rejectClient}
          input={(reason, clientReason) => ({
            id: client.id,
            version: client.version,
            reason,
            ...(clientReason ? { clientReason } : {}),
          })}
          refreshes={refreshes}
          done={andNext(t`${name} has been rejected.`)}
          onDone={openNextClient}
          title={<Trans>Reject {name}</Trans>}
          command={<Trans>Reject</Trans>}
          kind="danger"
          reader={client.client}
          readyReasons={rejectionReasons.client ?? []}
          twoTexts={{ kind: 'client' }}
          onClose={close}
        >
          <p>{t`The application is closed. The client gets an email with the text below.`}</p>
        </ActionDialog>
      )}
    </>
  )
}

interface ButtonsProps {
  client: OfficeClient
  acknowledging: Acknowledging
  onOpen: (step: Step) => void
}

function Buttons({ client, acknowledging, onOpen }: ButtonsProps) {
  const { t } = useLingui()
  const refusalOf = (verb: string) => client.verbs.find((one) => one.verb === verb)?.refusal ?? null
  const [noApprove, noReject] = [refusalOf('approve'), refusalOf('reject')]
  const { notYet } = acknowledging.of
  const isReady = !noApprove && notYet === undefined
  useItemKeyGuard(client.id)
  useShortcuts({
    a: isReady ? () => onOpen('approve') : undefined,
    r: noReject ? undefined : () => onOpen('reject'),
  })
  useActionFromUrl((key) => {
    if (key === 'a' && isReady) onOpen('approve')
    if (key === 'r' && !noReject) onOpen('reject')
  })
  if (noApprove?.code === 'wrong-role')
    return <DecisionBar sentence={<Trans>A compliance officer decides on new clients.</Trans>}>{null}</DecisionBar>
  return (
    <DecisionBar
      sentence={
        noApprove ? (
          noApprove.text
        ) : (
          <Trans>
            Approval gives the client access to the portal. It also requests the account chosen at registration. The
            client gets an email.
          </Trans>
        )
      }
    >
      {!noReject && <Button kind="danger" keyHint="r" onClick={() => onOpen('reject')}>{t`Reject…`}</Button>}
      {!noApprove && (
        <Button kind="primary" keyHint="a" disabledReason={notYet} onClick={() => onOpen('approve')}>
          <Trans context="client">Approve…</Trans>
        </Button>
      )}
    </DecisionBar>
  )
}
