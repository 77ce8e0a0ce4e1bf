import { useEffect, useState } from 'react'
import { viewItem } from '#contract/office/inbox.ts'
import { call } from '#ui/call.ts'

/** Half of the 30 s after which the server forgets a viewer (mechanics, section 4). */
const againMs = 12_000

interface Viewer {
  id: string
  name: string
}

/** Says that this person looks at an item while the page is seen, and answers who else does. */
export function useViewing(itemId: string | null, first: readonly Viewer[]): readonly Viewer[] {
  const [viewers, setViewers] = useState<{ itemId: string; viewers: readonly Viewer[] } | null>(null)
  useEffect(() => {
    if (itemId === null) return
    const say = (here: boolean) =>
      call(viewItem, { id: itemId, here }, { background: true }).then(
        (answer) => here && setViewers({ itemId, viewers: answer.viewers }),
        () => undefined,
      )
    const sayHere = () => document.visibilityState === 'visible' && void say(true)
    sayHere()
    const timer = setInterval(sayHere, againMs)
    return () => {
      clearInterval(timer)
      void say(false)
    }
  }, [itemId])
  return viewers && viewers.itemId === itemId ? viewers.viewers : first
}
