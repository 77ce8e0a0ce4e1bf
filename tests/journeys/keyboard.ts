/** What a person without a mouse does: goes to a control by Tab alone, and presses keys there. */
import { expect, type Locator, type Page } from '@playwright/test'

const tabsMax = 80
const tilesMax = 12

/** By Tab, or back by Shift+Tab, to a control; fails where neither leads. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    const key = await control.evaluate((wanted) => {
      const active = document.activeElement ?? document.body
      if (active === wanted) return null
      return active.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING ? 'Tab' : 'Shift+Tab'
    })
    if (key === null) return
    await page.keyboard.press(key)
  }
  const active = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
  throw new Error(`Tab does not lead to ${control.toString()}: it stands at ${active}`)
}

/** Goes to a command and presses Enter. */
export async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

/** Goes to a field and types in the place of what stands there. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Goes to a group of tiles and by arrows to one of them. */
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

/** Goes to a list and types what the wanted value is called there. */
export async function chooseOption(page: Page, list: Locator, value: string): Promise<void> {
  await tabTo(page, list)
  await page.keyboard.type((await list.locator(`option[value="${value}"]`).textContent()) ?? value)
  await expect(list).toHaveValue(value)
}

/** Goes to a box and ticks it. */
export async function tick(page: Page, box: Locator): Promise<void> {
  await tabTo(page, box)
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()
}

/** Chooses a file by the keyboard: the button opens the browser's own dialog. */
export async function chooseFile(
  page: Page,
  button: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await tabTo(page, button)
  const asked = page.waitForEvent('filechooser')
  // The page is looked at once more before the key: by then the browser reports its dialog to us.
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await (await asked).setFiles(file)
}
