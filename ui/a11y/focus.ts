/**
 * Restores a lost focus. The focused control may be removed, for example when a form replaces its button or a page
 * another one. Its replacement receives the focus, so that keyboard and screen reader users continue where they were.
 */

import { useEffect, useRef } from 'react'

/** Scrolls a new page to the top and focuses it, unless one of its steps has the focus. Not on the first page. */
export function useFocusOnNewPage(path: string): void {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    scrollTo(0, 0)
    const page = document.getElementById('content')
    // Nothing has the focus: it was lost with the old page, and is restored once the new one is rendered.
    if (document.activeElement === document.body || page?.contains(document.activeElement)) return
    page?.focus({ preventScroll: true })
  }, [path])
}

/** An element and its index among its siblings when it received the focus. */
interface Footprint {
  readonly element: Element
  readonly place: number
}

/** The focused element and its ancestors, innermost first; empty while nothing has the focus. */
type Trail = readonly Footprint[]

let trail: Trail = []

/** The last focused element of the page itself, to which the focus returns after consecutive dialogs. */
let lastOfPage: Element | null = null

/** Where the focus was when a dialog took it: its opener may have been removed when the dialog closes. */
const cameFrom = new WeakMap<Element, Trail>()

/** Watches the document as long as the page is open. */
export function restoreFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    const before = trail
    trail = target instanceof Element ? trailOf(target) : []
    const dialog = dialogOf(trail)
    if (dialog && dialog !== dialogOf(before) && !cameFrom.has(dialog)) cameFrom.set(dialog, before)
    const page = document.getElementById('content')
    if (target !== page && target instanceof Element && page?.contains(target)) lastOfPage = target
  })
  // Left on purpose, for example by a click on the background: nothing to restore.
  document.addEventListener('focusout', () => setTimeout(clearTrail))
  let asked = 0
  const watching = new MutationObserver(() => {
    if (!isLost(trail)) return
    const lost = trail
    focusDialogOf(lost)
    cancelAnimationFrame(asked)
    // A step that focuses its own heading, and a dialog that returns the focus to its opener, take precedence.
    asked = requestAnimationFrame(() => requestAnimationFrame(() => restoreLostFocus(lost)))
  })
  watching.observe(document.body, { childList: true, subtree: true })
}

function trailOf(target: Element): Trail {
  const found: Footprint[] = []
  for (let element: Element | null = target; element; element = element.parentElement)
    found.push({ element, place: [...(element.parentElement?.children ?? [])].indexOf(element) })
  return found
}

function dialogOf(steps: Trail): Element | undefined {
  return steps.find(({ element }) => element.matches('[role="dialog"], [role="alertdialog"]'))?.element
}

function clearTrail(): void {
  if (document.activeElement === document.body && trail[0] && isVisible(trail[0].element)) trail = []
}

function isLost(steps: Trail): boolean {
  const active = document.activeElement
  return (active === null || active === document.body) && steps[0] !== undefined && !isVisible(steps[0].element)
}

/**
 * Focuses the dialog whose control was removed, so that a key pressed before the next frame, such as Escape, still
 * reaches it.
 */
function focusDialogOf(lost: Trail): void {
  const dialog = dialogOf(lost)
  if (dialog instanceof HTMLElement && isVisible(dialog)) dialog.focus({ preventScroll: true })
}

/**
 * Returns whether the dialog that lost its focused control has the focus itself, or its first control has: that is the
 * close button, and the next key would close the dialog.
 */
function isAtDialogStart(steps: Trail): boolean {
  const dialog = dialogOf(steps)
  if (dialog === undefined || !isVisible(dialog)) return false
  return document.activeElement === dialog || document.activeElement === controlIn(dialog)
}

/** Returns whether an element is visible: a page is first hidden while the next one loads, and removed later. */
function isVisible(element: Element): boolean {
  return element.isConnected && element.getClientRects().length > 0
}

/** Restores the focus. While a page is loading there is no target yet; its rendering tries again. */
function restoreLostFocus(lost: Trail): void {
  if (!isLost(lost) && !isAtDialogStart(lost)) return
  const page = document.getElementById('content')
  const target = page && nearestControl(beforeDialogs(lost), page)
  if (!target) return
  if (target === page) page.tabIndex = -1
  target.focus({ preventScroll: target === page })
}

/** Returns where the focus was before a dialog that has closed, and before the one that it replaced. */
function beforeDialogs(lost: Trail): Trail {
  const dialog = dialogOf(lost)
  const before = dialog && !isVisible(dialog) ? cameFrom.get(dialog) : undefined
  return before && before.length > 0 ? beforeDialogs(before) : lost
}

/** Returns the control nearest to the lost focus; the page if there is none. */
function nearestControl(steps: Trail, page: HTMLElement): HTMLElement | null {
  const depth = steps.findIndex(({ element }) => isVisible(element))
  const left = steps[depth]?.element
  if (!left) return null
  if (depth === 0 && left instanceof HTMLElement) return left
  if (left.contains(page)) return sameTab(steps, page) ?? lastIn(page) ?? page
  return controlAt(left, steps[depth - 1]?.place ?? 0) ?? (page.contains(left) ? page : null)
}

/** Returns the tab that was followed to a page with the same tabs, to keep the focus there. */
function sameTab(steps: Trail, page: HTMLElement): HTMLElement | null {
  const href = steps[0]?.element.getAttribute('href')
  const current = page.querySelectorAll<HTMLElement>('a[aria-current="page"]')
  return [...current].find((link) => link.getAttribute('href') === href) ?? null
}

function lastIn(page: HTMLElement): HTMLElement | null {
  return lastOfPage instanceof HTMLElement && page.contains(lastOfPage) && isVisible(lastOfPage) ? lastOfPage : null
}

const controls = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]'

/**
 * Returns the row after a removed one, or the row before it if it was the last; for a button the form that replaced it.
 */
function controlAt(left: Element, place: number): HTMLElement | null {
  const children = [...left.children]
  for (const child of [...children.slice(place), ...children.slice(0, place).reverse()]) {
    const control = controlIn(child)
    if (control) return control
  }
  return null
}

function controlIn(place: Element): HTMLElement | null {
  const found = [place, ...place.querySelectorAll(controls)].filter(
    (one): one is HTMLElement => one instanceof HTMLElement && one.matches(controls),
  )
  return found.find((control) => control.tabIndex >= 0 && isVisible(control)) ?? null
}

/** A `ref` that focuses a requested field, or the button of a closed dialog, once it is rendered. */
export function focusOnRender(control: HTMLElement | null): void {
  control?.focus()
}
