/** Parts of a page whose code is not needed for the first load: dialogs, lists that open. */
import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentType, lazy, useEffect, useState } from 'react'
import { showToast } from '../feedback/toasts.tsx'
import { useCountedDialog } from '../overlays/open-dialogs.ts'
import { CodeMissing } from './code-missing.ts'

type FetchCode<Props> = () => Promise<ComponentType<Props>>

interface PreloadablePart<Props> {
  /** Suspends until its code is loaded. */
  View: ComponentType<Props>
  load: () => Promise<ComponentType<Props>>
  /** Returns the loaded component, or null. */
  fetched: () => ComponentType<Props> | null
}

const againAfterMs = 3_000

/** Requests a part's stylesheet again that could not be loaded. */
function reloadStylesheet({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
    setTimeout(() => target.replaceWith(target.cloneNode()), againAfterMs)
}

addEventListener('error', reloadStylesheet, true)

/**
 * Returns a component whose code is loaded on demand. A loaded one is rendered immediately: React would delay for 300
 * ms a component that suspended even briefly.
 */
export function preloadablePart<Props extends object>(fetchCode: FetchCode<Props>): PreloadablePart<Props> {
  let fetched: ComponentType<Props> | null = null
  const load = async () =>
    (fetched = await fetchCode().catch((cause: unknown) => {
      throw new CodeMissing('code not loaded', { cause })
    }))
  const Waiting = lazy(async () => ({ default: await load() }))
  function View(props: Props) {
    const [Drawn] = useState<ComponentType<Props>>(() => fetched ?? Waiting)
    return <Drawn {...props} />
  }
  return { View, load, fetched: () => fetched }
}

/**
 * Returns a component whose code is loaded when it is first rendered; until then nothing is shown. The code of what may
 * open next is loaded at the first user interaction, so that it opens immediately. A failure is reported with a button
 * that reloads the page: Chromium keeps the failure of an import until then, so importing again would not help.
 */
export function lazyPart<Props extends object>(fetchCode: FetchCode<Props>): ComponentType<Props> {
  return lazyComponent(fetchCode, false)
}

/** Returns the same for a dialog, which counts as open while its code is being loaded: no key opens another one. */
export function lazyDialog<Props extends object>(fetchCode: FetchCode<Props>): ComponentType<Props> {
  return lazyComponent(fetchCode, true)
}

function lazyComponent<Props extends object>(fetchCode: FetchCode<Props>, isDialog: boolean): ComponentType<Props> {
  const { load, fetched } = preloadablePart(fetchCode)
  onFirstInteraction(() => {
    load().catch(() => undefined)
  })
  return function FetchedLater(props: Props) {
    const [Drawn, setDrawn] = useState<ComponentType<Props> | null>(fetched)
    const [isMissing, setMissing] = useState(false)
    useCountedDialog(isDialog && !Drawn && !isMissing)
    useEffect(() => {
      if (Drawn) return undefined
      let wanted = true
      let takeBack = () => {}
      load().then(
        (code) => wanted && setDrawn(() => code),
        () => {
          if (!wanted) return
          setMissing(true)
          takeBack = showToast(() => <LoadError />, { kind: 'bad' })
        },
      )
      return () => {
        wanted = false
        takeBack()
      }
    }, [Drawn])
    return Drawn && <Drawn {...props} />
  }
}

function LoadError() {
  const { t } = useLingui()
  return (
    <>
      <Trans>This content could not be loaded.</Trans>{' '}
      <button type="button" className="text-button" onClick={() => location.reload()}>{t`Reload page`}</button>
    </>
  )
}

/** Without focus events: a page sets its focus when it opens. */
const interactionEvents = ['pointermove', 'pointerdown', 'keydown'] as const
const pendingFetches = new Set<() => void>()
let hasInteracted = false

function onFirstInteraction(fetchNow: () => void): void {
  if (hasInteracted) return fetchNow()
  pendingFetches.add(fetchNow)
}

function handleInteraction(event: Event): void {
  // A browser also reports a pointer that rests where a page opens.
  if (event instanceof MouseEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return
  hasInteracted = true
  for (const movement of interactionEvents) removeEventListener(movement, handleInteraction, true)
  for (const fetchNow of pendingFetches) fetchNow()
  pendingFetches.clear()
}

for (const movement of interactionEvents)
  addEventListener(movement, handleInteraction, { capture: true, passive: true })
