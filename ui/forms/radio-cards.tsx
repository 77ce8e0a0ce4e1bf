import { type ReactNode, useId } from 'react'
import './choice.css'
import { FieldGroup, type FieldFrame } from './field.tsx'

interface RadioCard<Value extends string> {
  value: Value
  label: ReactNode
  /** One line below the label. */
  note?: ReactNode
  /** On the right: a fee, a balance, a key. */
  end?: ReactNode
  /** Why it cannot be selected; replaces the note. */
  disabledReason?: ReactNode
}

interface RadioCardsProps<Value extends string> extends Omit<FieldFrame, 'labelEnd'> {
  tiles: readonly RadioCard<Value>[]
  value: Value | '' | null | undefined
  onValue: (value: Value) => void
  name?: string
  across?: 1 | 2 | 3
  /** Short labels: side by side on phones too. */
  short?: boolean
  disabled?: boolean
}

/** A choice among few options, each with a line of its own. Nothing is preselected. */
export function RadioCards<Value extends string>({
  label,
  hint,
  error,
  optional,
  tiles,
  value,
  onValue,
  name,
  across = 1,
  short = false,
  disabled = false,
}: RadioCardsProps<Value>) {
  const group = useId()
  return (
    <FieldGroup label={label} hint={hint} error={error} optional={optional}>
      {() => (
        <div className={`choices across-${across}${short ? ' short' : ''}`}>
          {tiles.map((tile) => (
            <label key={tile.value} className="choice" data-wrong={error ? '' : undefined}>
              <input
                type="radio"
                name={name ?? group}
                value={tile.value}
                checked={tile.value === value}
                disabled={disabled || Boolean(tile.disabledReason)}
                onChange={() => onValue(tile.value)}
              />
              <span className="choice-words">
                <span className="choice-label">
                  <span>{tile.label}</span>
                  {tile.end}
                </span>
                {(tile.disabledReason ?? tile.note) && (
                  <span className="choice-note">{tile.disabledReason ?? tile.note}</span>
                )}
              </span>
            </label>
          ))}
        </div>
      )}
    </FieldGroup>
  )
}
