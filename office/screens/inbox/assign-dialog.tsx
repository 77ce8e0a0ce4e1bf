import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { listAssignees } from '#contract/office/inbox.ts'
import { unassigned } from '#contract/office/inbox-filter.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { Button } from '#ui/forms/button.tsx'
import { focusFirstField } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { sendsOnEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { AbsenceLine } from '../../records/absence.tsx'
import { useStaff } from '../../session.ts'

interface AssignDialogProps {
  kind: WorkItemKind
  count: number
  onAssign: (to: string) => void
  onClose: () => void
}

/** People who may decide the selected items, with their current numbers. Enter selects the first matching name. */
export function AssignDialog({ kind, count, onAssign, onClose }: AssignDialogProps) {
  const { t } = useLingui()
  const { staff } = useStaff()
  const [name, setName] = useState('')
  const { data } = useEndpoint(listAssignees, { kind })
  const wanted = name.trim().toLowerCase()
  const people = (data?.people ?? []).filter((person) => person.name.toLowerCase().includes(wanted))
  const [first] = people
  return (
    <Dialog
      title={<Plural value={count} one="Assign # item" other="Assign # items" />}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} keyHint="esc">{t`Cancel`}</Button>
          <Button onClick={() => onAssign(unassigned)} keyHint="⇧ e">{t`Unassign`}</Button>
        </>
      }
    >
      <div ref={focusFirstField} className="stack">
        <TextField
          label={t`Name`}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={sendsOnEnter(() => first && onAssign(first.id))}
        />
        <ul className="assignees" aria-busy={data ? undefined : true}>
          {people.map((person) => (
            <li key={person.id}>
              <button type="button" className="choice-line" onClick={() => onAssign(person.id)}>
                <span>
                  {person.id === staff.id ? <Trans>{person.name}, you</Trans> : person.name}
                  <AbsenceLine absence={person.absence} />
                </span>
                <span className="muted numbers">
                  <Trans>{person.open} open</Trans>
                  {person.late > 0 && (
                    <>
                      , <Trans>{person.late} overdue</Trans>
                    </>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {data && people.length === 0 && (
          <p className="muted">{t`No colleague with this name can decide items of this type.`}</p>
        )}
      </div>
    </Dialog>
  )
}
