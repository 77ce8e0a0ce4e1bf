/** Fields of a section's form, each bound to a path of the draft; a changed one shows the value in force. */
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { decimalOf, minorOf } from '#rules/money.ts'
import { parseAmount, formatAmount } from '#ui/money/amount-format.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { TextArea, TextField } from '#ui/forms/text-field.tsx'
import { type Json, jsonAt, listAt, textAt, useDraft } from './draft.ts'
import { isAmount, useLeafText, usePathLabel, fromLocaleDecimal, toLocaleDecimal } from './section-labels.ts'

/** Fields of the form, disabled while the section is locked. */
export function Fields({ children }: { children: ReactNode }) {
  const { locked } = useDraft()
  return (
    <fieldset disabled={locked} className="stack">
      {children}
    </fieldset>
  )
}

/** Focuses the first field of a path once it is rendered. */
export function focusAt(path: string): void {
  requestAnimationFrame(() => {
    const place = document.querySelector(`[data-path="${CSS.escape(path)}"]`)
    place?.querySelector<HTMLElement>('input, textarea')?.focus()
  })
}

/** Returns the list at a path of the draft. Focuses an added entry, and after a removal the entry that follows. */
export function useListAt(path: string) {
  const { value, set } = useDraft()
  const list = listAt(value, path)
  const write = (next: readonly Json[], place: number) => {
    set(path, next)
    focusAt(`${path}.${Math.min(place, next.length - 1)}`)
  }
  return {
    list,
    add: (one: Json) => write([...list, one], list.length),
    remove: (index: number) =>
      write(
        list.filter((_, place) => place !== index),
        index,
      ),
  }
}

interface AtProps {
  path: string
  /** Without one the label of the path. */
  label?: ReactNode
  hint?: ReactNode
  optional?: boolean
}

export function TextAt({
  path,
  label,
  hint,
  optional,
  end,
  inputMode,
}: AtProps & { end?: ReactNode; inputMode?: 'decimal' | 'email' }) {
  const { value, errors, set } = useDraft()
  const { i18n } = useLingui()
  const word = usePathLabel()
  const held = textAt(value, path)
  const isNumber = inputMode === 'decimal'
  return (
    <WithValueInForce path={path}>
      <TextField
        label={label ?? word(path)}
        hint={hint}
        {...(optional ? { optional: true } : {})}
        end={end}
        inputMode={inputMode}
        error={errors[path]}
        value={isNumber ? toLocaleDecimal(held, i18n.locale) : held}
        onChange={(event) =>
          set(path, isNumber ? fromLocaleDecimal(event.target.value, i18n.locale) : event.target.value)
        }
      />
    </WithValueInForce>
  )
}

/**
 * An amount in the reader's notation, stored with a full stop; invalid text is kept as typed and rejected by the check.
 */
export function AmountAt({ path, label }: AtProps) {
  const { value, errors, set } = useDraft()
  const { i18n } = useLingui()
  const held = textAt(value, path)
  const written = isAmount(held) ? formatAmount(held, i18n.locale) : held
  const [text, setText] = useState(written)
  // Changed by another control, such as Discard: update the text.
  if (text !== written && !isSameAmount(held, parseAmount(text, i18n.locale) ?? text)) setText(written)
  return (
    <WithValueInForce path={path}>
      <TextField
        label={label}
        inputMode="decimal"
        className="numbers"
        error={errors[path]}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          set(path, parseAmount(event.target.value, i18n.locale) ?? event.target.value)
        }}
        onBlur={() => {
          const minor = minorOf(held)
          if (minor === null) return
          set(path, decimalOf(minor))
          setText(written)
        }}
      />
    </WithValueInForce>
  )
}

function isSameAmount(one: string, other: string): boolean {
  return one === other || (minorOf(one) !== null && minorOf(one) === minorOf(other))
}

export function AreaAt({ path, label, rows = 2 }: { path: string; label: ReactNode; rows?: number }) {
  const { value, errors, locked, set } = useDraft()
  return (
    <WithValueInForce path={path}>
      <TextArea
        readOnly={locked}
        label={label}
        rows={rows}
        error={errors[path]}
        value={textAt(value, path)}
        onChange={(event) => set(path, event.target.value)}
      />
    </WithValueInForce>
  )
}

/** A whole number; invalid text is kept as typed and rejected by the check. */
export function NumberAt({ path, label, hint }: Omit<AtProps, 'optional'>) {
  const { value, errors, set } = useDraft()
  const word = usePathLabel()
  return (
    <WithValueInForce path={path}>
      <TextField
        label={label ?? word(path)}
        hint={hint}
        inputMode="numeric"
        className="numbers"
        error={errors[path]}
        value={textAt(value, path)}
        onChange={(event) =>
          set(path, /^\d{1,9}$/.test(event.target.value) ? Number(event.target.value) : event.target.value)
        }
      />
    </WithValueInForce>
  )
}

export function TickAt({ path, children }: { path: string; children: ReactNode }) {
  const { value, errors, set } = useDraft()
  return (
    <WithValueInForce path={path}>
      <Checkbox
        look="tile"
        checked={jsonAt(value, path) === true}
        error={errors[path]}
        onChange={(event) => set(path, event.target.checked)}
      >
        {children}
      </Checkbox>
    </WithValueInForce>
  )
}

/** Shown below a changed field: the value in force. */
export function WithValueInForce({ path, children }: { path: string; children: ReactNode }) {
  const { value, saved } = useDraft()
  const text = useLeafText()
  const now = jsonAt(saved, path)
  const isChanged = now !== undefined && JSON.stringify(now) !== JSON.stringify(jsonAt(value, path))
  return (
    <div className={isChanged ? 'setting-field changed' : 'setting-field'} data-path={path}>
      {children}
      {isChanged && (
        <p className="setting-in-force">
          <Trans>Currently in force: {text(now === null || typeof now === 'object' ? '' : String(now), path)}</Trans>
        </p>
      )}
    </div>
  )
}

/** The choice whether a failed check warns or blocks. */
export function SeverityAt({ path }: { path: string }) {
  const { t } = useLingui()
  const { value, errors, set } = useDraft()
  const word = usePathLabel()
  return (
    <WithValueInForce path={path}>
      <RadioCards
        label={word(path)}
        tiles={[
          { value: 'warn', label: t`Warning` },
          { value: 'block', label: t`Block` },
        ]}
        value={textAt(value, path)}
        onValue={(chosen) => set(path, chosen)}
        across={2}
        short
        error={errors[path]}
      />
    </WithValueInForce>
  )
}
