import { IconChevronDown } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useContext, useId } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox as AriaComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Text } from 'react-aria-components/Text'
import { AriaLanguage } from '../i18n/aria-language.tsx'
import './combo-box.css'
import '../overlays/popover.css'
import { FieldError, type FieldFrame } from './field.tsx'

interface ComboItem {
  /** The value, such as a country's code. */
  id: string
  label: string
  /** A second line in a muted colour. */
  note?: string
}

interface ComboBoxProps extends Omit<FieldFrame, 'labelEnd'> {
  items: readonly ComboItem[]
  /** The selected id, or ''. */
  value: string
  onValue: (id: string) => void
  /** The autocomplete token of the browser, such as "country". */
  autoComplete?: string
}

/** A long list with search: countries, banks. */
export function ComboBox({ label, hint, error, optional, items, value, onValue, autoComplete }: ComboBoxProps) {
  const { t } = useLingui()
  const errorId = useId()
  return (
    <AriaLanguage>
      <AriaComboBox
        className="field combo-box"
        defaultItems={items}
        defaultFilter={beginsWord}
        value={value || null}
        onChange={(key) => onValue(key === null ? '' : String(key))}
        isInvalid={Boolean(error)}
        // An open list would cover a message below the field: then it opens only by typing or by its button.
        menuTrigger={error ? 'input' : 'focus'}
        aria-describedby={error ? errorId : undefined}
      >
        <Label className="field-label">
          <span>
            {label}
            {optional && (
              <span className="field-optional"> {optional === true ? <Trans>optional</Trans> : optional}</span>
            )}
          </span>
        </Label>
        {hint && (
          <Text slot="description" elementType="p" className="hint">
            {hint}
          </Text>
        )}
        <Group className="input-frame">
          <SearchInput autoComplete={autoComplete} />
          <Button className="combo-box-open">
            <IconChevronDown aria-hidden="true" />
          </Button>
        </Group>
        <FieldError id={errorId}>{error}</FieldError>
        <Popover className="floating combo-box-list">
          <ListBox<ComboItem> renderEmptyState={() => <p className="combo-box-none">{t`No matches.`}</p>}>
            {(item) => (
              <ListBoxItem id={item.id} textValue={item.label} className="choice-line">
                <span>{item.label}</span>
                {item.note && <span className="muted size-13">{item.note}</span>}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </AriaComboBox>
    </AriaLanguage>
  )
}

const letters = new Intl.Collator(undefined, { usage: 'search', sensitivity: 'base' })

/**
 * Returns whether the text begins a word of the label: "ger" matches Germany, but neither Algeria nor Niger; "kin"
 * matches the United Kingdom.
 */
function beginsWord(label: string, typed: string): boolean {
  const wanted = typed.trim()
  const starts = [...label.matchAll(/(?<!\p{L})\p{L}/gu)].map(({ index }) => index)
  return starts.some((start) => letters.compare(label.slice(start, start + wanted.length), wanted) === 0)
}

/** A click opens the list again after it was closed, because the focus that opened it has not changed. */
function SearchInput({ autoComplete }: Pick<ComboBoxProps, 'autoComplete'>) {
  const state = useContext(ComboBoxStateContext)
  return (
    <Input
      autoComplete={autoComplete}
      onClick={() => state?.open(null, 'manual')}
      // The open list blocks scrolling, so the field must be scrolled into view before.
      onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest' })}
    />
  )
}
