import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ActionResponse } from '#contract/office/decisions.ts'
import type { approveFactorReset, cancelFactorReset, rejectFactorReset } from '#contract/office/factor-resets.ts'
import type { approveErasure, cancelErasure, rejectErasure } from '#contract/office/retention.ts'
import type { approveSettingChange, cancelSettingChange, rejectSettingChange } from '#contract/office/settings.ts'
import type { approveStaffChange, cancelStaffChange, rejectStaffChange } from '#contract/office/staff.ts'
import { staffRoles } from '#rules/actors.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Button } from '#ui/forms/button.tsx'
import { useRequiredRole } from '../layout/role-labels.ts'
import { useCanDo } from '../session.ts'
import { ActionDialog } from './action-dialog.tsx'

const actions = ['cancel', 'reject', 'approve'] as const
type Action = (typeof actions)[number]

interface ActionLabels {
  /** On the confirmation's button; followed by dots on the one that opens it. */
  readonly command: string
  readonly title: string
  /** The message after success. */
  readonly done: string
  /** The consequences, shown in the confirmation. */
  readonly look?: ReactNode
}

interface SecondApprovalProps {
  proposal: { readonly id: string; readonly version: number }
  /** The actions with the server's reasons against them; undefined until loaded, and nothing is offered before. */
  verbs: readonly ActionResponse[] | undefined
  /** How the actions are read, if not with the proposal. */
  read?: { readonly error: Error | null; readonly refetch: () => Promise<unknown> }
  approve: typeof approveSettingChange | typeof approveStaffChange | typeof approveErasure | typeof approveFactorReset
  reject: typeof rejectSettingChange | typeof rejectStaffChange | typeof rejectErasure | typeof rejectFactorReset
  cancel: typeof cancelSettingChange | typeof cancelStaffChange | typeof cancelErasure | typeof cancelFactorReset
  refreshes: readonly Endpoint[]
  words: Readonly<Record<Action, ActionLabels>>
  /** The action that does more harm by mistake. */
  danger: 'approve' | 'reject'
}

/**
 * The actions on a proposal that waits for a second person, who must not be its author; for a person without the role,
 * which one is needed.
 */
export function SecondApproval({ verbs: answers, read, ...proposed }: SecondApprovalProps) {
  const { t } = useLingui()
  const [open, setOpen] = useState<Action | null>(null)
  const requiredRole = useRequiredRole()
  const isReader = !useCanDo('assign')
  if (!answers && read?.error) return <ErrorPanel failure={read.error} onRetry={() => void read.refetch()} />
  if (!answers)
    return (
      <div aria-busy="true">
        <Skeleton width={220} height={32} />
      </div>
    )
  const may = (name: Action) => answers.some(({ verb, refusal }) => verb === name && refusal === null)
  const why = answers.find(({ verb }) => verb === 'approve')?.refusal
  const { words, danger, approve } = proposed
  const roles = staffRoles.filter((role) => approve.access.includes(role))
  const others = roles.filter((role) => role !== 'administrator')
  const ofOtherRole = isReader ? t`You have read-only access.` : requiredRole(others.length > 0 ? others : roles)
  const leadingTo = (command: string) => t`${command}…`
  const plain = (action: Action) => (action === 'approve' ? 'primary' : 'outline')
  return (
    <>
      {why && <p className="muted">{why.code === 'wrong-role' ? ofOtherRole : why.text}</p>}
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

type ConfirmationProps = Omit<SecondApprovalProps, 'verbs' | 'read'> & { action: Action; onClose: () => void }

/** The confirmation: a rejection needs a reason, the other actions may have a note. */
function ConfirmationView({
  action,
  proposal: { id, version },
  words,
  danger,
  refreshes,
  onClose,
  ...endpoints
}: ConfirmationProps) {
  const { look, ...labels } = words[action]
  const dialog = { ...labels, refreshes, onClose, ...(action === danger ? { kind: 'danger' as const } : {}) }
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

/** Returns the labels of a change that a second administrator approves. */
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
