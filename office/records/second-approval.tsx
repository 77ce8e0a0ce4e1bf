import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ActionResponse } from '#contract/office/decisions.ts'
import type { approveFactorReset, cancelFactorReset, rejectFactorReset } from '#contract/office/factor-resets.ts'
import type { approveErasure, cancelErasure, rejectErasure } from '#contract/office/retention.ts'
import type { approveSettingChange, cancelSettingChange, rejectSettingChange } from '#contract/office/settings.ts'
import type { approveStaffChange, cancelStaffChange, rejectStaffChange } from '#contract/office/staff.ts'
import { Button } from '#ui/forms/button.tsx'
import { ActionDialog } from './action-dialog.tsx'

const actions = ['cancel', 'reject', 'approve'] as const
type Action = (typeof actions)[number]

interface ActionLabels {
  /** On the button of the last look; dots behind it on the one that leads there. */
  readonly command: string
  readonly title: string
  /** Said once it is done. */
  readonly done: string
  /** What it comes to: shown in the last look. */
  readonly look?: ReactNode
}

interface SecondApprovalProps {
  proposal: { readonly id: string; readonly version: number }
  /** What the server would refuse now; undefined until it is read, and nothing is offered before. */
  verbs: readonly ActionResponse[] | undefined
  approve: typeof approveSettingChange | typeof approveStaffChange | typeof approveErasure | typeof approveFactorReset
  reject: typeof rejectSettingChange | typeof rejectStaffChange | typeof rejectErasure | typeof rejectFactorReset
  cancel: typeof cancelSettingChange | typeof cancelStaffChange | typeof cancelErasure | typeof cancelFactorReset
  refreshes: readonly Endpoint[]
  words: Readonly<Record<Action, ActionLabels>>
  /** The action that does harm if it is wrong. */
  danger: 'approve' | 'reject'
}

/** The commands on a proposal that waits for a second person; never approved by the one who made it. */
export function SecondApproval({ verbs: answers = [], ...proposed }: SecondApprovalProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState<Action | null>(null)
  const may = (name: Action) => answers.some(({ verb, refusal }) => verb === name && refusal === null)
  const why = answers.find(({ verb }) => verb === 'approve')?.refusal
  const { words, danger } = proposed
  const leadingTo = (command: string) => t`${command}…`
  const plain = (action: Action) => (action === 'approve' ? 'primary' : 'outline')
  return (
    <>
      {why && why.code !== 'wrong-role' && <p className="muted">{why.text}</p>}
      <div className="row wrap">
        {actions.filter(may).map((action) => (
          <Button key={action} kind={action === danger ? 'danger' : plain(action)} onClick={() => setOpen(action)}>
            {leadingTo(words[action].command)}
          </Button>
        ))}
      </div>
      {open && <ConfirmationView {...proposed} action={open} onClose={() => setOpen(null)} />}
    </>
  )
}

type ConfirmationProps = Omit<SecondApprovalProps, 'verbs'> & { action: Action; onClose: () => void }

/** A refusal takes a reason, the others may have a note. */
function ConfirmationView({
  action,
  proposal: { id, version },
  words,
  danger,
  refreshes,
  onClose,
  ...endpoints
}: ConfirmationProps) {
  const { look, ...said } = words[action]
  const dialog = { ...said, refreshes, onClose, ...(action === danger ? { kind: 'danger' as const } : {}) }
  if (action === 'reject')
    return (
      <ActionDialog {...dialog} endpoint={endpoints.reject} input={(reason) => ({ id, version, reason })}>
        {look}
      </ActionDialog>
    )
  const endpoint = action === 'approve' ? endpoints.approve : endpoints.cancel
  return (
    <ActionDialog {...dialog} endpoint={endpoint} input={(note) => ({ id, version, note })} reason="optional">
      {look}
    </ActionDialog>
  )
}

/** Returns the words of a change that a second administrator puts in force. */
export function useChangeLabels({
  title,
  done,
  look,
}: Omit<ActionLabels, 'command'>): Readonly<Record<Action, ActionLabels>> {
  const { t } = useLingui()
  return {
    approve: { command: t`Approve`, title, done, look },
    reject: { command: t`Reject`, title: t`Reject change`, done: t`The change has been rejected.`, look },
    cancel: {
      command: t`Cancel request`,
      title: t`Cancel change request`,
      done: t`The change request has been cancelled.`,
      look,
    },
  }
}
