/** What axe finds on a page as it stands (WCAG 2.2 AA and axe's best practices), light and dark. */
import { expect, type Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Every rule in light; in dark the contrast alone: what a scheme changes is colour. */
const looks: readonly (readonly ['light' | 'dark', RunOptions])[] = [
  ['light', { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }],
  ['dark', { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] }],
]

/** Each violation as a line of text: scheme, rule, where, and the element. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Axe is read once for each document: reading it takes longer than running it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found: string[] = []
  for (const [colorScheme, options] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // A colour on its way from one scheme to the other is nobody's contrast.
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
    })
    const { violations } = await page.evaluate((chosen) => window.axe.run(document, chosen), options)
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ target, html }) => `${colorScheme} ${id}: ${target.join(' ')} ${html}`))
  }
  await page.emulateMedia({ colorScheme: null })
  return found
}

/** Expects nothing for axe to find in the state that the page is in: an open dialog, a later step, an error shown. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}
