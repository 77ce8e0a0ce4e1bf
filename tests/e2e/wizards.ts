/**
 * Common steps of the portal's money wizards: a client at a page, the next step, a choice, an error at a field; with
 * the keyboard.
 */
import type { Locator, Page, Request } from '@playwright/test'
import type { MadeClient } from '../factories.ts'
import { expect } from './expect.ts'
import { chooseTile, press } from './keyboard.ts'
import { signClientIn } from './stages.ts'

/** Opens a page of the portal as the client, signed in, wherever the guard redirects to. */
export async function openAsClient(page: Page, client: MadeClient, path: string): Promise<void> {
  await signClientIn(page, client)
  await page.goto(path)
}

export const pressNext = (page: Page) => press(page, page.getByRole('button', { name: 'NEXT' }))
export const chooseRadioTile = (page: Page, name: string | RegExp) =>
  chooseTile(page, page.getByRole('radio', { name }))

/** Chooses a tile; expects the choice to survive a reload before NEXT. */
export async function chooseAndReload(page: Page, name: string | RegExp): Promise<void> {
  await chooseRadioTile(page, name)
  await page.reload()
  await expect(page.getByRole('radio', { name })).toBeChecked()
}

interface Method {
  type: string
  fees: string
  feePercent: string
}

/** From now on this page reads other payment methods. */
export async function overridePaymentMethods(
  page: Page,
  list: 'depositMethods' | 'withdrawalMethods',
  change: (methods: Method[]) => Method[],
): Promise<void> {
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as Record<typeof list, Method[]>
    await route.fulfill({ response, json: { ...json, [list]: change(json[list]) } })
  })
}

export const withoutWire = (methods: Method[]) => methods.filter(({ type }) => type !== 'wire')
export const withFee = (methods: Method[]) => methods.map((method) => ({ ...method, fees: '7.5%', feePercent: '7.5' }))

/** Returns the fee of the chosen method in the row of the confirm step. */
export const feeText = (page: Page) => page.getByText(/ fee ·$/)

/** Expects the focus on the step's heading, so that it is read next. */
export async function expectStep(page: Page, heading: string): Promise<void> {
  await expect(page.getByRole('heading', { name: heading })).toBeFocused()
}

/** Expects NEXT to be rejected: the text belongs to the field, and the field has the focus. */
export async function expectNextRejected(page: Page, field: string, sentence: string | RegExp): Promise<void> {
  await pressNext(page)
  await expect(page.getByLabel(field)).toHaveAccessibleDescription(sentence)
  await expect(page.getByLabel(field)).toBeFocused()
}

/** Returns the money requests that leave the browser during `walk`. */
async function moneyRequestsDuring(page: Page, walk: () => Promise<void>): Promise<string[]> {
  const sent: string[] = []
  const note = (request: Request) =>
    void (/\/api\/.*\/request(?!Status)/.test(request.url()) && sent.push(request.url()))
  page.on('request', note)
  await walk()
  page.off('request', note)
  return sent
}

/**
 * Waits for the history entry of the step (ui/navigation/browser-back.ts): before that, Back and Forward lead
 * elsewhere. `any here` is the step's entry, whether or not one is ahead of it.
 */
export async function expectHistoryEntry(
  page: Page,
  entry: 'here' | 'here and ahead' | 'any here' | null,
): Promise<void> {
  const shown = () => {
    const state = history.state as { wizardStep?: string; hasAhead?: true } | null
    return state?.wizardStep === undefined ? null : `${state.wizardStep}${state.hasAhead ? ' and ahead' : ''}`
  }
  const polled = expect.poll(() => page.evaluate(shown))
  await (entry === 'any here' ? polled.toMatch(/^here/) : polled.toBe(entry))
}

/**
 * Expects the browser's Back to lead from the confirm step to those before it (their headings, newest first), and its
 * Forward to the confirm step again with all decisions; nothing is sent.
 */
export async function expectBackAndForward(page: Page, before: readonly string[], button: string): Promise<void> {
  const sent = await moneyRequestsDuring(page, async () => {
    await expectHistoryEntry(page, 'any here')
    for (const heading of before) {
      await page.goBack()
      await expectStep(page, heading)
      await expectHistoryEntry(page, heading === before.at(-1) ? null : 'here and ahead')
    }
    for (const heading of [...before.slice(0, -1).toReversed(), 'Check and confirm']) {
      await page.goForward()
      await expectStep(page, heading)
      await expectHistoryEntry(page, before.length > 1 ? 'here and ahead' : 'here')
    }
    await expect(page.getByRole('button', { name: button })).toBeVisible()
    await expectOneLineOnPhone(page, page.getByRole('button', { name: button }))
  })
  expect(sent).toEqual([])
}

export async function expectOneLineOnPhone(page: Page, button: Locator): Promise<void> {
  const viewport = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const { text, line } = await button.evaluate((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return { text: range.getBoundingClientRect().height, line: Number.parseFloat(getComputedStyle(one).lineHeight) }
  })
  expect(text).toBeLessThan(line * 1.5)
  if (viewport) await page.setViewportSize(viewport)
}

/** Expects a reload before the confirm step to return to the step and the entered amount, and to send nothing. */
export async function expectDraftKept(
  page: Page,
  heading: string,
  field: string,
  amount: string | RegExp,
): Promise<void> {
  const sent = await moneyRequestsDuring(page, async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(page.getByLabel(field)).toHaveValue(amount)
  })
  expect(sent).toEqual([])
}
