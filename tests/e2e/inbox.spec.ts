/**
 * Two clerks in one inbox: each sees the other's actions immediately; keyboard shortcuts; a rejection that the client
 * reads.
 */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import PDFDocument from 'pdfkit'
import { getLiveAccounts } from '#contract/accounts.ts'
import { rejectAccount } from '#contract/office/account-requests.ts'
import { listInbox, writeComment } from '#contract/office/inbox.ts'
import { documentsApproval } from '#contract/documents.ts'
import { currencies } from '#rules/money.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { call, makeStaff, type MadeClient } from '../factories.ts'
import { portalUrl } from '../product.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { profileOf, test } from './fixtures.ts'
import { openPageAsClient } from './clients.ts'
import { closeWithEscape, pressOnPage } from './decisions.ts'
import { delayFrames, markItemViewed, press, stopClock, tabTo, type } from './keyboard.ts'
import { addBank } from './money-steps.ts'
import { runningProduct } from './running.ts'
import { journeyPassword, openPageAsStaff } from './staff.ts'
import { pollWithPausedClock, pauseClock } from './stopped-clock.ts'
import { saveDocument } from './stages.ts'
import {
  submitApplication,
  createBankRequest,
  createPassingBankRequest,
  sendDocuments,
  createSurnameRequest,
} from './pending-reviews.ts'
import {
  createAccountRequest,
  announceWire,
  type AnnouncedWire,
  createFundedAccount,
  type LiveAccount,
  newClient,
  createWithdrawalRequest,
} from './pending-requests.ts'

const inboxOf = (name: string) => `/office/inbox?mine=false&q=${encodeURIComponent(name)}`

test('an item appears without a reload, shows its assignee and viewers to both clerks, and is decided once', async ({
  page,
  browser,
}) => {
  const client = await newClient()
  const { name } = client
  await openPageAsClient(page, '/profile', client)
  await page.getByRole('button', { name: 'Not now' }).click()
  const inbox = `/office/inbox?q=${encodeURIComponent(name)}`
  const first = await openPageAsStaff(browser, 'operations', 'Nils Aho', inbox)
  const second = await openPageAsStaff(browser, 'operations', 'Eva Lund', inbox)

  await addBank(page, await statement(name), journeyPassword)
  const item = (clerk: Page) => clerk.getByRole('link', { name: new RegExp(`${name}[^]*Bank details`) })
  await expect(item(first.page)).toBeVisible()
  await expect(item(second.page)).toBeVisible()

  await item(first.page).click()
  await markItemViewed(first.page)
  await first.page.keyboard.press('e')
  await expect(first.page.getByRole('button', { name: /^Nils Aho, you/ })).toBeVisible()
  await first.page.keyboard.press('Enter')
  await expect(first.page.getByText('Assigned to you.')).toBeVisible()
  await expect(first.page.getByRole('dialog')).toHaveCount(0)
  await expect(item(second.page).getByTitle('Assigned to Nils Aho')).toBeVisible()

  await first.page.keyboard.press('Enter')
  await item(second.page).click()
  await second.page.keyboard.press('Enter')
  await expect(second.page.getByText('Nils Aho is also viewing this.')).toBeVisible()

  // The preview, which was shown for some seconds, counts as a view too, so the page may not be loaded yet.
  await expect(first.page.getByRole('button', { name: /^Reject/ })).toBeVisible()
  await markItemViewed(first.page)
  await first.page.keyboard.press('r')
  const dialog = first.page.getByRole('dialog')
  await type(first.page, dialog.getByLabel('Internal reason'), 'The holder is a company.')
  await dialog.getByLabel('Standard reason').selectOption({ label: 'The bank account is not in your name.' })
  await markItemViewed(first.page)
  await dialog.getByLabel('Text for the client').press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(second.page.getByText(/Rejected by Nils Aho/)).toBeVisible()
  await expect(second.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await second.page.goBack()
  await expect(second.page.getByRole('heading', { name: /^Decided by Nils Aho, \d\d:\d\d$/ })).toBeVisible()

  await page.reload()
  await expect(page.getByText('The bank account is not in your name.')).toBeVisible()
})

test('keys move through the inbox and open an item’s page; after the decision the next item opens immediately', async ({
  browser,
}) => {
  const client = await newClient()
  const bank = await createPassingBankRequest(client)
  await createAccountRequest(client)
  const search = `?q=${encodeURIComponent(client.name)}`
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', `/office/inbox${search}`)
  const item = (kind: string) => page.getByRole('link', { name: new RegExp(`${client.name}[^]*${kind}`) })
  await test.step('Enter selects an item, and a second Enter opens its page, which gets the focus', async () => {
    for (const kind of ['Account request', 'Bank details']) {
      await press(page, item(kind))
      await expect(item(kind)).toHaveAttribute('aria-current', 'true')
      await expect(item(kind)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/bank-details/${bank}`))
    await expect(page.getByRole('main')).toBeFocused()
    await page.goBack()
    await expect(item('Bank details')).toHaveAttribute('aria-current', 'true')
  })
  const address = page.url()
  expect(address).toContain('/inbox/')

  await test.step('k and j move to the previous and the next item and stop at the ends of the list', async () => {
    for (const [key, kind] of [
      ['j', 'Account request'],
      ['j', 'Account request'],
      ['k', 'Bank details'],
      ['k', 'Bank details'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(item(kind)).toHaveAttribute('aria-current', 'true')
    }
    await expect(page).toHaveURL(address)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await test.step('r opens the confirmation on the record’s page with the focus on the internal reason', async () => {
    await markItemViewed(page)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: /Reject/ })
    await expect(dialog.getByLabel('Internal reason')).toBeFocused()
    await tabTo(page, dialog.getByLabel('Text for the client'))
    await page.keyboard.press('Control+Enter')
    await expect(dialog.getByLabel('Internal reason')).toBeFocused()
    await press(page, dialog.getByRole('button', { name: /^Reject/ }))
    await expect(dialog.getByLabel('Internal reason')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })
  await test.step('a URL opens the confirmation and decides nothing', async () => {
    await page.goto(`/office/bank-details/${bank}?decide=a`)
    const dialog = page.getByRole('dialog', { name: 'Approve bank details' })
    await expect(dialog.getByRole('button', { name: 'Approve' })).toBeFocused()
    await expect(dialog.getByText(client.name)).toHaveCount(2)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Pending').first()).toBeVisible()
  })
  await test.step('Enter on the focused button of the confirmation decides, and the next item opens immediately', async () => {
    await markItemViewed(page)
    await page.keyboard.press('a')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Approve' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Approved\./)).toBeVisible()
    await expect(page).not.toHaveURL(new RegExp(bank))
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test('items are selected, assigned to a colleague, snoozed, commented on and found again using keys', async ({
  browser,
}) => {
  const client = await newClient()
  await createBankRequest(client)
  await createAccountRequest(client)
  const colleague = await openPageAsStaff(browser, 'operations', `Greta ${client.name.split(' ').at(-1) ?? ''}`)
  const search = `?q=${encodeURIComponent(client.name)}&mine=false`
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', `/office/inbox${search}`)
  const items = page.locator('.inbox-item')
  await expect(items).toHaveCount(2)
  await test.step('x selects items, and selected items cannot be decided together', async () => {
    await tabTo(page, items.first())
    await markItemViewed(page)
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await markItemViewed(page)
    await page.keyboard.press('x')
    await expect(page.getByText('2 selected')).toBeVisible()
    await page.keyboard.press('a')
    await expect(page.getByText('Items are decided one at a time. Clear the selection first.')).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('e assigns both items to a colleague found by name; undo unassigns them', async () => {
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Assign 2 items' })
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await page.keyboard.type(colleague.name)
    await expect(dialog.getByRole('button', { name: new RegExp(`^${colleague.name}`) })).toBeVisible()
    await expectAccessible(page)
    // Toasts close automatically: waiting for the colleague's begins before it appears, and the pointer keeps the other
    // open.
    const noticed = expect(colleague.page.getByText(/^A colleague assigned/).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Undo' }).hover()
    await expect(items.getByTitle(`Assigned to ${colleague.name}`)).toHaveCount(2)
    await noticed
    await expect(colleague.page.getByRole('button', { name: 'Newly assigned 2' })).toBeVisible()
    const undone = Promise.withResolvers<void>()
    await page.route('**/inbox/*/assign', async (route) => {
      await undone.promise
      await route.continue()
    })
    await press(page, page.getByRole('button', { name: 'Undo' }))
    // A dialog that is opened while undo is in progress stays open.
    const snoozing = page.getByRole('dialog', { name: 'Snooze 1 item' })
    await markItemViewed(page)
    await page.keyboard.press('s')
    await type(page, snoozing.getByLabel(/note/), 'The client is away.')
    undone.resolve()
    await expect(page.getByText('Undone.')).toBeVisible()
    await expect(items.getByTitle(`Assigned to ${colleague.name}`)).toHaveCount(0)
    await expect(colleague.page.getByRole('button', { name: /^Newly assigned/ })).toHaveCount(0)
    await expect(snoozing.getByLabel(/note/)).toHaveValue('The client is away.')
    await page.keyboard.press('Escape')
    await expect(snoozing).toHaveCount(0)
  })
  await test.step('s snoozes an item, which leaves the list; the note is required if the snooze ends past the due time', async () => {
    await tabTo(page, items.first())
    await markItemViewed(page)
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: 'Snooze 1 item' })
    await tabTo(page, dialog.getByRole('radio', { name: 'In 3 hours' }))
    await page.keyboard.press('ArrowUp')
    await expectAccessible(page)
    await page.keyboard.press('ArrowUp')
    const monday = dialog.getByRole('radio', { name: /Next Monday/ })
    await expect(monday).toBeChecked()
    await type(page, dialog.getByLabel(/note/), 'The client is away.')
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expect(items).toHaveCount(1)
    await press(page, page.getByRole('button', { name: /^Snoozed/ }))
    await expect(page.getByText('“The client is away.”')).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('undoing the end of a snooze snoozes the item again with the same note', async () => {
    const end = page.getByRole('button', { name: 'End snooze' })
    await press(page, end)
    await expect(page.getByText('Back in the inbox.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).hover()
    await expect(end).toHaveCount(0)
    await press(page, page.getByRole('button', { name: 'Undo' }))
    // The notice of the earlier undo may still be shown.
    await expect(page.getByText('Undone.').last()).toBeVisible()
    await expect(end).toBeVisible()
    await expect(page.getByText('“The client is away.”')).toHaveCount(2)
    await press(page, end)
    await expect(end).toHaveCount(0)
  })
  await test.step('a comment notifies the colleague whom it mentions', async () => {
    await page.goto(`/office/inbox${search}`)
    const comment = page.getByLabel('Comment')
    await type(page, comment, `@${colleague.name.slice(0, -2)}`)
    await expect(page.getByRole('option', { name: colleague.name })).toHaveAttribute('aria-selected', 'true')
    await expectAccessible(page)
    const releaseFrames = await delayFrames(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox', { name: 'Colleagues' })).toHaveCount(0)
    await expect(comment).toHaveValue(`@${colleague.name} `)
    // Text typed before and after the next frame keeps its order.
    await page.keyboard.type('please')
    await releaseFrames()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.keyboard.type(' call.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`“@${colleague.name} please call.”`)).toBeVisible()
    const mentions = colleague.page.getByRole('button', { name: /^Mentions/ })
    await press(colleague.page, mentions)
    await expect(colleague.page.locator('.inbox-item')).toHaveCount(1)
    await expect(colleague.page.getByText(`“@${colleague.name} please call.”`)).toBeVisible()
  })
})

test('on a phone an item that has just been snoozed shows until when (requirements 24.112)', async ({ browser }) => {
  const client = await newClient()
  await createAccountRequest(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', '/office/my-security')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/office/inbox?q=${encodeURIComponent(client.name)}&mine=false`)
  await page.locator('.inbox-item').click()
  await pressOnPage(page, page.getByRole('button', { name: /^Snooze/ }))
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Snooze' }))
  await expect(page.getByText('1 item snoozed.')).toBeVisible()
  await expect(page.getByText(/^snoozed until/)).toBeVisible()
  await expectAccessible(page)
})

test('a comment on an item that has since been decided is shown in Mentions, which links to the record', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const request = await createAccountRequest(client, 'EUR')
  const asker = await makeStaff(product, ['operations'], { name: 'Nils Aho' })
  const name = `Vera Lind${randomUUID().slice(0, 6)}`
  const { page } = await openPageAsStaff(browser, 'operations', name)
  const { items } = (await call(product, listInbox, { as: asker, query: { q: client.name } })).answer
  const id = items.find(({ record }) => record === request)?.id ?? ''
  const text = `Please note it, @${name}.`
  await call(product, writeComment, { as: asker, params: { id }, body: { text } })
  const texts = { reason: 'Not now.', clientReason: 'Please ask again later.' }
  const body = { version: 1, ...texts }
  expect((await call(product, rejectAccount, { as: asker, params: { id: request }, body })).status).toBe(200)
  await press(page, page.getByRole('button', { name: 'Mentions 1' }))
  const decided = page.getByRole('region', { name: 'Decided' })
  const item = decided.getByRole('link', { name: new RegExp(client.name) })
  await expect(item).toContainText('Decided')
  await expect(decided.getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByText(`“${text}”`)).toBeVisible()
  await expect(page.getByText(/Decided by Nils Aho/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Assign|Snooze|Comment)/ })).toHaveCount(0)
  await expectAccessible(page)
  await press(page, page.getByRole('main').getByRole('link', { name: /^Open/ }))
  await expect(page).toHaveURL(new RegExp(`/office/account-requests/${request}`))
  await expect(page.getByText(`“${text}”`)).toBeVisible()
  // The comment has been read, so Mentions is not shown any more.
  await page.goto('/office/inbox')
  await expect(page.getByRole('button', { name: /^All/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Mentions/ })).toHaveCount(0)
})

test('an item back from snooze is first; Shift selects the displayed range, and undo ends the snooze of all its items', async ({
  browser,
}) => {
  const client = await newClient()
  for (const currency of [...currencies, 'EUR'] as const) await createAccountRequest(client, currency)
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', inboxOf(client.name))
  const items = page.locator('.inbox-item')
  const shown = async () => {
    await expect(items).toHaveCount(4)
    const addresses = await items.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    return addresses.map((address) => /[\w-]{36}/.exec(address)?.[0] ?? '')
  }
  const [first, second, third, last] = await shown()
  const chosen = page.locator('.inbox-item[aria-current="true"]')
  const boxes = page.locator('.inbox-row').getByRole('checkbox')
  const selected = async () => boxes.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked))

  await test.step('an item back from snooze is first in its group, and keys follow the displayed order', async () => {
    const { pool } = (await runningProduct()).dependencies
    await run(pool, sql`update work_items set snoozed_until = now() - interval '1 minute' where id = ${last}`)
    await page.reload()
    await expect(items.first()).toContainText('back from snooze')
    expect(await shown()).toEqual([last, first, second, third])
    await expect(chosen).toHaveAttribute('href', new RegExp(`${last}`))
    await page.getByRole('main').focus()
    for (const [key, item] of [
      ['j', first],
      ['j', second],
      ['k', first],
      ['k', last],
    ] as const) {
      await page.keyboard.press(key)
      await expect(chosen).toHaveAttribute('href', new RegExp(`${item}`))
    }
  })
  await test.step('Shift and click select the items displayed in between', async () => {
    await boxes.first().click()
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    await expect(page.getByText('3 selected')).toBeVisible()
    expect(await selected()).toEqual([true, true, true, false])
    await page.getByRole('main').focus()
    await page.keyboard.press('Escape')
    await expect(page.getByText(/selected$/)).toHaveCount(0)
  })
  await test.step('x and Shift with the space bar do the same', async () => {
    await markItemViewed(page)
    await page.keyboard.press('x')
    await expect(page.getByText('1 selected')).toBeVisible()
    await tabTo(page, boxes.nth(2))
    await page.keyboard.press('Shift+Space')
    await expect(page.getByText('3 selected')).toBeVisible()
    expect(await selected()).toEqual([true, true, true, false])
  })
  await test.step('a single undo ends the snooze of all of them', async () => {
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: 'Snooze 3 items' })
    await type(page, dialog.getByLabel(/note/), 'The platform is closed.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('3 items snoozed.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).hover()
    await expect(items).toHaveCount(1)
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await expect(page.getByText('Undone.')).toBeVisible()
    await expect(items).toHaveCount(4)
    await expect(items.first()).toContainText('back from snooze')
    expect(await shown()).toEqual([last, first, second, third])
  })
})

test('if one of several items is rejected, the others are processed, the rejected one is named, and Undo reverts the others', async ({
  browser,
}) => {
  const client = await newClient()
  await createBankRequest(client)
  await submitApplication(client)
  const surname = client.name.split(' ').at(-1) ?? ''
  const product = await runningProduct()
  for (const [name, roles] of [
    ['Greta', ['operations']],
    ['Clara', ['compliance']],
    ['Paula', ['operations', 'compliance']],
  ] as const)
    await makeStaff(product, [...roles], { name: `${name} ${surname}` })
  const { page } = await openPageAsStaff(browser, ['operations', 'compliance'], 'Nils Aho', inboxOf(client.name))
  const items = page.locator('.inbox-item')
  await expect(items).toHaveCount(2)
  const error = 'A colleague has decided it meanwhile.'
  const refuseThe = async (place: number, action: string) => {
    const id = /[\w-]{36}/.exec((await items.nth(place).getAttribute('href')) ?? '')?.[0] ?? ''
    await page.route(`**/inbox/${id}/${action}`, (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, error, errors: {}, code: 'decided-meanwhile', values: {} },
      }),
    )
  }
  const selectBoth = async () => {
    for (const box of await page.locator('.inbox-row').getByRole('checkbox').all()) await box.check()
    await expect(page.getByText('2 selected')).toBeVisible()
    await page.getByRole('main').focus()
  }
  const refused = page.getByText(new RegExp(`Not done: ${client.name}, [^]*${error}`))
  await refuseThe(1, 'assign')
  await refuseThe(0, 'snooze')

  await test.step('only colleagues who may decide both types are offered', async () => {
    await selectBoth()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Assign 2 items' })
    await type(page, dialog.getByLabel('Name'), surname)
    await expect(dialog.getByRole('listitem')).toHaveText([new RegExp(`^Paula ${surname}`)])
    await page.keyboard.press('Enter')
  })
  await test.step('the first item is assigned, the second is named with the error; Undo unassigns the first', async () => {
    await expect(page.getByText(`1 of 2 items assigned to Paula ${surname}.`)).toBeVisible()
    await expect(refused).toBeVisible()
    await expect(items.getByTitle(`Assigned to Paula ${surname}`)).toHaveCount(1)
    await expectAccessible(page)
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await expect(page.getByText('Undone.')).toBeVisible()
    await expect(items.getByTitle(`Assigned to Paula ${surname}`)).toHaveCount(0)
  })
  await test.step('the same applies to a snooze that is rejected for the first item', async () => {
    await selectBoth()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: 'Snooze 2 items' })
    await type(page, dialog.getByLabel(/note/), 'The client is away.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('1 of 2 items snoozed.')).toBeVisible()
    await expect(refused).toBeVisible()
    await expect(items).toHaveCount(1)
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await expect(items).toHaveCount(2)
  })
})

test('the preview shows the content of an item, and who can override a block', async ({ browser }) => {
  const { pool } = (await runningProduct()).dependencies
  const client = await newClient()
  const account = await createFundedAccount(client, '400.00')
  await createWithdrawalRequest(client, account, '20.00')
  await run(pool, sql`update bank_details set holder_name = 'Peter Olsen' where client_id = ${client.id}`)
  const wire = await announceWire(client, account, '500.00')
  await openMismatchedDeposit(client, account, wire)
  await createSurnameRequest(client, 'Falk')
  const holder = await newClient({ state: 'pending' })
  await saveDocument(holder.token, 'id', 2)
  await saveDocument(holder.token, 'utility_bill')
  expect((await call(await runningProduct(), documentsApproval, { as: holder })).status).toBe(200)
  const { page } = await openPageAsStaff(browser, ['compliance', 'finance'], 'Vera Holm', inboxOf(client.name))
  const items = page.locator('.inbox-item')
  const slip = page.locator('.preview .slip')
  const choose = (kind: string) => items.filter({ hasText: kind }).click()

  await test.step('of a deposit: its details, and the amount that the provider received', async () => {
    await choose('Deposit')
    for (const [label, value] of [
      ['Account', account.number.slice(-3)],
      ['Payment method', 'Bank transfer'],
      ['Reference', wire.reference],
      ['Amount', '500.00'],
    ] as const)
      await expect(slip.locator('div').filter({ hasText: label })).toContainText(value)
    await expect(page.locator('.key-values > div').filter({ hasText: 'Paid at the provider' })).toContainText('450.00')
    await expectAccessible(page)
  })
  await test.step('of a profile change: the current value before the requested one', async () => {
    await choose('Profile change')
    const row = page.locator('.preview .change-row')
    await expect(row.locator('del')).toHaveText(client.name.split(' ')[1] ?? '')
    await expect(row.locator('b')).toHaveText('Falk')
    await expect(row).toHaveText(/Surname.*Now: .*Requested: Falk/)
    await expectAccessible(page)
  })
  await test.step('of a withdrawal: what blocks it and who can override the block', async () => {
    await choose('Withdrawal')
    await expect(slip.locator('div').filter({ hasText: 'Amount' })).toContainText('20.00')
    const block = page.locator('.preview .check-list > li').first()
    await expect(block).toContainText('The account holder Peter Olsen is not the client')
    await expect(block).toContainText('Compliance can override this block.')
    await expectAccessible(page)
  })
  await test.step('the withdrawal’s page shows each fact of a check with its source and time', async () => {
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    const check = page.locator('.decision-check').filter({ hasText: 'Peter Olsen is not the client' })
    await check.getByText(/^\d facts?$/).click()
    const facts = check.locator('.check-facts li')
    await expect(facts.first()).toBeVisible()
    for (const fact of await facts.allInnerTexts()) expect(fact).toMatch(/: .+ \(Our records,\s.*\d\d:\d\d\)$/)
    const balances = page.locator('.decision-check').filter({ hasText: 'Read from the platform' })
    await balances.getByText(/^\d facts?$/).click()
    await expect(balances.getByText(/^\(Platform, .*\d\d:\d\d\)$/)).toBeVisible()
  })
  await test.step('of documents: an image of each side', async () => {
    await page.goto(inboxOf(holder.name))
    const pictures = page.locator('.preview-pictures img')
    await expect(pictures).toHaveCount(3)
    expect(await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))).toEqual([
      expect.stringMatching(/, Front$/),
      expect.stringMatching(/, Back$/),
      'Utility bill',
    ])
    await expectAccessible(page)
  })
})

test('a key that was meant for the previous item does not decide the next one', async ({ browser }) => {
  const [client, other] = [await newClient(), await newClient()]
  const [first] = [await createAccountRequest(client), await createAccountRequest(other)]
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', '/office/account-requests')
  await stopClock(page)
  const approving = page.getByRole('dialog', { name: 'Approve account request' })
  const rejecting = page.getByRole('dialog', { name: /^Reject the account request/ })
  const stateOf = async (who: { token: string }) => {
    const { answer } = await call(await runningProduct(), getLiveAccounts, {
      as: who,
      params: { a: 'all', b: 'all' },
    })
    return answer.accounts[0]?.status
  }

  await test.step('a key does nothing on an item that has just appeared', async () => {
    await page.goto(`/office/account-requests/${first}`)
    await expect(page.getByRole('button', { name: /^Approve and open/ })).toBeVisible()
    await page.keyboard.press('r')
    await markItemViewed(page)
    await page.keyboard.press('a')
    await expect(approving).toBeVisible()
    await expect(rejecting).toHaveCount(0)
  })
  await test.step('Enter in the confirmation sends the decision; held down, it does nothing more', async () => {
    const confirm = approving.getByRole('button', { name: /^Approve and open/ })
    await expect(confirm).toBeFocused()
    await page.keyboard.down('Enter')
    await expect(page).not.toHaveURL(new RegExp(first))
    await expect(page.getByRole('button', { name: /^Approve and open/ })).toBeVisible()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
  })
  await test.step('pressing “a” again, or holding it down, does not affect the next item', async () => {
    await page.keyboard.down('a')
    await page.keyboard.press('Enter')
    await markItemViewed(page)
    await page.keyboard.down('a')
    await page.keyboard.up('a')
    await page.keyboard.press('r')
    await expect(rejecting).toBeVisible()
    await expect(approving).toHaveCount(0)
    await closeWithEscape(page, rejecting)
    expect(await stateOf(other)).toBe('pending')
    expect(await stateOf(client)).not.toBe('pending')
  })
})

test('a clerk counts as viewing an item after five seconds of its preview, and only if they selected it', async ({
  browser,
}) => {
  const client = await newClient()
  await createAccountRequest(client)
  await createBankRequest(client)
  const address = `/office/inbox?q=${encodeURIComponent(client.name)}`
  const watcher = await openPageAsStaff(browser, 'operations', 'Eva Lund', address)
  const context = await browser.newContext({ baseURL: portalUrl() })
  await context.clock.install()
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', address, context)
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/viewing')) sent.push(request.postDataJSON())
  })
  const nextViewing = () => page.waitForRequest(/\/viewing$/)
  const item = (clerk: Page) => clerk.getByRole('link', { name: new RegExp(`${client.name}[^]*Bank details`) })

  await test.step('an item that was selected automatically does not count as viewed, however long it is shown', async () => {
    await expect(page.getByRole('link', { name: /Open/ })).toBeVisible()
    await expect(page.locator('[aria-current="true"].inbox-item')).toHaveCount(1)
    await page.clock.fastForward(60_000)
  })
  await test.step('an item that the clerk selected counts after five seconds in the focused window', async () => {
    await pauseClock(page)
    await item(page).click()
    await pollWithPausedClock(page, async () => {
      // Checked without waiting: no time passes during a wait, so missing content would never appear.
      const shown = await page
        .getByRole('link', { name: /Open/ })
        .evaluateAll((links) => links[0]?.getAttribute('href'))
      return shown?.includes('bank-details') === true
    })
    await page.clock.fastForward(4000)
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await page.clock.fastForward(4000)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    const begun = nextViewing()
    await page.clock.fastForward(5000)
    expect((await begun).postDataJSON()).toEqual({ here: true })
    expect(sent).toEqual([{ here: true }])
    await expect(item(watcher.page).getByRole('img', { name: 'Nils Aho is viewing this' })).toBeVisible()
  })
  await test.step('it stops counting when the window loses the focus', async () => {
    const left = nextViewing()
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    expect((await left).postDataJSON()).toEqual({ here: false })
    await expect(item(watcher.page).getByRole('img', { name: 'Nils Aho is viewing this' })).toHaveCount(0)
  })
  await context.close()
})

test('the inbox opens with the items that the clerk can decide, and from then on with the last filter', async ({
  browser,
}) => {
  const client = await newClient({ state: 'pending' })
  await sendDocuments(client)
  const clerk = await openPageAsStaff(browser, 'compliance', 'Vera Holm')
  const { page } = clerk
  const chip = page.getByRole('button', { name: /^My reviews/ })
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('link', { name: new RegExp(client.name) }).first()).toBeVisible()
  await page.getByLabel('Assigned to').selectOption('me')
  await expect(page.getByText('No items match these filters.')).toBeVisible()
  await expectAccessible(page)
  // A filter is stored only after the previous one, however long that takes.
  const first = Promise.withResolvers<void>()
  const sent: string[] = []
  await page.route('**/inbox/filter', async (route) => {
    sent.push(route.request().postData() ?? '')
    await first.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Show all items' }).click()
  await expect(chip).toHaveAttribute('aria-pressed', 'false')
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/inbox/filter') && answer.request().postData()?.includes('withdrawal') === true,
  )
  await page.getByLabel('Type').selectOption('withdrawal')
  await expect(page).toHaveURL(/kind=withdrawal/)
  expect(sent).toHaveLength(1)
  first.resolve()
  expect((await saved).status()).toBe(200)

  const other = await (await profileOf(browser, 'office')).newPage()
  await other.addInitScript((bearer) => sessionStorage.setItem('office.token', bearer), clerk.token)
  await other.goto('/office/inbox')
  await expect(other.getByLabel('Type')).toHaveValue('withdrawal')
  await expect(other.getByRole('button', { name: /^My reviews/ })).toHaveAttribute('aria-pressed', 'false')
})

/** Opens the item of a deposit with a different received amount: the demo's provider always pays the requested one. */
async function openMismatchedDeposit(
  client: MadeClient,
  account: LiveAccount,
  { id, reference }: AnnouncedWire,
): Promise<void> {
  const { dependencies } = await runningProduct()
  const asked = { amount: '500.00', currency: account.currency, account: account.number, reference, type: 'wire' }
  const summary = { ...asked, paid: '450.00', paidCurrency: account.currency, paidReference: 'P-1' }
  const now = new Date()
  await transaction(dependencies.pool, (tx) =>
    openWorkItem(tx, 'deposit', id, now, { state: 'in_review', dueAt: now, clientId: client.id, summary }),
  )
}

async function statement(name: string): Promise<Buffer> {
  const document = new PDFDocument()
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => void document.on('end', () => resolve()))
  document.text(`Statement of ${name}, DE02 1203 0000 0000 2020 51`).end()
  await ended
  return Buffer.concat(chunks)
}
