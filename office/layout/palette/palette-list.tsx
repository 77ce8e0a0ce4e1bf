import { useLingui } from '@lingui/react/macro'
import { type MouseEvent, useEffect } from 'react'
import { useRouter } from 'wouter'
import { Money } from '#ui/money/money.tsx'
import { changeQuery } from '#ui/navigation/url-state.ts'
import { clockTime } from '#ui/text/time.tsx'
import { useStaff } from '../../session.ts'
import { matchRange } from './fold.ts'
import { groupOrder, type PaletteGroup, type PaletteItem } from './palette-items.ts'

interface PaletteListProps {
  id: string
  items: readonly PaletteItem[]
  words: string
  chosen: PaletteItem | null
  optionId: (item: PaletteItem) => string
  onPoint: (item: PaletteItem) => void
  onOpen: (item: PaletteItem, inNewTab: boolean) => void
}

export function PaletteList({ id, items, words, chosen, optionId, onPoint, onOpen }: PaletteListProps) {
  const { t } = useLingui()
  const name = useGroupNames()
  const shown = chosen && optionId(chosen)
  useEffect(() => {
    if (shown) document.getElementById(shown)?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <div id={id} className="palette-list" role="listbox" aria-label={t`Results`}>
      {groupOrder.map((group) => {
        const own = items.filter((item) => item.group === group)
        return own.length === 0 ? null : (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <p id={`${id}-${group}`} className="section-name palette-group">
              {name(group)}
            </p>
            {own.map((item) => (
              <Option
                key={item.key}
                id={optionId(item)}
                item={item}
                words={words}
                isChosen={item === chosen}
                onPoint={onPoint}
                onOpen={onOpen}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}

function useGroupNames(): (group: PaletteGroup) => string {
  const { t } = useLingui()
  const names: Readonly<Record<PaletteGroup, string>> = {
    recent: t`Recent`,
    clients: t`Clients`,
    accounts: t`Accounts`,
    references: t`References`,
    banks: t`Bank accounts`,
    actions: t`Actions`,
    pages: t`Pages`,
  }
  return (group) => names[group]
}

interface OptionProps extends Pick<PaletteListProps, 'words' | 'onPoint' | 'onOpen'> {
  id: string
  item: PaletteItem
  isChosen: boolean
}

/** One row: name and client, and on the right the amount, the keys, or the permitted role. */
function Option({ id, item, words, isChosen, onPoint, onOpen }: OptionProps) {
  const { base } = useRouter()
  const { firm } = useStaff()
  const { icon: Icon, title, note, href, amount, at, keys, closed } = item
  const press = (event: MouseEvent) => {
    if (event.button > 1) return
    event.preventDefault()
    onOpen(item, event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey)
  }
  return (
    <a
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={closed !== undefined || undefined}
      tabIndex={-1}
      href={closed !== undefined || href === '' ? undefined : base + addressOf(item)}
      className="palette-option"
      onClick={press}
      onAuxClick={press}
      onMouseMove={() => !isChosen && onPoint(item)}
    >
      <Icon className="small" aria-hidden="true" />
      <span className="palette-words">
        <b>
          <HighlightedText text={title} words={words} />
        </b>
        {note && (
          <span className="palette-note">
            <HighlightedText text={note} words={words} />
          </span>
        )}
      </span>
      <span className="palette-side">
        {closed ??
          (amount ? (
            <Money amount={amount} />
          ) : at ? (
            clockTime(at, firm.timeZone)
          ) : (
            keys?.map((key) => (
              <kbd key={key} className="key" aria-hidden="true">
                {key}
              </kbd>
            ))
          ))}
      </span>
      <span className="palette-enter" aria-hidden="true">
        {isChosen && <kbd className="key">↵</kbd>}
      </span>
    </a>
  )
}

/** Returns the address that the browser's own menu opens or copies: the client's page logs where it was opened from. */
function addressOf({ href, client }: PaletteItem): string {
  if (!client) return href
  const [path = '', search] = href.split('?')
  return path + changeQuery(search ?? '', { opened: 'search' })
}

/** Underlines the search text. */
function HighlightedText({ text, words }: { text: string; words: string }) {
  const range = words === '' ? null : matchRange(text, words)
  if (!range) return text
  const [from, to] = range
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}
