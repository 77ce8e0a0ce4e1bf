import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { SavedView } from '#contract/office/saved-views.ts'
import { type ApiError, fieldErrors } from '#ui/api/api-error.ts'
import { Button } from '#ui/forms/button.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { focusFirstField } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { submitOnEnter } from '#ui/navigation/keyboard-shortcuts.ts'

interface ViewDialogProps {
  /** The view to change; null for a new one. */
  view: SavedView | null
  pending: boolean
  failure: ApiError | null
  onSave: (fields: { name: string; shared: boolean }) => void
  onClose: () => void
}

/** A dialog for the name of a view, and whether it is shared with the team. */
export function ViewDialog({ view, pending, failure, onSave, onClose }: ViewDialogProps) {
  const { t } = useLingui()
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [isEmpty, setEmpty] = useState(false)
  const send = () => {
    if (pending) return
    if (name.trim() === '') return setEmpty(true)
    onSave({ name: name.trim(), shared })
  }
  const refused = fieldErrors(failure)['name'] ?? failure?.error
  return (
    <Dialog
      title={view ? t`Change view` : t`Save view`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
          <Button kind="primary" pending={pending} onClick={send}>
            {view ? t`Change view` : t`Save view`}
          </Button>
        </>
      }
    >
      <div ref={focusFirstField} className="stack">
        <TextField
          label={t`Name`}
          hint={t`The view saves filters, columns and sort order. It does not save search terms, clients or people.`}
          autoComplete="off"
          maxLength={40}
          value={name}
          error={isEmpty ? t`Enter a name.` : refused}
          onChange={({ target }) => {
            setName(target.value)
            setEmpty(false)
          }}
          onKeyDown={submitOnEnter(send)}
        />
        <Checkbox checked={shared} onChange={({ target }) => setShared(target.checked)}>
          <Trans>Share with the team</Trans>
        </Checkbox>
      </div>
    </Dialog>
  )
}
