/** Each key that `?` lists does what its description says, and no other key does anything (requirements 24.63). */
import type { APIResponse, Page } from '@playwright/test'
import { writeEnquiry } from '#contract/enquiries.ts'
import { overview } from '#contract/office/overview.ts'
import { shortcutKeys } from '#ui/navigation/keyboard-shortcuts.ts'
import { call } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expectFocusIn, expectFocusKept } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { markItemViewed, press, pressTogether } from './keyboard.ts'
import { submitApplication, createBankRequest, createPassportHolder } from './pending-reviews.ts'
import { createAccountRequest, newClient, type NamedClient } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const items = (page: Page) => page.locator('.inbox-item')

async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.locator('h1').filter({ visible: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Search:/ })).toBeVisible()
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  // The focus returns a frame later; a key before then would let the next dialog return it elsewhere.
  await expectFocusKept(page)
}

async function openInbox(page: Page, { name }: NamedClient): Promise<void> {
  await openPage(page, `/office/inbox?mine=false&q=${encodeURIComponent(name)}`)
  await expect(items(page)).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Key facts' })).toBeVisible()
  await page.getByRole('main').focus()
}

/** Opens the record's page from its item in the inbox. */
async function openRecordPage(page: Page, client: NamedClient, kind: string): Promise<void> {
  await openInbox(page, client)
  await items(page).filter({ hasText: kind }).click()
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Reject/ })).toBeVisible()
}

/** Returns every key that `?` lists, as "description: key". */
async function listedShortcuts(page: Page): Promise<string[]> {
  await page.keyboard.press('?')
  await expect(dialog(page)).toBeVisible()
  await expectAccessible(page)
  const lines = await dialog(page)
    .locator('dt')
    .evaluateAll((all) =>
      all.flatMap((term) =>
        [...term.querySelectorAll('kbd')].map(
          (one) => `${term.nextElementSibling?.textContent}: ${one.getAttribute('data-stroke')}`,
        ),
      ),
    )
  await closeDialog(page)
  return lines
}

test('a key that opens a dialog does nothing while the code of another dialog is loading', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Tom Reyes')
  const parts = /\/(palette|keys-dialog)-[^/]*\.js$/
  for (const [first, second, title] of [
    ['Control+k', '?', 'Search and commands'],
    ['?', 'Control+k', 'Keyboard shortcuts'],
  ] as const) {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(parts, (route) => promise.then(() => route.continue()))
    await openPage(page, '/office/inbox')
    await page.getByRole('main').focus()
    const code = ['/palette-', '/keys-dialog-'].map((name) =>
      page.waitForResponse((one) => parts.test(one.url()) && one.url().includes(name)),
    )
    for (const key of [first, second, first]) await page.keyboard.press(key)
    resolve()
    await Promise.all(code)
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    // Counts a dialog that the other one hides from assistive technology, too.
    await expect(page.locator('[role="dialog"]')).toHaveCount(1)
    await page.unroute(parts)
    await closeDialog(page)
  }
})

test('keyboard shortcuts of a page work after a dialog’s code failed to load', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Tom Reyes')
  await page.route('**/modals-*.js', (route) => route.abort())
  await openPage(page, '/office/inbox')
  await page.getByRole('main').focus()
  await page.keyboard.press('?')
  await expect(page.getByText('This content could not be loaded.')).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
})

test('every listed key does what its description says', async ({ browser }) => {
  const product = await runningProduct()
  const [client, other] = [await newClient(), await newClient()]
  for (const one of [client, other]) await submitApplication(one)
  const write = async (complaint: boolean) => {
    const body = { topic: 'payments', text: 'Where is my money?', complaint, reference: '' } as const
    return (await call(product, writeEnquiry, { as: client, body })).answer.enquiry
  }
  const [question, complaint] = [await write(false), await write(true)]
  const applicant = await createPassportHolder()
  const name = 'Ines Albrecht'
  const { page } = await openPageAsStaff(browser, 'compliance', name)
  const pressed: string[] = ['all shortcuts: ?']
  /** Presses each key that is listed with this description, and expects its effect. */
  const does = async (what: string, strokes: string, effect: (stroke: string) => Promise<unknown>) => {
    for (const stroke of strokes.split(' or ')) {
      await markItemViewed(page)
      await pressTogether(page, stroke.split(' '))
      await effect(stroke)
      pressed.push(`${what}: ${stroke}`)
    }
  }
  const at = (path: RegExp) => expect(page).toHaveURL(path)
  const opens = (title: RegExp) => async () => {
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await closeDialog(page)
  }
  const list = `/office/inbox?mine=false&q=${encodeURIComponent(client.name)}`
  const goToList = async () => {
    await openPage(page, list)
    await expect(items(page)).toHaveCount(3)
    await expect(page.getByRole('heading', { name: 'Key facts' })).toBeVisible()
    await page.getByRole('main').focus()
  }
  const chosen = page.locator('.inbox-item[aria-current="true"]')
  const isChosen = (place: number) => expect(items(page).nth(place)).toHaveAttribute('aria-current', 'true')

  await goToList()
  const printed = await listedShortcuts(page)
  expect(shortcutKeys.filter((one) => !printed.some((line) => line.endsWith(`: ${one}`)))).toEqual([])
  await test.step('every page and search', async () => {
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await page.getByRole('main').getByRole('searchbox').focus()
    await does('search and commands, also from a field', 'Control+k', opens(/Search/))
    await page.getByRole('main').focus()
    await does('search and commands', '/', () => expect(palette).toBeVisible())
    await page.keyboard.type(client.name)
    await expect(palette.getByRole('option', { selected: true })).toHaveAccessibleName(new RegExp(client.name))
    const asked = page.context().waitForEvent('page')
    await does('open in a new tab', 'Control+Enter', async () => {
      const tab = await asked
      await expect(tab.getByRole('heading', { level: 1, name: client.name })).toBeVisible()
      await tab.close()
    })
    await expect(palette).toHaveCount(0)
    await page.getByRole('main').focus()
    await page.keyboard.press('/')
    const leaves = (group: string, words: string) => async () => {
      await page.keyboard.type(words)
      await expect(palette.getByRole('group')).toHaveCount(1)
      await expect(palette.getByRole('group', { name: group })).toBeVisible()
      await palette.getByRole('combobox').fill('')
    }
    await does('actions only', '>', leaves('Actions', 'invite'))
    await does('references only', '#', leaves('References', question.reference))
    await closeDialog(page)
    await does('lists: open the menu of views', 'v', async () => {
      await expectFocusIn(page.getByRole('menu'))
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      await expectFocusKept(page)
    })
    await does('open overview', 'g o', () => at(/overview/))
    await does('open inbox', 'g i', () => at(/inbox$/))
    await does('open my reviews', 'g n', () => at(/inbox\?mine=true/))
  })
  await test.step('inbox', async () => {
    await goToList()
    await isChosen(0)
    await does('next or previous item', 'j or k', (stroke) => isChosen(stroke === 'j' ? 1 : 0))
    await does('inbox: next or previous item', 'ArrowDown or ArrowUp', (stroke) =>
      isChosen(stroke === 'ArrowDown' ? 1 : 0),
    )
    await does('inbox: select, Shift and click for a range', 'x', () =>
      expect(page.getByText('1 selected')).toBeVisible(),
    )
    const boxes = page.getByRole('checkbox', { name: /^Select/ })
    await boxes.nth(2).focus()
    await does('inbox: on a checkbox, select a range', 'Shift+Space', () =>
      expect(page.getByText('3 selected')).toBeVisible(),
    )
    await page.getByRole('main').focus()
    await does('inbox: clear the selection', 'Escape', () => expect(page.getByText(/^\d selected/)).toHaveCount(0))
    await does('inbox: assign', 'e', async () => {
      const assigning = page.getByRole('dialog', { name: 'Assign 1 item' })
      await expect(assigning.getByRole('button', { name: `${name}, you` }).first()).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(assigning).toHaveCount(0)
      await expect(chosen.getByTitle('Assigned to you')).toBeVisible()
    })
    await does('inbox: unassign', 'E', () => expect(chosen.getByTitle('Assigned to you')).toHaveCount(0))
    await does('inbox: snooze', 's', () => expect(page.getByRole('dialog', { name: 'Snooze 1 item' })).toBeVisible())
    await does('close', 'Escape', () => expect(dialog(page)).toHaveCount(0))
    await items(page).filter({ hasText: 'Professional' }).click()
    await page.getByRole('main').focus()
    await does('inbox: open the record and its confirmation to approve or reject', 'a or r', async (stroke) => {
      await opens(stroke === 'a' ? /^Categorise .* as professional/ : /^Reject/)()
      await page.goBack()
      await expect(chosen).toContainText('Professional')
      await page.getByRole('main').focus()
    })
    await does('open', 'Enter', () => at(/professional\//))
  })
  await test.step('record', async () => {
    await expect(page.getByRole('button', { name: /^Request more information/ })).toBeVisible()
    await does('open the confirmation to approve', 'a', opens(/^Categorise .* as professional/))
    await does('open the confirmation to reject', 'r', opens(/^Reject/))
    await does('request more information from a professional applicant', 'p', opens(/^Request more information/))
    for (const next of ['Unassign', 'Assign to me'])
      await does('assign to me or unassign', 'e', () =>
        expect(page.locator('button:not([aria-busy])').filter({ hasText: next })).toBeVisible(),
      )
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await expect(page.getByText('Undone.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Unassign/ })).toBeVisible()
    const record = page.url()
    await does('next or previous record that is pending', 'j or k', async (stroke) => {
      if (stroke === 'k') return at(new RegExp(record))
      await expect(page.getByRole('main')).not.toContainText(client.name)
      await expect(page.getByRole('button', { name: 'Previous (k)' })).toBeEnabled()
    })
  })
  await test.step('enquiry and dialog', async () => {
    const what = 'enquiry: reply, conclude a complaint, close'
    await openPage(page, `/office/enquiries/${question.id}`)
    await expect(page.getByRole('button', { name: /^Reply/ })).toBeVisible()
    await does(what, 'c', () => expect(dialog(page)).toHaveAccessibleName(/^Close enquiry/))
    await does('confirm with the focused button', 'Enter', () => expect(dialog(page)).toHaveCount(0))
    await openPage(page, `/office/enquiries/${complaint.id}`)
    await expect(page.getByRole('button', { name: /^Conclude complaint/ })).toBeVisible()
    await does(what, 'a', opens(/^Conclude complaint/))
    await does(what, 'r', () => expect(dialog(page)).toHaveAccessibleName(/^Reply/))
    await page.keyboard.type('It has arrived.')
    await does('confirm from a text field', 'Control+Enter', () => expect(dialog(page)).toHaveCount(0))
    // The next pending enquiry has opened.
    await openPage(page, `/office/enquiries/${complaint.id}`)
    await expect(page.getByText('It has arrived.')).toBeVisible()
  })
  await test.step('document', async () => {
    await openPage(page, `/office/documents/${applicant.id}`)
    const zoom = (percent: number) => expect(page.getByText(`${percent}%`, { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('img', { name: 'Front' })).toBeVisible()
    const looks = 'zoom in, zoom out, fit or rotate image'
    await does(looks, '+ or = or -', (stroke) => zoom(stroke === '=' ? 200 : 140))
    await does(looks, '0', () => zoom(100))
    await does(looks, 't', () =>
      expect(page.getByRole('img', { name: 'Front' })).toHaveCSS('transform', /^matrix\(0, 1, -1, /),
    )
    const second = page.getByRole('group', { name: 'Compared document', exact: true })
    await does('compare two documents side by side', 'b', () => expect(second).toHaveAttribute('aria-current', 'true'))
    await does('side by side: zoom and rotate the other image', 'o', () =>
      expect(second).not.toHaveAttribute('aria-current'),
    )
    await expect(page.getByText('Read from the image, not confirmed yet.')).toBeVisible()
    await does('confirm what was read from a document', 'm', () =>
      expect(page.getByText(/all \d check digits valid/)).toBeVisible(),
    )
  })
  await test.step('overview', async () => {
    // Other journeys' items appear and disappear: a fixed response keeps the selection in place.
    let first: APIResponse | undefined
    await page.route(`**${overview.path}`, async (route) =>
      route.fulfill({ response: (first ??= await route.fetch()) }),
    )
    await openPage(page, '/office/overview')
    await page.getByRole('main').focus()
    const needed = page.locator('.overview-needs li a')
    await expect(needed.nth(1)).toBeVisible()
    const isNext = (place: number) => expect(needed.nth(place)).toHaveAttribute('aria-current', 'true')
    await does('next or previous item', 'j', () => isNext(0))
    await does('next or previous item', 'j or k', (stroke) => isNext(stroke === 'j' ? 1 : 0))
    await page.getByRole('main').focus()
    const href = (await needed.first().getAttribute('href')) ?? ''
    await does('open', 'Enter', () => expect(page).toHaveURL(({ pathname, search }) => pathname + search === href))
  })
  await test.step('chart of a report', async () => {
    await openPage(page, '/office/reports')
    const plot = page.getByRole('img', { name: 'Deposits and withdrawals in EUR by day' })
    const readout = page.locator('.chart-readout').first()
    await plot.focus()
    const latest = await readout.innerText()
    for (const strokes of ['Home', 'ArrowRight', 'End', 'ArrowLeft']) {
      const before = await readout.innerText()
      await does('on a chart: another day', strokes, () => expect(readout).not.toHaveText(before))
    }
    await does('on a chart: back to the latest day', 'Escape', () => expect(readout).toHaveText(latest))
  })
  expect(printed.filter((line) => !pressed.includes(line))).toEqual([])
  expect(pressed.filter((line) => !printed.includes(line))).toEqual([])
})

/** Every printable ASCII character except the space. */
const characters = Array.from({ length: 94 }, (_, place) => String.fromCharCode(33 + place))

test('a key that is not listed does nothing', async ({ browser }) => {
  const client = await newClient()
  await createAccountRequest(client)
  await createBankRequest(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/viewing')) sent.push(request.url())
  })
  // g and the key after it are one shortcut.
  const printed: readonly string[] = [...shortcutKeys, 'g']
  const others = characters.filter((one) => !printed.includes(one))
  const nothing = async (address: string) => {
    await openPage(page, address)
    await markItemViewed(page)
    await page.getByRole('main').focus()
    const at = page.url()
    for (const one of others) await page.keyboard.press(one)
    expect(page.url()).toBe(at)
    await expect(page.locator('[role="dialog"], [role="menu"], [role="alert"]')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  }
  for (const address of [
    `/office/inbox?mine=false&q=${encodeURIComponent(client.name)}`,
    '/office/overview',
    '/office/withdrawals',
  ])
    await nothing(address)
  await openRecordPage(page, client, 'Bank details')
  await nothing(page.url())
  expect(sent.filter((url) => !url.includes('/inbox/filter'))).toEqual([])
})
