/** What axe finds on a page as it stands (WCAG 2.2 AA and axe's best practices), light and dark. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'

/** Without comments and long names: half as much for the browser to read. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const everyRule: RunOptions = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }
const contrast: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] }

/** Each violation in a scheme as a line of text: scheme, rule, where, and the element. */
export async function violationsIn(page: Page, colorScheme: 'light' | 'dark', rules = everyRule): Promise<string[]> {
  // Axe is read once for each document: reading it takes longer than running it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const violations = await page.evaluate(async (chosen) => {
    // A colour on its way from one scheme to the other is no one's contrast. What fades only after a while, such as a
    // table whose rows are read again, is not hurried there.
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
    for (const transition of transitions) if (transition.transitionProperty !== 'opacity') transition.finish()
    const found = await window.axe.run(document, chosen)
    return found.violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, html }) => `${target.join(' ')} ${html}`),
    }))
  }, rules)
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${colorScheme} ${id}: ${node}`))
}

/**
 * Expects nothing for axe to find in the state that the page is in: an open dialog, a later step, an error shown. Every
 * rule in light; in dark the contrast alone: what a scheme changes is colour.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that is being fetched has no heading yet; that it never has one, axe would say.
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
