/** What axe finds on a page as it stands (WCAG 2.2 AA and axe's best practices), light and dark. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Each violation as a line of text; every rule in light, and in dark the contrast: what a scheme changes is colour alone. */
export async function violationsOf(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
    if (colorScheme === 'light') axe.withTags(rules)
    else axe.withRules(['color-contrast'])
    const { violations } = await axe.analyze()
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ target, html }) => `${colorScheme} ${id}: ${target.join(' ')} ${html}`))
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  return found
}

/** Expects nothing for axe to find in the state that the page is in: an open dialog, a later step, an error shown. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}
