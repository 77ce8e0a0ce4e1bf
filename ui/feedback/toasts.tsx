import { IconX } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { declarationNoticeShownMs, noticeShownMs as noticeMs } from '#rules/constants.ts'
import { IconButton } from '../forms/button.tsx'
import { Notice, type NoticeKind } from './alert.tsx'
import './toasts.css'

export { declarationNoticeShownMs as declarationNoticeMs, noticeMs }

interface Passing {
  id: number
  text: ReactNode
  kind: NoticeKind
  /** null: stays until it is closed. */
  ms: number | null
}

/** What was told in this visit, to be read again when it has passed. */
export interface Told {
  id: number
  text: ReactNode
  at: Date
}

const toldMax = 20
let passing: readonly Passing[] = []
let told: readonly Told[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Passing[]): void {
  passing = next
  for (const listener of listeners) listener()
}

/**
 * Shows a passing notice; errors (`bad`) without a time of their own stay until they are closed. Answers what takes it
 * away where it is true no longer.
 */
export function tell(text: ReactNode, { kind = 'ok', ms }: { kind?: NoticeKind; ms?: number } = {}): () => void {
  const entry = { id: ++lastId, text, kind, ms: ms ?? (kind === 'bad' ? null : noticeMs) }
  told = [{ id: entry.id, text, at: new Date() }, ...told].slice(0, toldMax)
  change([...passing.slice(-3), entry])
  return () => takeAway(entry.id)
}

function takeAway(id: number): void {
  change(passing.filter((entry) => entry.id !== id))
}

/** The notices of this visit, newest first: the bell shows them among its own. */
export function useTold(): readonly Told[] {
  return useSyncExternalStore(subscribe, () => told)
}

/** At the end of a session: what one person was told is not kept for the next. */
export function forgetTold(): void {
  told = []
  change([])
}

/** Where the notices appear: bottom right, on phones at the top. Mounted once by each app's layout. */
export function PassingNotices() {
  const { t } = useLingui()
  const shown = useSyncExternalStore(subscribe, () => passing)
  const [held, setHeld] = useState(false)
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <section
      className="passing-notices"
      aria-label={t`Notifications`}
      data-react-aria-top-layer="true"
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {shown.map((entry) => (
        <PassingNotice key={entry.id} entry={entry} held={held} />
      ))}
    </section>
  )
}

function PassingNotice({ entry, held }: { entry: Passing; held: boolean }) {
  const { t } = useLingui()
  const leftMs = useRef(entry.ms)
  useEffect(() => {
    if (held || leftMs.current === null) return
    const since = performance.now()
    const timer = setTimeout(() => takeAway(entry.id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current = Math.max(0, (leftMs.current ?? 0) - (performance.now() - since))
    }
  }, [held, entry.id])
  return (
    <Notice
      kind={entry.kind}
      action={
        <IconButton name={t`Close`} className="small" onClick={() => takeAway(entry.id)}>
          <IconX className="small" aria-hidden="true" />
        </IconButton>
      }
    >
      {entry.text}
    </Notice>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
