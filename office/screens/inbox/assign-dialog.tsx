import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listAssignees } from '#contract/office/inbox.ts'
import { unassigned } from '#contract/office/inbox-filter.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { Button } from '#ui/forms/button.tsx'
import { focusFirstField } from '#ui/forms/form-state.ts'
import { TextField } from '#ui/forms/text-field.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { call } from '#ui/api/call.ts'
import { failedRead } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { submitOnEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { AbsenceLine } from '../../records/absence.tsx'
import { useStaff } from '../../session.ts'

interface AssignDialogProps {
  kinds: readonly WorkItemKind[]
  count: number
  onAssign: (to: string) => void
  onClose: () => void
}

/**
 * People who may decide all of the selected items, with their current numbers. Enter selects the first matching name.
 */
export function AssignDialog({ kinds, count, onAssign, onClose }: AssignDialogProps) {
  const { t } = useLingui()
  const { staff } = useStaff()
  const [name, setName] = useState('')
  const read = useQuery({
    queryKey: [listAssignees.name, kinds],
    queryFn: ({ signal }) => Promise.all(kinds.map((kind) => call(listAssignees, { kind }, { signal }))),
  })
  const failed = failedRead(read)
  const field = useRef<HTMLInputElement>(null)
  const readAgain = () => {
    // The button goes with the failure. A network that is back reads again too, and leaves the focus where it is.
    if (document.activeElement?.closest('[role="alert"]')) field.current?.focus()
    failed?.again()
  }
  const wanted = name.trim().toLowerCase()
  const [listed, ...others] = read.data ?? []
  const people = (listed?.people ?? [])
    .filter(({ id }) => others.every((other) => other.people.some((person) => person.id === id)))
    .filter((person) => person.name.toLowerCase().includes(wanted))
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
          ref={field}
          label={t`Name`}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={submitOnEnter(() => first && onAssign(first.id))}
        />
        {failed && <ErrorPanel failure={failed.failure} onRetry={readAgain} />}
        <ul className="assignees" aria-busy={read.data || failed ? undefined : true}>
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
        {read.data && people.length === 0 && (
          <p className="muted">
            {kinds.length === 1
              ? t`No colleague with this name can decide items of this type.`
              : t`No colleague with this name can decide all of these items.`}
          </p>
        )}
      </div>
    </Dialog>
  )
}
