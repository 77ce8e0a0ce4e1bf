import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getInboxItem, inboxCounts, listMentionable, writeComment } from '#contract/office/inbox.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { sendsOnControlEnter } from '#ui/navigation/keyboard-shortcuts.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { RecordTimeline } from '../../decision/record-timeline.tsx'
import { useMayDo } from '../../session.ts'
import { MentionArea } from './mention-area.tsx'

const commentId = 'inbox-comment'

/** Focuses the comment field. */
export function focusComment(): void {
  document.querySelector<HTMLElement>(`#${commentId} textarea`)?.focus()
}

/** The history of an item with the comments of staff, and the field for a new one. */
export function Comments({ preview: { item, timeline } }: { preview: ResponseOf<typeof getInboxItem> }) {
  const { t } = useLingui()
  const may = useMayDo('writeNote')
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
      showToast(names === '' ? t`Comment added.` : t`Comment added. ${names} will see it in the inbox.`)
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
      <h2 className="title-3 record-side-title">{t`Timeline`}</h2>
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
            onKeyDown={sendsOnControlEnter(send)}
          />
          <Button size="small" pending={write.isPending} onClick={send}>{t`Add comment`}</Button>
        </div>
      )}
      <RecordTimeline record={{ timeline, item: null, state: others.state, ...(client ? { client } : {}) }} />
    </section>
  )
}
