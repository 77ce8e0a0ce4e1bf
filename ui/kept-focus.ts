/**
 * Keeps the focus from being lost. A control that has it may go away: a form takes the place of its button, a page the
 * place of another. What stands there now takes it, so that keyboard and screen reader go on where the person was.
 */

import { useEffect, useRef } from 'react'

/** A new page begins at its top and has the focus, unless a step of it took it; the first page begins as the browser does. */
export function useFocusOnNewPage(path: string): void {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    scrollTo(0, 0)
    const page = document.getElementById('content')
    // Nothing has it: then it was lost with the old page, and is put back once the new one is drawn.
    if (document.activeElement === document.body || page?.contains(document.activeElement)) return
    page?.focus({ preventScroll: true })
  }, [path])
}

/** The focused element and all that it stands in, from the inside out; none while nothing has the focus. */
let trail: readonly Element[] = []
/** Where it last was in the page itself: there it goes again from dialogs that followed one on another. */
let lastOfPage: Element | null = null

/** Watches the document as long as it is open. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    trail = target instanceof Element ? withAncestors(target) : []
    const page = document.getElementById('content')
    if (target !== page && target instanceof Element && page?.contains(target)) lastOfPage = target
  })
  // Left on purpose, by a click beside everything say: then nothing is lost.
  document.addEventListener('focusout', () => setTimeout(forgetLeft))
  let asked = 0
  const watching = new MutationObserver(() => {
    if (!isLost()) return
    cancelAnimationFrame(asked)
    // A step that puts the focus on its own heading, and a dialog that gives it back to its opener, come first.
    asked = requestAnimationFrame(() => requestAnimationFrame(putBack))
  })
  watching.observe(document.body, { childList: true, subtree: true })
}

function withAncestors(element: Element): readonly Element[] {
  const found: Element[] = []
  for (let one: Element | null = element; one; one = one.parentElement) found.push(one)
  return found
}

function forgetLeft(): void {
  if (document.activeElement === document.body && trail[0] && isThere(trail[0])) trail = []
}

function isLost(): boolean {
  const active = document.activeElement
  return (active === null || active === document.body) && trail[0] !== undefined && !isThere(trail[0])
}

/** A page that gives way while the next one is fetched is hidden first, and taken away later. */
function isThere(element: Element): boolean {
  return element.isConnected && element.getClientRects().length > 0
}

/** While a page is still on its way there is no place yet; what is drawn next asks again. */
function putBack(): void {
  if (!isLost()) return
  const page = document.getElementById('content')
  const left = trail.find(isThere)
  if (!page || !left) return
  const target = left.contains(page) ? (sameTab(page) ?? lastIn(page) ?? page) : (controlIn(left) ?? page)
  if (target === page) page.tabIndex = -1
  target.focus({ preventScroll: target === page })
}

/** The tab that was followed to a page with the same tabs: it goes on from there. */
function sameTab(page: HTMLElement): HTMLElement | null {
  const href = trail[0]?.getAttribute('href')
  const current = page.querySelectorAll<HTMLElement>('a[aria-current="page"]')
  return [...current].find((link) => link.getAttribute('href') === href) ?? null
}

function lastIn(page: HTMLElement): HTMLElement | null {
  return lastOfPage instanceof HTMLElement && page.contains(lastOfPage) && isThere(lastOfPage) ? lastOfPage : null
}

const controls = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]'

function controlIn(place: Element): HTMLElement | null {
  const found = place.querySelectorAll<HTMLElement>(controls)
  return [...found].find((control) => control.tabIndex >= 0 && isThere(control)) ?? null
}
