import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { useChoiceLabel } from '#ui/text/choice-labels.ts'
import { useFormValues } from '#ui/forms/form-values.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { EditSection, ReadSection } from './section.tsx'

type Words<Field extends string> = Record<Field, string>

interface ChoicesSectionProps<Field extends string> {
  /** What each field is called, in the order in which they are read. */
  names: Words<Field>
  /** The words chosen before; null before anything was. */
  kept: Words<Field> | null
  /** The form's fields. */
  fields: (form: ReturnType<typeof useFormValues<Words<Field>>>) => ReactNode
  save: (chosen: Words<Field>, told: { onSuccess: () => void; onError: (thrown: Error) => void }) => void
  pending: boolean
  error: Error | null
}

/** A section whose fields are all chosen from lists and all required: read first, edited on demand. */
export function ChoicesSection<Field extends string>(section: ChoicesSectionProps<Field>) {
  const word = useChoiceLabel()
  const [editing, setEditing] = useState(false)
  if (editing) return <ChoicesForm {...section} onClose={() => setEditing(false)} />
  const { names, kept } = section
  return (
    <ReadSection
      onEdit={() => setEditing(true)}
      rows={fieldsOf(names).map((field) => ({ key: names[field], value: kept ? word(kept[field]) : '–' }))}
    />
  )
}

function ChoicesForm<Field extends string>(section: ChoicesSectionProps<Field> & { onClose: () => void }) {
  const { names, kept, fields, save, pending, error, onClose } = section
  const { t } = useLingui()
  const form = useFormValues(kept ?? nothingOf(names))
  const done = () => {
    showToast(t`Saved.`)
    onClose()
  }
  return (
    <EditSection
      formRef={form.ref}
      onSave={() => save(form.values, { onSuccess: done, onError: form.refuse })}
      onCancel={onClose}
      pending={pending}
      error={error}
    >
      {fields(form)}
    </EditSection>
  )
}

function fieldsOf<Field extends string>(names: Words<Field>): Field[] {
  return Object.keys(names) as Field[]
}

function nothingOf<Field extends string>(names: Words<Field>): Words<Field> {
  return Object.fromEntries(fieldsOf(names).map((field) => [field, ''])) as Words<Field>
}
