/** Back-office lists: filters by amount and day, columns, CSV export, rows that are links; saved and shared views. */
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { requireRow } from '#server/db/sql.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseOption, press, tabTo, type } from './keyboard.ts'
import { announceWire, newClient, createOpenAccount } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { portalUrl } from '../product.ts'
import { openPageAsStaff } from './staff.ts'

const row = (page: Page, amount: string) => page.getByRole('row', { name: new RegExp(amount.replace('.', '\\.')) })

test('a list is filtered by amount and days, shows the chosen columns, and is exported as it is shown', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createOpenAccount(client)
  const { id } = await announceWire(client, account, '10400.00')
  await announceWire(client, account, '300.00')
  // Sets the page's day to that of the request, because midnight may pass in between.
  const { at } = await requireRow<{ at: Date }>((await runningProduct()).dependencies.pool)`
    select requested_at as at from deposits where id = ${id}`
  const context = await browser.newContext({ baseURL: portalUrl(), reducedMotion: 'reduce' })
  await context.clock.setFixedTime(at)
  const address = `/office/deposits?q=${encodeURIComponent(client.name)}`
  const { page } = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', address, context)
  await expect(row(page, '10,400.00')).toBeVisible()
  await expect(row(page, '300.00')).toBeVisible()

  await test.step('it is filtered by amount and currency', async () => {
    await press(page, page.getByRole('button', { name: 'Amount' }))
    const form = page.getByRole('dialog', { name: 'Amount' })
    await type(page, form.getByLabel('From'), '1e4')
    await page.keyboard.press('Enter')
    await expect(form.getByText('Enter an amount, for example 10,000.00.')).toBeVisible()
    await expectAccessible(page)
    await form.getByLabel('From').fill('10,000')
    await form.getByLabel('Currency').selectOption('EUR')
    await press(page, form.getByRole('button', { name: 'Apply' }))
    await expect(page.getByRole('button', { name: 'Amount: EUR, from 10,000' })).toBeVisible()
    await expect(row(page, '300.00')).toHaveCount(0)
    await expect(row(page, '10,400.00')).toBeVisible()
  })
  await test.step('it is filtered by a period, by days in the calendar, and without days again', async () => {
    const days = (name: string) => page.getByRole('button', { name, exact: true })
    const form = page.getByRole('dialog', { name: /^Days/ })
    await press(page, days('Days'))
    await press(page, form.getByRole('button', { name: 'Yesterday' }))
    await expect(page.getByText('No results for these filters.')).toBeVisible()
    await press(page, days('Days: Yesterday'))
    await press(page, form.getByRole('button', { name: 'Last 7 days' }))
    await expect(row(page, '10,400.00')).toBeVisible()
    await press(page, days('Days: Last 7 days'))
    await expectAccessible(page)
    // The last of the seven days has the focus in the calendar; the range starts on the day before and ends there.
    const today = form.locator('[aria-current="date"]')
    await tabTo(page, today)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(row(page, '10,400.00')).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(today).toHaveAttribute('aria-pressed', 'true')
    await expect(row(page, '10,400.00')).toBeVisible()
    await press(page, form.getByRole('button', { name: 'Any day' }))
    await expect(days('Days')).toBeVisible()
  })
  await test.step('it shows the chosen columns, also after a reload', async () => {
    await expect(page.getByRole('columnheader', { name: 'Reference' })).toBeVisible()
    await press(page, page.getByRole('button', { name: 'Columns' }))
    const choice = page.getByRole('dialog', { name: 'Columns' })
    await expect(choice.getByLabel('Client')).toBeDisabled()
    await tabTo(page, choice.getByLabel('Reference'))
    await page.keyboard.press('Space')
    await expect(page.getByRole('columnheader', { name: 'Reference' })).toHaveCount(0)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(choice).toHaveCount(0)
    await page.reload()
    await expect(row(page, '10,400.00')).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Reference' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Amount: EUR, from 10,000' })).toBeVisible()
  })
  await test.step('the CSV file contains the rows that are shown', async () => {
    const download = page.waitForEvent('download')
    await press(page, page.getByRole('button', { name: 'Export list as CSV' }))
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('10400.00')
  })
  await test.step('a row is a link wherever it is clicked; the middle button or Ctrl opens a single new tab', async () => {
    const link = row(page, '10,400.00').getByRole('link')
    await expect(link).toHaveAttribute('href', /^\/office\/deposits\/[\w-]{36}$/)
    const amount = row(page, '10,400.00').getByText('10,400.00')
    const tabs = page.context().pages().length
    for (const pressed of [
      () => amount.click({ button: 'middle' }),
      () => amount.click({ modifiers: ['ControlOrMeta'] }),
    ]) {
      const newTab = page.context().waitForEvent('page')
      await pressed()
      await expect(await newTab).toHaveURL(/\/deposits\/[\w-]{36}$/)
      expect(page.context().pages()).toHaveLength(tabs + 1)
      await (await newTab).close()
      await expect(page).toHaveURL(/\/deposits\?/)
    }
    // For a click on the link itself the browser opens the tab, and the row must not open a second one.
    const isLeftToTheBrowser = await link.evaluate(
      (element) =>
        new Promise<boolean>((tell) => {
          const look = (event: Event) => {
            tell(!event.defaultPrevented)
            event.preventDefault()
          }
          addEventListener('click', look, { once: true })
          element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }))
        }),
    )
    expect(isLeftToTheBrowser).toBe(true)
    expect(page.context().pages()).toHaveLength(tabs)
    await press(page, link)
    await expect(page).toHaveURL(/\/deposits\/[\w-]{36}/)
  })
  await context.close()
})

test('discrepancies, batches and staff have the same filters, exports and views as the other lists', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Quill', '/office/staff')
  await test.step('staff are filtered by role and search terms, and exported with the same rows', async () => {
    await chooseOption(page, page.getByRole('combobox', { name: 'Role' }), 'administrator')
    await expect(page).toHaveURL(/role=administrator/)
    await page.getByRole('searchbox', { name: 'Name or email' }).fill('Ada Quill')
    await page.keyboard.press('Enter')
    const table = page.getByRole('table', { name: 'Staff' })
    await expect(table.getByText('Ada Quill').first()).toBeVisible()
    await expect(table.getByText('Auditor')).toHaveCount(0)
    const saving = page.waitForEvent('download')
    await press(page, page.getByRole('button', { name: 'Export list as CSV' }))
    const lines = (await readFile(await (await saving).path(), 'utf8')).trim().split('\n').slice(1)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !line.includes('Ada Quill'))).toEqual([])
    await expectAccessible(page)
  })
  for (const path of ['/office/reconciliation', '/office/payout-batches'])
    await test.step(`${path} is filtered by amount, which requires a currency`, async () => {
      await page.goto(path)
      await press(page, page.getByRole('button', { name: 'Amount' }))
      const form = page.getByRole('dialog', { name: 'Amount' })
      await type(page, form.getByLabel('From'), '9000000')
      await page.keyboard.press('Enter')
      await expect(form.getByText(/^Choose a currency too/)).toBeVisible()
      await form.getByLabel('Currency').selectOption('USD')
      await press(page, form.getByRole('button', { name: 'Apply' }))
      await expect(page).toHaveURL(/currency=USD/)
      await expect(page.getByText('No results for these filters.')).toBeVisible()
      await expectAccessible(page)
      await press(page, page.getByRole('button', { name: 'Clear filters' }))
      await expect(page).not.toHaveURL(/currency=USD/)
    })
  await test.step('a negative amount is rejected for batches', async () => {
    await press(page, page.getByRole('button', { name: 'Amount' }))
    const form = page.getByRole('dialog', { name: 'Amount' })
    await type(page, form.getByLabel('From'), '-5')
    await page.keyboard.press('Enter')
    await expect(form.getByText('Enter an amount of 0 or more.')).toBeVisible()
  })
  await test.step('a view of the staff list is saved', async () => {
    await page.goto('/office/staff?role=finance')
    // The list handles the key once it is shown, which is later than the frame around it.
    await expect(page.getByRole('button', { name: 'Views', exact: true })).toBeVisible()
    await page.getByRole('main').focus()
    await page.keyboard.press('v')
    await page.getByRole('menuitem', { name: 'Save view…' }).press('Enter')
    const name = `Finance ${Date.now().toString(36)}`
    await expect(page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name')).toBeFocused()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name })).toHaveAttribute('aria-current', 'true')
  })
})

test('another list begins at its first page, even if both have the same filters', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'compliance', 'Maren Falk', '/office/overview')
  const asked: URLSearchParams[] = []
  await page.route('**/api/backoffice/clients?*', async (route) => {
    const url = new URL(route.request().url())
    asked.push(new URLSearchParams(url.search))
    url.searchParams.delete('cursor')
    const response = await route.fetch({ url: url.href })
    await route.fulfill({ response, json: { ...((await response.json()) as object), next: 'older' } })
  })
  const menu = page.getByRole('navigation').first()
  await press(page, menu.getByRole('link', { name: 'Clients', exact: true }))
  await press(page, page.getByRole('button', { name: 'Older' }))
  await expect.poll(() => asked.at(-1)?.get('cursor')).toBe('older')
  await press(page, menu.getByRole('link', { name: /^Client approvals/ }))
  await expect.poll(() => asked.at(-1)?.get('toApprove')).toBe('true')
  expect(asked.at(-1)?.get('cursor')).toBeNull()
})

test('a link to an entry that does not exist says so, and leads to its list', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Lena Brandt', '/office/deposits')
  for (const [path, list] of [
    ['/office/imports?line=undefined', '/office/imports'],
    ['/office/imports?line=', '/office/imports'],
    ['/office/deposits/a%20b', '/office/deposits'],
    ['/office/clients/undefined', '/office/clients'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Entry not found' })).toBeVisible()
    await expect(page.getByText('This entry does not exist or has been deleted.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expectAccessible(page)
    await press(page, page.getByRole('link', { name: 'Back to list' }))
    await page.waitForURL((url) => url.pathname === list && url.search === '')
  }
})

test('a filter that an older server does not know during an update asks for a reload instead of naming a field', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Quill', '/office/staff')
  const isFiltered = (url: URL) => url.pathname.endsWith('/backoffice/staff') && url.searchParams.has('role')
  const error = 'This field does not exist. Leave it out.'
  await page.route(isFiltered, (route) =>
    route.fulfill({ status: 400, json: { success: false, code: 'unknown-field', error, errors: { role: error } } }),
  )
  await chooseOption(page, page.getByRole('combobox', { name: 'Role' }), 'administrator')
  await expect(page.getByText('This page may be out of date. Reload it.').first()).toBeVisible()
  await expect(page.getByText(error)).toHaveCount(0)
  await expectAccessible(page)
  const notifications = page.getByRole('region', { name: 'Notifications' })
  const exported = '**/backoffice/export/staff?*'
  await page.route(exported, (route) =>
    route.fulfill({ status: 400, json: { success: false, code: 'unknown-field', error, errors: { role: error } } }),
  )
  await test.step('the export asks for a reload, too', async () => {
    await press(page, page.getByRole('button', { name: 'Export list as CSV' }))
    await expect(notifications.getByText('This page may be out of date. Reload it.')).toBeVisible()
    await expect(page.getByText(error)).toHaveCount(0)
    await page.unroute(exported)
  })
  await page.unroute(isFiltered)
  await page.reload()
  await expect(page.getByRole('table', { name: 'Staff' }).getByText('Ada Quill').first()).toBeVisible()
  await test.step('two unknown filters ask for a reload, too', async () => {
    const several = 'Check the fields marked below.'
    await page.route(isFiltered, (route) =>
      route.fulfill({
        status: 400,
        json: { success: false, code: 'check-fields', error: several, errors: { role: error, state: error } },
      }),
    )
    await page.goto('/office/staff?role=administrator&state=active')
    await expect(page.getByText('This page may be out of date. Reload it.').first()).toBeVisible()
    await expect(page.getByText(several)).toHaveCount(0)
    await expect(page.getByText(error)).toHaveCount(0)
  })
})

test('the search of bank details names what it searches; only roles that see numbers find an IBAN', async ({
  browser,
}) => {
  const client = await newClient()
  const number = String(randomInt(1e8, 1e9))
  await makeApprovedBank(await runningProduct(), client, 'EUR', `DE99${number}000000000`)
  const finds = async (role: 'operations' | 'auditor', label: string, words: string) => {
    const { page } = await openPageAsStaff(browser, role, 'Nils Aho', '/office/bank-details?state=all')
    await type(page, page.getByRole('searchbox', { name: label, exact: true }), words)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/q=/)
    return page
  }
  const found = (page: Page) =>
    page.getByRole('table', { name: 'Bank details' }).getByRole('row', { name: client.name })
  const clerk = await finds('operations', 'Client, bank, IBAN or account number', `DE99 ${number.slice(0, 8)}`)
  await expect(found(clerk)).toBeVisible()
  await expectAccessible(clerk)
  const auditor = await finds('auditor', 'Client or bank', `DE99 ${number.slice(0, 8)}`)
  await expect(auditor.getByText('No results for these filters.')).toBeVisible()
  await expectAccessible(auditor)
  await expect(found(await finds('auditor', 'Client or bank', client.name))).toBeVisible()
})

test('a view is saved, renamed, shared with the team, updated and deleted; updating and deleting can be undone', async ({
  browser,
}) => {
  const mine = `Mira ${Date.now().toString(36)}`
  const own = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', '/office/inbox?mine=false&overdue=true')
  const { page } = own
  const view = (name: string) => page.getByRole('link', { name: new RegExp(`^(Shared with the team )?${name}`) })
  const command = async (name: string | RegExp) => {
    await page.getByRole('main').focus()
    await page.keyboard.press('v')
    const entry = page.getByRole('menuitem', { name })
    await expect(entry).toBeVisible()
    await entry.press('Enter')
  }
  await test.step('it is saved under a name with keys', async () => {
    await expect(page.getByRole('button', { name: /^Overdue/ })).toHaveAttribute('aria-pressed', 'true')
    await command('Save view…')
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Enter a name.')).toBeVisible()
    await page.keyboard.type(mine)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(view(mine)).toHaveAttribute('aria-current', 'true')
    await expect(page).toHaveURL(/overdue=true.*view=/)
  })
  await test.step('it is renamed and shared, and a colleague opens it', async () => {
    await command(new RegExp(`^Rename or share “${mine}”`))
    const dialog = page.getByRole('dialog', { name: 'Change view' })
    await expect(dialog.getByLabel('Name')).toHaveValue(mine)
    await type(page, dialog.getByLabel('Name'), `${mine} late`)
    await tabTo(page, dialog.getByLabel('Share with the team'))
    await page.keyboard.press('Space')
    await press(page, dialog.getByRole('button', { name: 'Change view' }))
    await expect(dialog).toHaveCount(0)
    await expect(view(`${mine} late`)).toBeVisible()
    const other = await openPageAsStaff(browser, 'finance', 'Johan Lindqvist')
    const shared = other.page.getByRole('link', { name: new RegExp(`^Shared by Mira Okonjo ${mine} late`) })
    await shared.click()
    await expect(shared).toHaveAttribute('aria-current', 'true')
    await expect(other.page.getByRole('button', { name: /^Overdue/ })).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(other.page)
    await other.page.close()
  })
  await test.step('it is updated with other filters, and undo restores the previous ones', async () => {
    await page.getByLabel('Type').selectOption('withdrawal')
    await command(new RegExp(`^Update “${mine} late”`))
    await expect(page.getByText('Filters of the view saved.')).toBeVisible()
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await expect(page.getByText('Undone.')).toBeVisible()
    await expect(page.getByLabel('Type')).toHaveValue('')
  })
  const remove = async () => {
    await command(new RegExp(`^Delete “${mine} late”`))
    await expect(view(`${mine} late`)).toHaveCount(0)
  }
  await test.step('it is deleted, and undo restores it', async () => {
    await remove()
    await expect(page.getByText('View deleted.')).toBeVisible()
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await expect(view(`${mine} late`)).toHaveAttribute('aria-current', 'true')
  })
  // The bar shows only some of all views: those of earlier runs would leave no room for this one.
  await remove()
})

for (const locale of ['en-GB', 'de-DE'])
  test(`the tools above a list fit on one line in ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ locale, viewport: { width: 1440, height: 900 } })
    const { page } = await openPageAsStaff(browser, 'administrator', 'Mira Okonjo', '/office/my-security', context)
    const tools = page.locator('.list-tools :is(select, input, button)')
    const narrow = [1024, 1100, 1280, 1366, 1440]
    for (const [list, count, widths] of [
      ['clients', 7, narrow],
      ['clients?reached=funded&days=30-days&clientStatus=professional', 7, [1440]],
      ['clients?review=documentsExpiring', 7, [1440]],
      ['deposits', 8, narrow],
      ['withdrawals', 8, narrow],
      ['enquiries', 8, narrow],
      ['imports', 7, narrow],
    ] as const) {
      await page.goto(`/office/${list}`)
      await expect(tools).toHaveCount(count)
      await expect(page.getByRole('main').getByRole('searchbox')).toBeVisible()
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        const tops = await tools.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
        expect(Math.max(...tops) - Math.min(...tops), `${list} at ${width}`).toBeLessThan(10)
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    await context.close()
  })
