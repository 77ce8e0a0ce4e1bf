import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { VerbAnswer } from '#contract/office/decisions.ts'
import type { approveSettingChange, cancelSettingChange, rejectSettingChange } from '#contract/office/settings.ts'
import type { approveStaffChange, cancelStaffChange, rejectStaffChange } from '#contract/office/staff.ts'
import { Button } from '#ui/button.tsx'
import { DeedDialog } from './deed-dialog.tsx'

interface SecondApprovalProps {
  change: { readonly id: string; readonly version: number }
  /** What the server would refuse now; undefined until it is read, and nothing is offered before. */
  verbs: readonly VerbAnswer[] | undefined
  approve: typeof approveSettingChange | typeof approveStaffChange
  reject: typeof rejectSettingChange | typeof rejectStaffChange
  cancel: typeof cancelSettingChange | typeof cancelStaffChange
  refreshes: readonly Endpoint[]
  /** The matter of the approval, and what is said once it is given. */
  title: string
  approved: string
  /** What changes: shown in the last look. */
  children: ReactNode
}

/** The commands on a proposal that waits for a second administrator; never approved by the one who made it. */
export function SecondApproval({ verbs = [], ...decided }: SecondApprovalProps) {
  const [open, setOpen] = useState<'approve' | 'reject' | 'cancel' | null>(null)
  const may = (name: string) => verbs.some(({ verb, refusal }) => verb === name && refusal === null)
  const why = verbs.find(({ verb }) => verb === 'approve')?.refusal
  const dialog = { ...decided, onClose: () => setOpen(null) }
  return (
    <>
      {why && why.code !== 'wrong-role' && <p className="muted">{why.text}</p>}
      <div className="row wrap">
        {may('cancel') && (
          <Button onClick={() => setOpen('cancel')}>
            <Trans>Take back…</Trans>
          </Button>
        )}
        {may('reject') && (
          <Button kind="danger" onClick={() => setOpen('reject')}>
            <Trans>Reject…</Trans>
          </Button>
        )}
        {may('approve') && (
          <Button kind="primary" onClick={() => setOpen('approve')}>
            <Trans>Approve…</Trans>
          </Button>
        )}
      </div>
      {open === 'approve' && <ApproveDialog {...dialog} />}
      {open === 'reject' && <RejectDialog {...dialog} />}
      {open === 'cancel' && <CancelDialog {...dialog} />}
    </>
  )
}

type DialogProps = Omit<SecondApprovalProps, 'verbs'> & { onClose: () => void }

function ApproveDialog({ change: { id, version }, approve, approved, ...dialog }: DialogProps) {
  return (
    <DeedDialog
      endpoint={approve}
      input={(note) => ({ id, version, note })}
      refreshes={dialog.refreshes}
      done={approved}
      title={dialog.title}
      command={<Trans>Approve</Trans>}
      reason="optional"
      onClose={dialog.onClose}
    >
      {dialog.children}
    </DeedDialog>
  )
}

function RejectDialog({ change: { id, version }, reject, ...dialog }: DialogProps) {
  const { t } = useLingui()
  return (
    <DeedDialog
      endpoint={reject}
      input={(reason) => ({ id, version, reason })}
      refreshes={dialog.refreshes}
      done={t`The change is refused.`}
      title={t`Refuse the change`}
      command={<Trans>Reject</Trans>}
      kind="danger"
      onClose={dialog.onClose}
    >
      {dialog.children}
    </DeedDialog>
  )
}

function CancelDialog({ change: { id, version }, cancel, ...dialog }: DialogProps) {
  const { t } = useLingui()
  return (
    <DeedDialog
      endpoint={cancel}
      input={(note) => ({ id, version, note })}
      refreshes={dialog.refreshes}
      done={t`The change is taken back.`}
      title={t`Take the change back`}
      command={<Trans>Take back</Trans>}
      reason="optional"
      onClose={dialog.onClose}
    >
      {dialog.children}
    </DeedDialog>
  )
}
