import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { AriaLanguage } from './aria-language.tsx'
import './floating.css'
import './menu.css'

export interface MenuEntry {
  key: string
  label: ReactNode
  /** For typing ahead, when the label is no plain text. */
  text?: string
  icon?: ReactNode
  disabled?: boolean
  onAction: () => void
}

/** A button that opens a list of commands. `look` is the class of the button: "button outline small", "icon-button". */
export function Menu({
  name,
  face,
  look = 'icon-button',
  entries,
}: {
  name: string
  face: ReactNode
  look?: string
  entries: readonly MenuEntry[]
}) {
  return (
    <AriaLanguage>
      <MenuTrigger>
        <Button className={look} aria-label={name}>
          {face}
        </Button>
        <Popover className="floating menu-list" placement="bottom end">
          <AriaMenu aria-label={name}>
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
          </AriaMenu>
        </Popover>
      </MenuTrigger>
    </AriaLanguage>
  )
}
