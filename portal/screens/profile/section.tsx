import { IconPencil } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Button } from '#ui/forms/button.tsx'
import { ApiError } from '#ui/api/api-error.ts'
import { scrollIntoViewOnRender, submitHandler } from '#ui/forms/form-state.ts'
import { type DescriptionRow, DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'

interface ReadSectionProps {
  rows: readonly (DescriptionRow | null)[]
  onEdit: () => void
  children?: ReactNode
}

/** Shows a section's values, with the button that opens its form. */
export function ReadSection({ rows, onEdit, children }: ReadSectionProps) {
  return (
    <div className="stack">
      {children}
      <DescriptionList rows={rows} />
      <Button size="small" icon={<IconPencil className="small" aria-hidden="true" />} onClick={onEdit}>
        <Trans>Edit</Trans>
      </Button>
    </div>
  )
}

interface EditSectionProps {
  formRef: RefObject<HTMLFormElement | null>
  onSave: () => void
  onCancel: () => void
  pending: boolean
  error: Error | null
  children: ReactNode
}

/** A section's form; focuses its first field. */
export function EditSection({ formRef, onSave, onCancel, pending, error, children }: EditSectionProps) {
  const { t } = useLingui()
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.querySelector<HTMLElement>('input:not([readonly]), select')?.focus(), [])
  const unplaced =
    error instanceof ApiError
      ? (error.errors['server'] ?? (Object.keys(error.errors).length === 0 ? error.error : undefined))
      : undefined
  return (
    <form ref={formRef} className="profile-edit" noValidate onSubmit={submitHandler(onSave)}>
      <div ref={first} className="stack-6">
        {children}
        {unplaced && (
          <div ref={scrollIntoViewOnRender}>
            <Alert kind="bad">{unplaced}</Alert>
          </div>
        )}
        <div className="row">
          <Button onClick={onCancel}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" pending={pending}>{t`SAVE`}</Button>
        </div>
      </div>
    </form>
  )
}
