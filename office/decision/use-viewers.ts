import { useEffect, useRef, useState } from 'react'
import { viewItem } from '#contract/office/inbox.ts'
import { call } from '#ui/api/call.ts'

/** Less than half of the 30 s after which the server drops a viewer (requirements 18.21). */
const againMs = 12_000
/** How long a preview must be shown to count as viewed, in ms: moving through a list does not count. */
const previewMs = 5_000

interface Viewer {
  id: string
  name: string
}

/**
 * Reports that this person views an item, and returns the other viewers. A record's own page counts while it is
 * visible; a preview after five seconds, as long as the window has the focus. Source: requirements 19.22.
 */
export function useViewers(
  itemId: string | null,
  first: readonly Viewer[],
  place: 'page' | 'preview' = 'page',
): readonly Viewer[] {
  const [answered, setAnswered] = useState<{ itemId: string; read: readonly Viewer[]; viewers: readonly Viewer[] }>()
  const read = useRef(first)
  useEffect(() => {
    read.current = first
  }, [first])
  useEffect(() => {
    if (itemId === null) return
    const say = (here: boolean) =>
      void call(viewItem, { id: itemId, here }, { background: true }).then(
        (answer) => here && setAnswered({ itemId, read: read.current, viewers: answer.viewers }),
        () => undefined,
      )
    return place === 'page' ? reportPageViewing(say) : reportPreviewViewing(say)
  }, [itemId, place])
  // A record reloaded after the response is more recent.
  return answered?.itemId === itemId && answered.read === first ? answered.viewers : first
}

function reportPageViewing(say: (here: boolean) => void): () => void {
  const sayHere = () => document.visibilityState === 'visible' && say(true)
  sayHere()
  const timer = setInterval(sayHere, againMs)
  return () => {
    clearInterval(timer)
    say(false)
  }
}

function reportPreviewViewing(say: (here: boolean) => void): () => void {
  let begins: ReturnType<typeof setTimeout> | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const begin = () => {
    clearTimeout(begins)
    if (document.hasFocus() && timer === undefined) begins = setTimeout(look, previewMs)
  }
  const look = () => {
    say(true)
    timer = setInterval(() => say(true), againMs)
  }
  const end = () => {
    clearTimeout(begins)
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    say(false)
  }
  begin()
  addEventListener('focus', begin)
  addEventListener('blur', end)
  return () => {
    removeEventListener('focus', begin)
    removeEventListener('blur', end)
    end()
  }
}
