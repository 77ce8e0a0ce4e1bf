import { IconX } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { declarationNoticeShownMs, noticeShownMs as noticeMs } from '#rules/constants.ts'
import { IconButton } from '../forms/button.tsx'
import { Alert, type AlertKind } from './alert.tsx'
import './toasts.css'

export { declarationNoticeShownMs as declarationNoticeMs, noticeMs }

interface ToastEntry {
  id: number
  text: () => ReactNode
  kind: AlertKind
  /** null: stays until it is closed. */
  ms: number | null
}

/** A toast of this visit, which can be read again later. */
export interface Toast {
  id: number
  text: () => ReactNode
  at: Date
}

const shownToastsMax = 20
let toasts: readonly ToastEntry[] = []
let shownToasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setToasts(next: readonly ToastEntry[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/**
 * Shows a toast, whose text follows the reader's language; errors (`bad`) without a time of their own, and those whose `ms` is null, stay until they are closed.
 * Returns a function that removes it when it no longer applies.
 */
export function showToast(
  text: () => ReactNode,
  { kind = 'ok', ms }: { kind?: AlertKind; ms?: number | null } = {},
): () => void {
  const entry = { id: ++lastId, text, kind, ms: ms === undefined ? (kind === 'bad' ? null : noticeMs) : ms }
  shownToasts = [{ id: entry.id, text, at: new Date() }, ...shownToasts].slice(0, shownToastsMax)
  setToasts([...toasts.slice(-3), entry])
  return () => dismissToast(entry.id)
}

function dismissToast(id: number): void {
  setToasts(toasts.filter((entry) => entry.id !== id))
}

/** Returns the toasts of this visit, newest first, for the bell's list. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => shownToasts)
}

/** Clears the toasts at the end of a session, so that the next person does not see them. */
export function clearToasts(): void {
  shownToasts = []
  setToasts([])
}

/** The region of toasts: bottom right, on phones at the top. Mounted once by each app's layout. */
export function Toasts() {
  const { t } = useLingui()
  const shown = useSyncExternalStore(subscribe, () => toasts)
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
        <ToastView key={entry.id} entry={entry} held={held} />
      ))}
    </section>
  )
}

function ToastView({ entry, held }: { entry: ToastEntry; held: boolean }) {
  const { t } = useLingui()
  const leftMs = useRef(entry.ms)
  useEffect(() => {
    if (held || leftMs.current === null) return
    const since = performance.now()
    const timer = setTimeout(() => dismissToast(entry.id), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current = Math.max(0, (leftMs.current ?? 0) - (performance.now() - since))
    }
  }, [held, entry.id])
  return (
    <Alert
      kind={entry.kind}
      action={
        <IconButton name={t`Close`} className="small" onClick={() => dismissToast(entry.id)}>
          <IconX className="small" aria-hidden="true" />
        </IconButton>
      }
    >
      {entry.text()}
    </Alert>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
