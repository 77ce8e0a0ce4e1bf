import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { approveClient, rejectClient } from '#contract/office/client-decisions.ts'
import { getClientEvents, getOfficeClient, searchClients, type OfficeClient } from '#contract/office/clients.ts'
import { Button } from '#ui/button.tsx'
import { useVerb } from '#ui/endpoint-query.ts'
import { useKeys } from '#ui/keys.ts'
import { DecisionBar } from '#ui/office-page.tsx'
import { tell } from '#ui/passing-notices.tsx'
import { ReasonDialog } from '../../records/reason-dialog.tsx'

const refreshes = [getOfficeClient, getClientEvents, searchClients]

/** The last approval: identity, address, risk and screening stand above, then one button. */
export function ApprovalBar({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const [open, setOpen] = useState<'approve' | 'reject' | null>(null)
  const close = () => setOpen(null)
  const { name } = client.client
  const approve = useVerb(approveClient, {
    refreshes,
    onDone: () => {
      tell(t`${name} is approved.`)
      close()
    },
  })
  const reject = useVerb(rejectClient, {
    refreshes,
    onDone: () => {
      tell(t`${name} is rejected.`)
      close()
    },
  })
  const refusalOf = (verb: string) => client.verbs.find((one) => one.verb === verb)?.refusal ?? null
  const [noApprove, noReject] = [refusalOf('approve'), refusalOf('reject')]
  useKeys({
    a: noApprove ? undefined : () => setOpen('approve'),
    r: noReject ? undefined : () => setOpen('reject'),
  })
  if (noApprove?.code === 'wrong-role')
    return <DecisionBar sentence={<Trans>A compliance officer decides on new clients.</Trans>}>{null}</DecisionBar>
  return (
    <>
      <DecisionBar
        sentence={
          noApprove ? (
            noApprove.text
          ) : (
            <Trans>Approving opens the portal, asks for the account of the registration, and mails the client.</Trans>
          )
        }
      >
        {!noReject && (
          <Button kind="danger" keyHint="r" onClick={() => setOpen('reject')}>
            <Trans>Reject…</Trans>
          </Button>
        )}
        {!noApprove && (
          <Button kind="primary" keyHint="a" onClick={() => setOpen('approve')}>
            <Trans>Approve…</Trans>
          </Button>
        )}
      </DecisionBar>
      {open === 'approve' && (
        <ReasonDialog
          title={<Trans>Approve {name}</Trans>}
          command={<Trans>Approve</Trans>}
          reason="optional"
          pending={approve.isPending}
          failure={approve.error}
          onClose={close}
          onConfirm={(note) => approve.mutate({ id: client.id, version: client.version, note })}
        >
          <p>
            <Trans>The portal opens at once and a mail says so.</Trans>
          </p>
        </ReasonDialog>
      )}
      {open === 'reject' && (
        <ReasonDialog
          title={<Trans>Reject {name}</Trans>}
          command={<Trans>Reject</Trans>}
          kind="danger"
          reason="client"
          pending={reject.isPending}
          failure={reject.error}
          onClose={close}
          onConfirm={(reason) => reject.mutate({ id: client.id, version: client.version, reason })}
        />
      )}
    </>
  )
}
