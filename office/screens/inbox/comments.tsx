import { useLingui } from '@lingui/react/macro'
import { useState, type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getInboxItem, inboxCounts, listMentionable, writeComment } from '#contract/office/inbox.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { submitOnControlEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { TextArea } from '#ui/forms/text-field.tsx'
import { RecordTimeline } from '../../decision/record-timeline.tsx'
import { useCanDo } from '../../session.ts'
import { AbsenceLine } from '../../records/absence.tsx'
import '#ui/overlays/popover.css'

const commentId = 'inbox-comment'

/** Focuses the comment field. */
export function focusComment(): void {
  document.querySelector<HTMLElement>(`#${commentId} textarea`)?.focus()
}

/** The history of an item with the comments of staff, and the field for a new one. */
export function Comments({ preview: { item, timeline } }: { preview: ResponseOf<typeof getInboxItem> }) {
  const { t } = useLingui()
  const may = useCanDo('writeNote') && item.group !== 'decided'
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isNaming, setNaming] = useState(false)
  const { data: people } = useEndpoint(listMentionable, { kind: item.kind }, { enabled: isNaming })
  const write = useEndpointMutation(writeComment, {
    refreshes: [getInboxItem, inboxCounts],
    onFailure: (failure) => setError(failure.errors['text'] ?? failure.error),
    onDone: ({ mentioned }) => {
      const names = mentioned.map(({ name }) => name).join(', ')
      setText('')
      showToast(() => (names === '' ? t`Comment added.` : t`Comment added. ${names} will see it in the inbox.`))
    },
  })
  const send = () => {
    if (write.isPending) return
    if (text.trim() === '') return setError(t`Enter a comment.`)
    write.mutate({ id: item.id, text: text.trim() })
  }
  const { client, ...others } = item
  return (
    <section className="preview-timeline">
      <h2 className="title-3 record-side-title">{t`History`}</h2>
      {may && (
        <div id={commentId} className="preview-comment">
          <MentionArea
            label={t`Comment`}
            hint={t`Only staff can read this. Enter @ and a name to notify a colleague.`}
            rows={2}
            people={people?.people ?? []}
            onMention={() => setNaming(true)}
            value={text}
            error={error}
            onValue={(next) => {
              setText(next)
              setError(undefined)
            }}
            onKeyDown={submitOnControlEnter(send)}
          />
          <Button size="small" pending={write.isPending} onClick={send}>{t`Add comment`}</Button>
        </div>
      )}
      <RecordTimeline record={{ timeline, item: null, state: others.state, ...(client ? { client } : {}) }} />
    </section>
  )
}

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
function MentionArea({ people, onMention, value, onValue, onKeyDown, ...field }: MentionAreaProps) {
  const { t } = useLingui()
  const list = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [begun, setBegun] = useState<string | null>(null)
  const [place, setPlace] = useState(0)
  const found = begun === null ? [] : people.filter(({ name }) => isNameStart(name, begun)).slice(0, shownMax)
  // Before the next key, which would otherwise be typed elsewhere.
  const caretWanted = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caretWanted.current !== null) area.current?.setSelectionRange(caretWanted.current, caretWanted.current)
    caretWanted.current = null
  }, [value])
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
    caretWanted.current = before.length
    onValue(before + value.slice(caret))
    setBegun(null)
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
function isNameStart(name: string, begun: string): boolean {
  const [fullName, words] = [name.toLowerCase(), begun.toLowerCase()]
  return fullName.startsWith(words) || fullName.includes(` ${words}`)
}
