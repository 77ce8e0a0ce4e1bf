import type { ReactNode, RefObject } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { AriaLanguage } from '../i18n/aria-language.tsx'
import './popover.css'
import './menu.css'

export interface MenuEntry {
  key: string
  label: ReactNode
  /** For typeahead, if the label is no plain text. */
  text?: string
  icon?: ReactNode
  disabled?: boolean
  onAction: () => void
}

interface MenuListProps {
  name: string
  entries: readonly MenuEntry[]
  /** The button below which it is positioned. */
  button: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** According to WAI-ARIA, an opening menu focuses its first item. */
const opened = { autoFocus: 'first' } as const

/** The items of a menu: separate from its button, because the first load of a page does without this code. */
export function MenuList({ name, entries, button, isOpen, onOpenChange }: MenuListProps) {
  return (
    <AriaLanguage>
      <Popover
        triggerRef={button}
        trigger="MenuTrigger"
        aria-label={name}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        className="floating menu-list"
        placement="bottom end"
      >
        <Menu aria-label={name} {...opened} onClose={() => onOpenChange(false)}>
          {entries.map((entry) => (
            <MenuItem
              key={entry.key}
              id={entry.key}
              className="choice-line"
              textValue={entry.text ?? (typeof entry.label === 'string' ? entry.label : entry.key)}
              isDisabled={Boolean(entry.disabled)}
              onAction={entry.onAction}
            >
              <span className="row">
                {entry.icon}
                {entry.label}
              </span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </AriaLanguage>
  )
}
