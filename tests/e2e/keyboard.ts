/** Use without a mouse: moves to a control with Tab only, and presses keys there. */
import type { ElementHandle, Locator, Page } from '@playwright/test'
import { expect } from './expect.ts'

const tabsMax = 160
const tilesMax = 12

/**
 * Moves the focus with Tab, or back with Shift+Tab, to a control; the focus must be visible. Fails if neither reaches
 * it, and if an existing focus has been lost.
 */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  let place = await handleOf(control)
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    const way = await place.evaluate(keyTowards)
    // The control has been rendered again meanwhile.
    if (way === 'gone') place = await handleOf(control)
    else if (way === 'lost' && tabs === 0)
      // The element that replaces the pressed control receives the focus a moment later.
      await expect.poll(() => place.evaluate(keyTowards), 'The focus was lost.').not.toBe('lost')
    else if (way !== 'there') await page.keyboard.press(way === 'lost' ? 'Tab' : way)
    else if (tabs > 0) return expectFocusVisible(place, control.toString())
    // The control had the focus already, perhaps from a click, for which no focus ring is required.
    else return
  }
  const active = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
  throw new Error(`Tab does not lead to ${control.toString()}: the focus is on ${active}`)
}

type ControlHandle = ElementHandle<HTMLElement | SVGElement>

/** Returns the element itself, because an open list on the way hides everything else from queries by role. */
async function handleOf(control: Locator): Promise<ControlHandle> {
  const place = await control.elementHandle()
  if (place === null) throw new Error(`There is no ${control.toString()}`)
  return place
}

/**
 * Runs in the browser: returns the key that leads towards a control. The focus is lost if an element of this document
 * had it before.
 */
function keyTowards(wanted: Element): 'Tab' | 'Shift+Tab' | 'there' | 'gone' | 'lost' {
  const walk = globalThis as typeof globalThis & { begun?: Document }
  const active = document.activeElement ?? document.body
  if (!wanted.isConnected) return 'gone'
  if (active === document.body && walk.begun === document) return 'lost'
  if (active === wanted) {
    walk.begun = document
    return 'there'
  }
  return active.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING ? 'Tab' : 'Shift+Tab'
}

/** Expects the focused element to be in the window with a focus ring; an element that slides in may need a moment. */
async function expectFocusVisible(place: ControlHandle, name: string): Promise<void> {
  const unseen = (wanted: Element): string | null => {
    const { left, right, top, bottom } = wanted.getBoundingClientRect()
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    if (seen === null) return 'It is not in the window.'
    const bar = seen.closest('header, footer')
    if (bar && !bar.contains(wanted)) return `It is under ${bar.className}.`
    // A field in a frame and a tile have their focus ring around the frame.
    const ringed = [wanted, wanted.parentElement, wanted.parentElement?.parentElement]
    return ringed.some((one) => one && getComputedStyle(one).outlineStyle !== 'none') ? null : 'It has no ring.'
  }
  if ((await place.evaluate(unseen)) !== null) await expect.poll(() => place.evaluate(unseen), name).toBeNull()
}

/** Moves to a button, once it is enabled, and presses Enter. */
export async function press(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeEnabled()
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

/** Moves to a field and replaces its text; an empty text clears it. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  if (text === '') await page.keyboard.press('Delete')
  await page.keyboard.type(text)
}

/** Moves to a group of tiles and, with arrow keys, to one of them. */
export async function chooseTile(page: Page, tile: Locator): Promise<void> {
  const stop = await tile.evaluate((wanted: HTMLInputElement) => {
    const group = [...document.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(wanted.name)}"]`)]
    const first = group.find((one) => one.checked) ?? group.find((one) => !one.disabled) ?? wanted
    return { name: first.name, value: first.value, isWanted: first === wanted }
  })
  await tabTo(page, page.locator(`input[name="${stop.name}"][value="${stop.value}"]`))
  if (stop.isWanted) await page.keyboard.press('Space')
  for (let keys = 0; keys < tilesMax && !(await tile.isChecked()); keys += 1) await page.keyboard.press('ArrowDown')
  await expect(tile).toBeChecked()
}

/** Moves to a list, types the start of the wanted value, and continues with arrow keys. */
export async function chooseOption(page: Page, list: Locator, value: string): Promise<void> {
  await tabTo(page, list)
  const [start = ''] = ((await list.locator(`option[value="${value}"]`).textContent()) ?? value).split(/\s/)
  if ((await list.inputValue()) !== value) await page.keyboard.type(start)
  const lines = await list.evaluate((select: HTMLSelectElement, wanted) => {
    const open = [...select.options].filter((option) => option.selected || !option.disabled)
    return open.findIndex((option) => option.value === wanted) - open.findIndex((option) => option.selected)
  }, value)
  const key = lines < 0 ? 'ArrowUp' : 'ArrowDown'
  for (let keys = 0; keys < Math.abs(lines); keys += 1) await page.keyboard.press(key)
  await expect(list).toHaveValue(value)
}

/** Moves to a checkbox and checks it. */
export async function tick(page: Page, box: Locator): Promise<void> {
  await tabTo(page, box)
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()
}

/** Chooses a file with the keyboard: the button opens the browser's own dialog. */
export async function chooseFile(
  page: Page,
  button: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await tabTo(page, button)
  const asked = page.waitForEvent('filechooser')
  // One more round trip before the key ensures that the browser reports its dialog to Playwright.
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await (await asked).setFiles(file)
}

/** Presses the keys of one shortcut with the same event time, so that the second is not too late on a slow machine. */
export async function pressTogether(page: Page, keys: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
    const { timeStamp: at } = new Event('now')
    Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get: () => at })
    addEventListener('keys-pressed', () => own && Object.defineProperty(Event.prototype, 'timeStamp', own), {
      once: true,
    })
  })
  for (const key of keys) await page.keyboard.press(key)
  await page.evaluate(() => void dispatchEvent(new Event('keys-pressed')))
}

const viewedAfterMs = 1000

/** Advances this page's clock: the item that has just appeared counts as viewed, and keys decide it. No time passes. */
export async function markItemViewed(page: Page): Promise<void> {
  await page.evaluate((ms) => {
    const now = Date.now() + ms
    Date.now = () => now
  }, viewedAfterMs)
}

/** Stops the clock of every document that this page opens: newly shown content stays new. */
export async function stopClock(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const now = Date.now()
    Date.now = () => now
  })
}

/** Delays this page's animation frames, like a busy machine, until the returned function is called. */
export async function delayFrames(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const held = new Map<number, FrameRequestCallback>()
    const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = globalThis
    let last = -1
    globalThis.requestAnimationFrame = (callback) => {
      held.set(last, callback)
      return last--
    }
    globalThis.cancelAnimationFrame = (handle) => void (held.delete(handle) || cancel.call(globalThis, handle))
    addEventListener(
      'frames-released',
      () => {
        Object.assign(globalThis, { requestAnimationFrame: request, cancelAnimationFrame: cancel })
        for (const callback of held.values()) request.call(globalThis, callback)
      },
      { once: true },
    )
  })
  return () => page.evaluate(() => void dispatchEvent(new Event('frames-released')))
}
