import { IconColumns3 } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import type { Column } from '#ui/data/table.tsx'
import { PopoverButton } from '#ui/overlays/popover-button.tsx'

/**
 * Returns the columns that the URL names; without names all. The first one contains the row's link and is always shown.
 */
export function chosenColumns<Row>(columns: readonly Column<Row>[], chosen: string): readonly Column<Row>[] {
  const keys = chosen === '' ? [] : chosen.split(',')
  if (!columns.some(({ key }) => keys.includes(key))) return columns
  return columns
    .filter(({ key }, place) => place === 0 || keys.includes(key))
    .map(({ wideOnly: _wideOnly, ...column }) => column)
}

interface ColumnChoiceProps<Row> {
  columns: readonly Column<Row>[]
  /** As in the URL: keys with commas, '' for the list's default. */
  chosen: string
  onColumns: (chosen: string) => void
}

/** The choice of the shown columns of a list. */
export function ColumnChoice<Row>({ columns, chosen, onColumns }: ColumnChoiceProps<Row>) {
  const { t } = useLingui()
  const shown = chosenColumns(columns, chosen).map(({ key }) => key)
  const toggle = (key: string) => {
    const next = columns.filter((one) => (one.key === key ? !shown.includes(key) : shown.includes(one.key)))
    onColumns(next.length === columns.length ? '' : next.map((one) => one.key).join(','))
  }
  return (
    <PopoverButton
      name={t`Columns`}
      look="button outline small"
      face={
        <>
          <IconColumns3 className="small" aria-hidden="true" />
          {t`Columns`}
        </>
      }
    >
      {() => (
        <>
          <div className="stack" role="group" aria-label={t`Columns`}>
            {columns.map(({ key, head }, place) => (
              <Checkbox key={key} checked={shown.includes(key)} disabled={place === 0} onChange={() => toggle(key)}>
                {head}
              </Checkbox>
            ))}
          </div>
          <div className="row">
            <Button size="small" onClick={() => onColumns('')}>{t`All columns`}</Button>
          </div>
        </>
      )}
    </PopoverButton>
  )
}
