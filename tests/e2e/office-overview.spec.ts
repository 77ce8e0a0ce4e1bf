/** The overview of the back office by role, with the keyboard (requirements 24.1 to 24.5). */
import type { APIResponse, Page } from '@playwright/test'
import { assignItem, listInbox } from '#contract/office/inbox.ts'
import { overview } from '#contract/office/overview.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseOption, press, pressTogether } from './keyboard.ts'
import { createFundedAccount, newClient, createWithdrawalRequest } from './pending-requests.ts'
import { portalUrl } from '../product.ts'
import { openPageAsStaff } from './staff.ts'

/** Returns the items in the inbox of the token's owner that match a search. */
async function inboxOf(token: string, words: string) {
  const response = await fetch(`${portalUrl()}${listInbox.path}?q=${encodeURIComponent(words)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await response.json()) as { items: { id: string }[] }
}

/** A request without a response is retried twice. */
const requestsOfOneReading = 3

const title = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' })
const part = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 2, name })

test('finance opens it with g o, sees money and queues, and opens the next item with keys', async ({ browser }) => {
  const client = await newClient()
  await createWithdrawalRequest(client, await createFundedAccount(client, '400.00'), '20.00')
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier')
  // Other journeys' items appear and disappear: a fixed response keeps the selection in place.
  let first: APIResponse | undefined
  await page.route(`**${overview.path}`, async (route) => route.fulfill({ response: (first ??= await route.fetch()) }))
  await expect(page.getByRole('heading', { level: 1, name: /Inbox/ })).toBeVisible()
  await pressTogether(page, ['g', 'o'])
  await expect(title(page)).toBeVisible()
  for (const name of [
    /Needs your attention/,
    'Queues',
    /Deposits and withdrawals/,
    /New clients/,
    'Client money',
    'Integrations',
    'Team today',
  ])
    await expect(part(page, name)).toBeVisible()
  await expect(page.getByRole('img', { name: /Deposits and withdrawals in EUR by day/ })).toBeVisible()
  // The readout shows the last day, and another one after an arrow key.
  const chart = page.getByRole('img', { name: /Deposits and withdrawals in EUR by day/ })
  const readout = page.locator('.chart-readout').first()
  await expect(readout).toContainText(/: in .*, out .*, net /)
  const today = await readout.textContent()
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(readout).not.toHaveText(today ?? '')
  await page.keyboard.press('Escape')
  await expect(readout).toHaveText(today ?? '')
  await expectAccessible(page)
  // The same values as a table, stored in the URL.
  await press(page, page.getByRole('button', { name: 'Show as table' }))
  await expect(page).toHaveURL(/money=table/)
  await expect(page.getByRole('table', { name: /in EUR by day/ })).toBeVisible()
  await page.getByRole('main').focus()
  await page.keyboard.press('j')
  const chosen = page.locator('.overview-needs a[aria-current="true"]')
  await expect(chosen).toBeVisible()
  const href = (await chosen.getAttribute('href')) ?? ''
  // A key within 400 ms after an item appeared was meant for the previous one.
  await page.keyboard.press('Tab')
  await page.getByRole('main').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL((address) => `${address.pathname}${address.search}` === href)
})

test('a queue links to its list, and ? lists the keyboard shortcuts', async ({ browser }) => {
  const client = await newClient()
  await createWithdrawalRequest(client, await createFundedAccount(client, '400.00'), '20.00')
  const { page } = await openPageAsStaff(browser, 'operations', 'Tom Reyes', '/office/overview')
  await expect(part(page, 'Integrations')).toBeVisible()
  await expect(part(page, 'Client money')).toHaveCount(0)
  await expect(part(page, /New clients/)).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Queues' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await press(page, page.getByRole('table', { name: 'Queues' }).getByRole('link', { name: 'Withdrawal', exact: true }))
  await expect(page).toHaveURL(/\/office\/inbox\?kind=withdrawal/)
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('withdrawal')
})

test('compliance sees the number of clients under review and opens their list', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'compliance', 'Ines Albrecht', '/office/overview')
  await expect(part(page, 'Client money')).toHaveCount(0)
  const reviews = page.getByRole('table', { name: 'Reviews' })
  await expect(reviews.getByRole('row')).toHaveCount(4)
  await expect(reviews.getByRole('columnheader')).toHaveText(['Clients', 'Now', '30 days ago'])
  await press(page, reviews.getByRole('link', { name: 'Payments on hold' }))
  await expect(page).toHaveURL(/\/office\/clients\?review=paymentsOnHold/)
  await expect(page.getByRole('paragraph').filter({ hasText: 'Payments on hold' })).toBeVisible()
  await press(page, page.getByRole('button', { name: '1 filter: Payments on hold' }))
  await expect(page.getByRole('combobox', { name: 'Review' })).toHaveValue('paymentsOnHold')
  await expectAccessible(page)
})

test('administrators and auditors start on the overview, roles that decide in the inbox', async ({ browser }) => {
  const { page: administrator } = await openPageAsStaff(browser, 'administrator', 'Ada Quill', '/office')
  await expect(title(administrator)).toBeVisible()
  await expect(part(administrator, /Needs your attention/)).toBeVisible()
  const { page: auditor } = await openPageAsStaff(browser, 'auditor', 'Otto Rhys', '/office')
  await expect(title(auditor)).toBeVisible()
  await expect(part(auditor, 'Queues')).toBeVisible()
  for (const name of [/Needs your attention/, 'Team today']) await expect(part(auditor, name)).toHaveCount(0)
  await expectAccessible(auditor)
  const { page: compliance } = await openPageAsStaff(browser, 'compliance', 'Ines Albrecht', '/office')
  await expect(compliance.getByRole('heading', { level: 1, name: /Inbox/ })).toBeVisible()
})

test('a person with two roles can choose the layout of either, and the choice is kept', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, ['compliance', 'finance'], 'Ines Albrecht', '/office/overview')
  const view = page.getByRole('combobox', { name: 'View' })
  const main = page.locator('.overview-main').getByRole('heading', { level: 2 })
  const [needed, queues, money, clients] = [
    /^Needs your attention/,
    'Queues',
    /^Deposits and withdrawals/,
    /^New clients/,
  ]
  await expect(view).toHaveValue('finance')
  await expect(main).toHaveText([needed, queues, money, clients])
  await expect(part(page, 'Client money')).toBeVisible()
  await expectAccessible(page)
  await chooseOption(page, view, 'compliance')
  await expect(main).toHaveText([needed, queues, clients, money])
  await expect(part(page, 'Client money')).toHaveCount(0)
  await page.reload()
  await expect(view).toHaveValue('compliance')
  await expect(main).toHaveText([needed, queues, clients, money])
  const { page: single } = await openPageAsStaff(browser, 'finance', 'Johanna Meier', '/office/overview')
  await expect(part(single, 'Client money')).toBeVisible()
  await expect(single.getByRole('combobox', { name: 'View' })).toHaveCount(0)
})

test('in one column the parts follow the order of the role, on a phone the same order for all', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, ['finance', 'administrator'], 'Ada Quill', '/office/overview')
  const view = page.getByRole('combobox', { name: 'View' })
  await expect(part(page, 'Team today')).toBeVisible()
  const order = async () => {
    const places = await page.locator('.overview-part h2').evaluateAll((all) =>
      all.map((head) => ({
        name: head.textContent.split(/[,0-9]/)[0]?.trim(),
        top: head.getBoundingClientRect().top,
      })),
    )
    return places.toSorted((a, b) => a.top - b.top).map(({ name }) => name)
  }
  const money = 'Deposits and withdrawals'
  const ofPhones = [
    'Needs your attention',
    'Client money',
    'Queues',
    money,
    'New clients',
    'Integrations',
    'Team today',
  ]
  await page.setViewportSize({ width: 1280, height: 800 })
  await chooseOption(page, view, 'administrator')
  await expect
    .poll(order)
    .toEqual(['Integrations', 'Queues', 'Team today', 'Needs your attention', 'Client money', money, 'New clients'])
  await chooseOption(page, view, 'finance')
  await expect.poll(order).toEqual(ofPhones)
  await chooseOption(page, view, 'administrator')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(order).toEqual(ofPhones)
})

test('a part that failed to load reports this in its place and can be loaded again', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier')
  await page.route(`**${overview.path}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...answer, clientMoney: null, failed: ['clientMoney'] } })
  })
  await page.goto('/office/overview')
  const failed = page.getByRole('alert').filter({ hasText: 'This content could not be loaded.' })
  await expect(failed).toBeVisible()
  await expect(page.getByRole('table', { name: 'Queues' })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await press(page, failed.getByRole('button', { name: 'Try again' }))
  await expect(failed).toHaveCount(0)
  await expect(part(page, 'Client money')).toBeVisible()
})

test('tables that are loading do not scroll sideways', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Tom Reyes')
  // Never responds, so the page keeps loading.
  await page.route(`**${overview.path}`, () => undefined)
  await page.goto('/office/overview')
  const team = page.locator('.overview-team .table-frame')
  await expect(team.locator('.skeleton').first()).toBeAttached()
  expect(await team.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0)
})

test('integrations, failed operations and colleagues link to their lists', async ({ browser }) => {
  const client = await newClient()
  await createWithdrawalRequest(client, await createFundedAccount(client, '400.00'), '20.00')
  const name = `Kim ${client.name.split(' ').at(-1) ?? ''}`
  const colleague = await openPageAsStaff(browser, 'operations', name)
  const inbox = await inboxOf(colleague.token, client.name)
  const taken = await fetch(`${portalUrl()}${assignItem.path.replace(':id', inbox.items[0]?.id ?? '')}`, {
    method: assignItem.method,
    headers: { authorization: `Bearer ${colleague.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'me' }),
  })
  expect(taken.ok).toBe(true)
  const { page } = await openPageAsStaff(browser, 'operations', 'Tom Reyes', '/office/overview')
  const team = page.getByRole('table', { name: 'Team today' })
  // Uses the pointer, because the number of Tab stops depends on other journeys' colleagues and items.
  await team.getByRole('link', { name }).first().click()
  await expect(page.getByRole('button', { name: `Assigned to ${name}`, pressed: true })).toBeVisible()
  await expect(page.getByRole('link', { name: new RegExp(client.name) })).toBeVisible()
  await press(page, page.getByRole('button', { name: `Assigned to ${name}`, pressed: true }))
  await expect(page).not.toHaveURL(/colleague/)
  await page.goto('/office/overview')
  await page.getByRole('link', { name: 'Email', exact: true }).click()
  await expect(page).toHaveURL(/\/office\/failed-jobs\?q=mail/)
  await expect(page.getByRole('searchbox')).toHaveValue('mail')
  await page.route(`**${overview.path}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...answer, failedOperations: 12 } })
  })
  await page.goto('/office/overview')
  await page.getByRole('link', { name: 'Failed operations 12', exact: true }).click()
  await expect(page).toHaveURL(/\/office\/failed-jobs$/)
})

test('it refreshes in place every minute while it is visible', async ({ browser }) => {
  const client = await newClient()
  await createWithdrawalRequest(client, await createFundedAccount(client, '400.00'), '20.00')
  const context = await browser.newContext({ baseURL: portalUrl() })
  await context.clock.install()
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', '/office/overview', context)
  const queues = page.getByRole('table', { name: 'Queues' })
  // The frame is shown before the response, the items are not.
  await expect(page.locator('.overview-needs a').first()).toBeVisible()
  await page.getByRole('main').focus()
  await page.keyboard.press('j')
  const chosen = page.locator('.overview-needs a[aria-current="true"]')
  await expect(chosen).toBeVisible()
  const href = await chosen.getAttribute('href')
  await expect(queues.getByText('4321')).toHaveCount(0)
  await page.route(`**${overview.path}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { queues: Record<string, unknown>[] }
    const changed = answer.queues.map((queue) => (queue['kind'] === 'withdrawal' ? { ...queue, open: 4321 } : queue))
    await route.fulfill({ response, json: { ...answer, queues: changed } })
  })
  await page.clock.fastForward(60_000)
  await expect(queues.getByText('4321')).toBeVisible()
  await expect(chosen).toHaveAttribute('href', href ?? '')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // A server of another version, whose response this page cannot read.
  await page.route(`**${overview.path}`, (route) => route.fulfill({ json: { success: true, queues: 'other' } }))
  await page.clock.fastForward(60_000)
  await expect(page.getByText('This page may be out of date.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload page' })).toBeVisible()
  await expect(queues.getByText('4321')).toBeVisible()
  await context.close()
})

test('it announces new items, but not items that moved up, until it is refreshed manually', async ({ browser }) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '400.00')
  for (const amount of ['20.00', '30.00', '40.00']) await createWithdrawalRequest(client, account, amount)
  const context = await browser.newContext({ baseURL: portalUrl() })
  await context.clock.install()
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', '/office/inbox', context)
  /** Which of the first items are shown, and how many there are in total. */
  let shown: readonly number[] = []
  let total = 0
  /** Distinguishes consecutive responses, because the time to the next refresh starts with a response. */
  let mark = 4001
  let first: APIResponse | undefined
  await page.route(`**${overview.path}`, async (route) => {
    const response = (first ??= await route.fetch())
    const answer = (await response.json()) as { needsYou: { items: object[] }; queues: Record<string, unknown>[] }
    const items = shown.map((place) => answer.needsYou.items[place])
    const needsYou = { ...answer.needsYou, total, items }
    const queues = answer.queues.map((queue) => (queue['kind'] === 'withdrawal' ? { ...queue, open: mark } : queue))
    await route.fulfill({ response, json: { ...answer, needsYou, queues } })
  })
  await page.goto('/office/overview')
  const listed = page.locator('.overview-needs li')
  const news = page.locator('.overview-needs').getByRole('status')
  const count = page.locator('.overview-count')
  const nextMinute = async (items: readonly number[], of: number) => {
    shown = items
    total = of
    await page.clock.fastForward(60_000)
    await expect(count).toHaveText(String(of))
    await expect(listed).toHaveCount(items.length)
  }
  const byHand = async () => {
    mark += 1
    await press(page, page.getByRole('button', { name: 'Refresh' }))
    await expect(page.getByRole('table', { name: 'Queues' }).getByText(String(mark))).toBeVisible()
    await expect(news).toBeEmpty()
  }
  await expect(page.getByText('No items to review.')).toBeVisible()
  await expect(news).toBeEmpty()
  await nextMinute([0], 1)
  await expect(news).toHaveText('1 new item')
  await byHand()
  await expect(listed).toHaveCount(1)
  await nextMinute([0, 1], 3)
  await expect(news).toHaveText('1 new item')
  total = 3
  await byHand()
  // The first item is decided; the third, which existed already, moves up into the list.
  await nextMinute([1, 2], 2)
  await expect(news).toBeEmpty()
  await nextMinute([0, 1, 2], 3)
  await expect(news).toHaveText('1 new item')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

test('client money is shown as Reconciled, Shortfall or Excess; data older than five minutes shows since when', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: portalUrl() })
  await context.clock.install()
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier', '/office/inbox', context)
  let isAnswering = true
  let refused = 0
  await page.route(`**${overview.path}`, async (route) => {
    if (!isAnswering) {
      refused += 1
      return route.abort()
    }
    const response = await route.fetch()
    const answer = (await response.json()) as Record<string, unknown>
    const readAt = Number(answer['at'])
    const reading = (currency: string, held: string, difference: string) => ({
      currency,
      owed: '1000.00',
      held,
      difference,
      openDifferences: 0,
      statementsTo: null,
      since: readAt - 7200,
      readAt,
    })
    const clientMoney = [
      reading('EUR', '1000.00', '0.00'),
      reading('GBP', '988.00', '-12.00'),
      reading('USD', '1015.00', '15.00'),
    ]
    return route.fulfill({ response, json: { ...answer, clientMoney } })
  })
  await page.goto('/office/overview')
  const money = (currency: string) =>
    page.getByRole('table', { name: 'Client money' }).locator('tbody').filter({ hasText: currency })
  await test.step('each status has its amount and how long it has lasted', async () => {
    await expect(money('EUR')).toContainText('Reconciled')
    await expect(money('EUR')).not.toContainText('2 h')
    await expect(money('GBP')).toContainText(/Shortfall 2\sh.*−12\.00/)
    await expect(money('USD')).toContainText(/Excess 2\sh.*\+15\.00/)
    await expectAccessible(page)
  })
  const old = page.getByRole('status').filter({ hasText: /^Not updated since .*\d\d:\d\d/ })
  const refresh = page.locator('.overview-refresh')
  await test.step('the age is shown after five minutes without a response', async () => {
    isAnswering = false
    await page.clock.fastForward(4 * 60_000)
    await expect.poll(() => refused).toBe(requestsOfOneReading)
    await expect(refresh).toHaveAttribute('aria-busy', 'false')
    await expect(old).toHaveCount(0)
    await expect
      .poll(async () => {
        await page.clock.fastForward(60_000)
        return old.count()
      })
      .toBe(1)
    await expect(refresh).toHaveClass(/stale/)
    await expect(money('GBP')).toContainText('Shortfall')
    await expectAccessible(page)
  })
  await test.step('the age disappears after the next response', async () => {
    isAnswering = true
    await press(page, page.getByRole('button', { name: 'Refresh' }))
    await expect(old).toHaveCount(0)
    await expect(refresh).not.toHaveClass(/stale/)
  })
  // A refresh may still be in progress.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

test('without items to review it shows when the next item is due', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho')
  await page.route(`**${overview.path}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as Record<string, unknown>
    const needsYou = { total: 0, items: [], nextSnoozed: null, nextDue: Date.parse('2031-03-04T09:00:00Z') / 1000 }
    await route.fulfill({ response, json: { ...answer, needsYou } })
  })
  await page.goto('/office/overview')
  await expect(page.getByText('The next item is due 4 March 2031, 09:00.')).toBeVisible()
})
