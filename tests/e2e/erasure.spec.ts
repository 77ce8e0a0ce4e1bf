/** Retention and erasure: two people erase a closed client, and the retention periods are in the settings. */
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { expectFocusIn, expectFocusKept, pressOnPage } from './decisions.ts'
import { press, type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'
import { newClient } from './pending-requests.ts'

test('one person requests the erasure of a closed client, another approves it, and the page shows what must be kept', async ({
  browser,
}) => {
  const client = await newClient({ state: 'closed' })
  const address = `/office/clients/${client.id}`
  const { page: asking } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', address)
  await pressOnPage(asking, asking.getByRole('button', { name: 'More about this client' }))
  const wish = asking.getByRole('menuitem', { name: 'Request erasure…' })
  await expect(asking.getByRole('menuitem').first()).toBeFocused()
  await asking.keyboard.press('End')
  await expect(wish).toBeFocused()
  await asking.keyboard.press('Enter')
  const dialog = asking.getByRole('dialog')
  await expectFocusIn(dialog)
  await expectAccessible(asking)
  await type(asking, dialog.getByLabel('Reason'), 'Wrote to us on Monday.')
  await press(asking, dialog.getByRole('button', { name: 'Request' }))
  await expect(asking.getByText('You made this request. Another person must decide.')).toBeVisible()
  await expect(asking.getByRole('button', { name: 'Erase…' })).toHaveCount(0)
  await expectAccessible(asking)

  const { page } = await openPageAsStaff(browser, 'compliance', 'Nils Berg', address)
  await expect(page.getByText(/Requested by Vera Holm on the client’s behalf.*Wrote to us on Monday\./)).toBeVisible()
  await pressOnPage(page, page.getByRole('button', { name: 'Erase…' }))
  await expect(page.getByRole('dialog').getByText(/The statutory record is deleted automatically after/)).toBeVisible()
  await expectAccessible(page)
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Erase' }))
  await expect(page.getByText('Erased to the extent allowed by law')).toBeVisible()
  await expectFocusKept(page)
  await expect(page.getByText(/must be kept until/)).toBeVisible()
  await expectAccessible(page)
  await expect(asking.getByText('Erased to the extent allowed by law')).toBeVisible()
})

test('the settings show the retention periods with their limits, and what the last runs deleted', async ({
  browser,
}) => {
  const { dependencies } = await runningProduct()
  await dependencies.pool.query(
    `insert into retention_runs (at, counts) values (now(), '{"files": 3, "sessions": 12}')`,
  )
  const { page } = await openPageAsStaff(browser, 'administrator', 'Tom Reyes', '/office/settings/retention')
  await expect(page.getByText('Files 3 · Sessions 12').first()).toBeVisible()
  await expect(page.getByLabel('Closed clients (years)')).toHaveValue('5')
  await page.getByLabel('Closed clients (years)').fill('3')
  await expect(page.getByText('Closed clients (years): Enter a whole number from 5 to 10.')).toBeVisible()
  await expectAccessible(page)
})
