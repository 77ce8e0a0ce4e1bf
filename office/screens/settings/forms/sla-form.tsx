/** Due times by kind of work item, and the firm's calendar. */
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type DueTime, dueUnits, timedKinds, type TimedKind } from '#rules/work-items.ts'
import { Table } from '#ui/data/table.tsx'
import { Button } from '#ui/forms/button.tsx'
import { FieldError } from '#ui/forms/field.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { useTargetLabel } from '../../../decision/due-labels.tsx'
import { useWorkItemLabel } from '../../../records/work-item-labels.ts'
import { jsonAt, textAt, useDraft } from '../draft.ts'
import { NumberAt, TextAt, useListAt } from '../fields.tsx'
import { usePathLabel } from '../section-labels.ts'

export function SlaForm() {
  const { t } = useLingui()
  const holidays = useListAt('holidays')
  return (
    <>
      <section className="sheet setting-due-times">
        <Table
          caption={t`Due times`}
          rows={timedKinds}
          rowKey={(kind) => kind}
          columns={[
            { head: t`Type`, cell: (kind) => <DueKind kind={kind} /> },
            { head: t`Due time`, cell: (kind) => <DueNumber kind={kind} /> },
            { head: t`Unit`, cell: (kind) => <DueUnit kind={kind} /> },
          ]}
        />
      </section>
      <NumberAt path="complaintDays" />
      {holidays.list.map((_, index) => (
        <div key={index} className="stack-2">
          <TextAt path={`holidays.${index}`} label={t`Holiday ${index + 1}`} hint={t`YYYY-MM-DD`} />
          <button type="button" className="text-button" onClick={() => holidays.remove(index)}>
            <Trans>Remove holiday {index + 1}</Trans>
          </button>
        </div>
      ))}
      <Button size="small" onClick={() => holidays.add('')}>{t`Add holiday`}</Button>
    </>
  )
}

/** The kind, and below it what concerns both fields of the row: a narrow table has no room for it below each. */
function DueKind({ kind }: { kind: TimedKind }) {
  const kindLabel = useWorkItemLabel()
  const target = useTargetLabel()
  const { saved, errors } = useDraft()
  const inForce: unknown = jsonAt(saved, `times.${kind}`)
  const isChanged = useIsChanged(`times.${kind}`)
  return (
    <>
      {kindLabel(kind)}
      <FieldError id={errorId(kind)}>{errors[`times.${kind}.number`]}</FieldError>
      {isChanged && isDueTime(inForce) && (
        <p className="setting-in-force">
          <Trans>Currently in force: {target(inForce)}</Trans>
        </p>
      )}
    </>
  )
}

/** A whole number; invalid text is kept as typed and rejected by the check. */
function DueNumber({ kind }: { kind: TimedKind }) {
  const { value, errors, set } = useDraft()
  const label = usePathLabel()
  const path = `times.${kind}.number`
  return (
    <ChangedField path={path}>
      <input
        type="text"
        inputMode="numeric"
        className="input numbers"
        aria-label={label(path)}
        aria-invalid={errors[path] ? true : undefined}
        aria-describedby={errors[path] ? errorId(kind) : undefined}
        value={textAt(value, path)}
        onChange={({ target }) => set(path, /^\d{1,9}$/.test(target.value) ? Number(target.value) : target.value)}
      />
    </ChangedField>
  )
}

function DueUnit({ kind }: { kind: TimedKind }) {
  const { t } = useLingui()
  const { value, set } = useDraft()
  const label = usePathLabel()
  const path = `times.${kind}.unit`
  const names = { hours: t`hours`, workingDays: t`working days` }
  return (
    <ChangedField path={path}>
      <BareSelect
        aria-label={label(path)}
        value={textAt(value, path)}
        options={dueUnits.map((unit) => ({ value: unit, label: names[unit] }))}
        onChange={({ target }) => set(path, target.value)}
      />
    </ChangedField>
  )
}

function ChangedField({ path, children }: { path: string; children: ReactNode }) {
  return (
    <div className={useIsChanged(path) ? 'setting-field changed' : 'setting-field'} data-path={path}>
      {children}
    </div>
  )
}

function useIsChanged(path: string): boolean {
  const { value, saved } = useDraft()
  return JSON.stringify(jsonAt(saved, path)) !== JSON.stringify(jsonAt(value, path))
}

const errorId = (kind: TimedKind) => `due-time-error-${kind}`

function isDueTime(value: unknown): value is DueTime {
  return typeof value === 'object' && value !== null && 'number' in value && 'unit' in value
}
