/** Returns the texts of a page, and the texts and controls that do not fit or are too small. */
import type { Page } from '@playwright/test'

/**
 * Returns the texts of a page: visible, for screen readers, or shown on hover. Values in the details of events are data
 * and are left out.
 */
export function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set([document.title])
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode as Text
      if (
        parentElement?.closest('script, style, noscript, .event-difference') === null &&
        parentElement.checkVisibility()
      )
        texts.add(data)
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
      for (const element of document.body.querySelectorAll(`[${name}]`)) texts.add(element.getAttribute(name) ?? '')
    return [...texts].map((text) => text.trim()).filter((text) => text !== '')
  })
}

/**
 * Returns what does not fit: a page that scrolls horizontally, a text cut off without an ellipsis, a button narrower
 * than its text.
 */
export function overflowingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults = new Set<string>()
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth > clientWidth) {
      const beyond = [...document.body.querySelectorAll('*')].findLast((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 0 && (left < -0.5 || right > clientWidth + 0.5)
      })
      faults.add(`the page scrolls by ${scrollWidth - clientWidth}: ${beyond?.className || beyond?.tagName}`)
    }
    const exceeds = (inner: DOMRect, outer: Element) => {
      const { left, right, bottom } = outer.getBoundingClientRect()
      // An area that scrolls vertically, such as a drawer on a phone, cuts off no text.
      const isBelow = inner.bottom > bottom + 3 && !/auto|scroll/.test(getComputedStyle(outer).overflowY)
      return inner.right > right + 1.5 || inner.left < left - 1.5 || isBelow
    }
    const rectOf = (text: Text) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      return range.getBoundingClientRect()
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode as Text
      const parent = text.parentElement
      if (!parent?.checkVisibility() || text.data.trim() === '' || parent.closest('.unseen, option, script')) continue
      const rect = rectOf(text)
      const named = text.data.trim().slice(0, 60)
      const button = parent.closest('button, a.button, .status')
      for (let around: Element | null = parent; around && rect.width > 0; around = around.parentElement) {
        const { overflowX, textOverflow, clipPath } = getComputedStyle(around)
        if (textOverflow === 'ellipsis' || clipPath !== 'none') break
        if (around.scrollWidth > around.clientWidth + 1 && /auto|scroll/.test(overflowX)) {
          // These scroll horizontally by design; other journeys' data may make a table wider than its own texts do.
          if (!around.matches('.tabs, .views, .viewer-thumbs, .history-filters, .case-documents, .table-frame'))
            faults.add(`${around.className || around.tagName} scrolls sideways`)
          break
        }
        const cuts = around === button || (overflowX !== 'visible' && around !== document.body)
        if (cuts && exceeds(rect, around)) faults.add(`${named}: beyond ${around.className || around.tagName}`)
        if (overflowX !== 'visible') break
      }
    }
    return [...faults]
  })
}

/** Returns the references in a page’s content that may break at their hyphen, each with its element. */
export function breakableReferences(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { data, parentElement: parent } = walker.currentNode as Text
      const reference = /\b[A-Z]{2}-[A-Z\d]{5,}\b/.exec(data)?.[0]
      if (reference === undefined || !parent?.checkVisibility() || parent.closest('.unseen')) continue
      if (getComputedStyle(parent).whiteSpace !== 'nowrap')
        found.add(`${reference} in ${parent.className || parent.tagName}`)
    }
    return [...found]
  })
}

/**
 * Places whose text may be truncated with an ellipsis, because the full text is one step away: the account menu, the
 * search that its field opens, the list of all shortcuts.
 */
const allowedTruncations = ['.office-top-who', '.office-search-words', '.inbox-hints']

/** Returns the truncated texts whose full text is neither in a title nor one step away. */
export function truncatedTexts(page: Page): Promise<string[]> {
  return page.evaluate((places) => {
    const faults = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode as Text
      if (data.trim() === '' || !parent?.checkVisibility() || parent.closest('.unseen, option, script')) continue
      for (let around: Element | null = parent; around && around !== document.body; around = around.parentElement) {
        const { overflowX, overflowY, clipPath, textOverflow, webkitLineClamp } = getComputedStyle(around)
        if (clipPath !== 'none' || /auto|scroll/.test(overflowX)) break
        const isClamped = webkitLineClamp !== 'none' && around.scrollHeight > around.clientHeight + 1
        const isCut = textOverflow === 'ellipsis' && around.scrollWidth > around.clientWidth
        if (/hidden|clip/.test(`${overflowX} ${overflowY}`) && (isCut || isClamped)) {
          const fullText = around.closest('[title]')?.getAttribute('title') ?? ''
          if (around.closest(places) === null && !fullText.includes(data.trim()))
            faults.add(`${data.trim().slice(0, 60)}: cut by ${around.className || around.tagName}`)
          break
        }
      }
    }
    return [...faults]
  }, allowedTruncations.join(', '))
}

/** 720 is a window of 1440 px at 200 %; at the others tables show columns that do not all fit in the back office. */
const testedWidths = [720, 768, 840, 900, 1024, 1180, 1280]

/**
 * Returns what does not fit at widths between a phone's and a desktop's: a page or table that scrolls horizontally, a
 * status beyond the edge.
 */
export async function overflowAtWidths(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const width of testedWidths) {
    await page.setViewportSize({ width, height: 450 })
    // Texts have their final width only once their font is loaded.
    const found = await page.evaluate(async () => {
      await document.fonts.ready
      const edge = document.documentElement.clientWidth
      const frames = [...document.querySelectorAll('.table-frame, .tabs')]
      return [
        ...(document.documentElement.scrollWidth > edge ? ['the page scrolls'] : []),
        ...frames
          .filter((frame) => frame.scrollWidth > frame.clientWidth)
          .map((frame) => `${frame.querySelector('caption')?.textContent ?? 'Tabs'}: scrolls`),
        ...[...document.querySelectorAll('main .status')]
          .filter((status) => status.getBoundingClientRect().right > edge)
          .map((status) => `${status.textContent}: beyond the edge`),
      ]
    })
    faults.push(...found.map((fault) => `${width}: ${fault}`))
  }
  return faults
}

/** The side of a touch target in px. */
const fingerPx = 44

/**
 * Returns the controls with too small a touch target: within 22 px of their centre another element is hit. Links in
 * text are exempt.
 */
export function smallControls(page: Page): Promise<string[]> {
  return page.evaluate((side) => {
    const faults = new Set<string>()
    const buttons =
      'button, summary, select, textarea, input:not([type="hidden"]), a.button, .tabs > a, .sheet > header > a'
    /** Whether a line contains words besides its links. */
    const isInText = (link: Element) => {
      let line = link
      while (getComputedStyle(line).display.startsWith('inline') && line.parentElement) line = line.parentElement
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode as Text
        if (data.trim() !== '' && parentElement?.closest('a, .unseen') === null) return true
      }
      return false
    }
    // Touching one of these activates the control within it.
    const around = 'label, .input-frame, .day-field, .combo-box, .select, .setting-colour'
    for (const control of document.querySelectorAll<HTMLElement>(`${buttons}, a:not(.skip-link)`)) {
      if (!control.checkVisibility() || control.closest('.unseen, [inert], [aria-hidden="true"]')) continue
      // Controls that react-aria hides, such as a popover's close button for screen readers.
      if ((control.parentElement?.getBoundingClientRect().width ?? 0) <= 1) continue
      if (!control.matches(buttons) && isInText(control)) continue
      // A link that covers its row or card is hit anywhere in it.
      const covered = control.matches('td > a') ? '.table-row-link' : '.account-card'
      const place = control.matches('td > a, .account-name a') ? covered : around
      const target = control.closest<HTMLElement>(place) ?? control
      target.scrollIntoView({ block: 'center', inline: 'center' })
      const { left, top, width, height } = target.getBoundingClientRect()
      if (width <= 1) continue
      const [x, y] = [left + width / 2, top + height / 2]
      // One px less, because the browser tests whole pixels.
      const far = side / 2 - 1
      for (const [right, below] of [
        [-far, 0],
        [far, 0],
        [0, -far],
        [0, far],
      ] as const) {
        const hit = document.elementFromPoint(x + right, y + below)
        if (hit !== null && target.contains(hit)) continue
        const name = control.innerText.trim().slice(0, 40) || control.getAttribute('aria-label') || control.className
        faults.add(
          `${Math.round(width)}×${Math.round(height)} px for a finger: ${name || control.tagName}, ${right} ${below} hits ${hit?.className || (hit?.tagName ?? 'nothing')}`,
        )
      }
    }
    scrollTo(0, 0)
    return [...faults]
  }, fingerPx)
}
