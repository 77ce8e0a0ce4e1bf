import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listMentionable } from '#contract/office/inbox.ts'
import { TextArea } from '#ui/forms/text-field.tsx'
import '#ui/overlays/popover.css'
import { AbsenceLine } from '../../records/absence.tsx'

type Person = ResponseOf<typeof listMentionable>['people'][number]

interface MentionAreaProps {
  label: string
  hint: string
  rows: number
  people: readonly Person[]
  /** Called when an @ was typed, to load the people. */
  onMention: () => void
  value: string
  error: string | undefined
  onValue: (text: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
}

const shownMax = 6

/**
 * A text field in which @ and the beginning of a name suggest colleagues: arrow keys select, Enter or Tab inserts the
 * full name.
 */
export function MentionArea({ people, onMention, value, onValue, onKeyDown, ...field }: MentionAreaProps) {
  const { t } = useLingui()
  const list = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [begun, setBegun] = useState<string | null>(null)
  const [place, setPlace] = useState(0)
  const found = begun === null ? [] : people.filter(({ name }) => fits(name, begun)).slice(0, shownMax)
  const look = (text: string, caret: number) => {
    const next =
      /(?:^|\s)@([\p{L}\p{M}\p{N}'’.-]*(?: [\p{L}\p{M}\p{N}'’.-]*)?)$/u.exec(text.slice(0, caret))?.[1] ?? null
    if (next !== null) onMention()
    setBegun(next)
    setPlace(0)
  }
  const take = ({ name }: Person) => {
    const caret = area.current?.selectionStart ?? value.length
    const start = caret - (begun?.length ?? 0)
    const before = `${value.slice(0, start)}${name} `
    onValue(before + value.slice(caret))
    setBegun(null)
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(before.length, before.length)
    })
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const chosen = found[place]
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (!chosen || !plain) return onKeyDown(event)
    if (event.key === 'ArrowDown') setPlace((place + 1) % found.length)
    else if (event.key === 'ArrowUp') setPlace((place + found.length - 1) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen)
    else if (event.key === 'Escape') setBegun(null)
    else return onKeyDown(event)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="mention-area">
      <TextArea
        {...field}
        ref={area}
        value={value}
        aria-autocomplete="list"
        aria-controls={found.length > 0 ? list : undefined}
        aria-activedescendant={found[place] && `${list}-${found[place].id}`}
        onChange={({ target }) => {
          onValue(target.value)
          look(target.value, target.selectionStart)
        }}
        onBlur={() => setBegun(null)}
        onKeyDown={press}
      />
      {found.length > 0 && (
        <div id={list} role="listbox" aria-label={t`Colleagues`} className="mention-list floating">
          {found.map((person, index) => (
            <div
              key={person.id}
              id={`${list}-${person.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === place}
              className="choice-line"
              data-focused={index === place ? '' : undefined}
              // Keeps the focus in the text field.
              onMouseDown={(event) => {
                event.preventDefault()
                take(person)
              }}
            >
              <span>
                {person.name}
                <AbsenceLine absence={person.absence} />
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** Returns whether the text is the beginning of the name, or of one of its parts. */
function fits(name: string, begun: string): boolean {
  const [whole, words] = [name.toLowerCase(), begun.toLowerCase()]
  return whole.startsWith(words) || whole.includes(` ${words}`)
}
