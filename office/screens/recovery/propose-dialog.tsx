import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { BodyInputOf, ResponseOf } from '#contract/endpoint.ts'
import { getRecovery, getRecoveryItem, listRecoveryItems, proposeRecoveryItem } from '#contract/office/recovery.ts'
import type { RecoveryAction } from '#rules/recovery-items.ts'
import { Select } from '#ui/forms/select.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

type Errors = Readonly<Record<string, string>>

export interface ProposeItemProps {
  item: ResponseOf<typeof getRecoveryItem>['item']
  onClose: () => void
}

interface ProposeDialogProps extends ProposeItemProps {
  /** The amount or account to decide on. */
  subject: string
  action: RecoveryAction
  /** What the decision needs besides the action, and the names of its fields. */
  values: Partial<BodyInputOf<typeof proposeRecoveryItem>>
  fields: readonly string[]
  children: (errors: Errors) => ReactNode
}

/** Proposes a decision on a finding, which another finance supervisor must confirm. */
export function ProposeDialog({ item, onClose, subject, action, values, fields, children }: ProposeDialogProps) {
  const { t } = useLingui()
  const { id, version } = item
  return (
    <ActionDialog
      refreshes={[listRecoveryItems, getRecoveryItem, getRecovery]}
      onClose={onClose}
      endpoint={proposeRecoveryItem}
      fields={fields}
      input={(reason) => ({ ...values, id, version, action, reason })}
      done={t`The proposal has been recorded. Another finance supervisor must confirm it.`}
      title={<Trans>Propose a decision on {subject}</Trans>}
      command={<Trans>Propose decision</Trans>}
    >
      {children}
    </ActionDialog>
  )
}

interface ActionSelectProps<Action extends RecoveryAction> {
  value: Action
  options: Readonly<Record<Action, string>>
  errors: Errors
  onValue: (action: Action) => void
}

/** The choice among the decisions on a finding. */
export function ActionSelect<Action extends RecoveryAction>({
  value,
  options,
  errors,
  onValue,
}: ActionSelectProps<Action>) {
  const { t } = useLingui()
  return (
    <Select
      label={t`Decision`}
      error={errors['action']}
      value={value}
      onChange={(event) => onValue(event.target.value as Action)}
      options={Object.entries<string>(options).map(([action, label]) => ({ value: action, label }))}
    />
  )
}
