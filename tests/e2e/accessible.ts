/**
 * The violations that axe finds on a page in its current state (WCAG 2.2 AA and axe's best practices), light and dark.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { expect } from './expect.ts'

/** The minified build: half the size for the browser to parse. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const everyRule: RunOptions = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }
const contrast: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] }

/** Returns each violation in a colour scheme as a line of text: scheme, rule, CSS selector, and the element's HTML. */
export async function violationsIn(page: Page, colorScheme: 'light' | 'dark', rules = everyRule): Promise<string[]> {
  // Axe is parsed once for each document: parsing it takes longer than running it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const violations = await page.evaluate(async (chosen) => {
    // A table fades while its rows are reloaded if that takes long, which depends on the machine.
    const unfaded = new CSSStyleSheet()
    unfaded.replaceSync('.table[aria-busy="true"] tbody { opacity: 1 !important; transition: none !important; }')
    document.adoptedStyleSheets.push(unfaded)
    // A colour in transition from one scheme to the other must not be measured.
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    for (const transition of transitions) if (transition.transitionProperty !== 'opacity') transition.finish()
    const found = await window.axe.run(document, chosen)
    document.adoptedStyleSheets.pop()
    return found.violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, html }) => `${target.join(' ')} ${html}`),
    }))
  }, rules)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${colorScheme} ${id}: ${node}`))
}

/**
 * Expects axe to find nothing in the current state of the page: an open dialog, a later step, a shown error. Every rule
 * in light; in dark only the contrast, because a scheme changes only colours.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that is loading has no heading yet; axe would report a page without one.
  await expect(page.locator('h1').filter({ visible: true }).first()).toBeVisible()
  const violations = [...(await violationsIn(page, 'light')), ...(await violationsIn(page, 'dark', contrast))]
  await page.emulateMedia({ colorScheme: null })
  expect(violations).toEqual([])
}

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
