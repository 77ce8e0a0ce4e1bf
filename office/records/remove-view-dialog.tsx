/** Deletes the shared view of a person who has left. Not undone: a view saved again would be the administrator's. */
import { Trans, useLingui } from '@lingui/react/macro'
import { listSavedViews, removeView, type SavedView } from '#contract/office/saved-views.ts'
import { ActionDialog } from './action-dialog.tsx'

interface RemoveViewDialogProps {
  view: Pick<SavedView, 'id' | 'name' | 'owner'>
  onDone: () => void
  onClose: () => void
}

export function RemoveViewDialog({ view, onDone, onClose }: RemoveViewDialogProps) {
  const { t } = useLingui()
  return (
    <ActionDialog
      title={t`Delete view “${view.name}”`}
      command={<Trans>Delete</Trans>}
      kind="danger"
      reason="none"
      endpoint={removeView}
      input={() => ({ id: view.id })}
      refreshes={[listSavedViews]}
      done={t`View deleted.`}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        <Trans>
          {view.owner.name} shared this view and has been deactivated. The view will be deleted for the whole team.
        </Trans>
      </p>
    </ActionDialog>
  )
}
