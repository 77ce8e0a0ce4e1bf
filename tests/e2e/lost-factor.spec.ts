/**
 * A client who lost the second factor: one person checks the security answer and requests the reset, another turns the
 * factor off (ASVS 6.4.4).
 */
import { normalizeSecurityAnswer, hashPassword } from '#server/auth/password-hash.ts'
import { makeClient } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { expectFocusKept, skipToContent, takeDecision } from './decisions.ts'
import { press, type } from './keyboard.ts'
import { setUpAuthenticator } from './step-up.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'

test('two people turn off the second factor of a caller, after the right answer to the security question', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await makeClient(product, { name: 'Lea', surname: 'Vogt' })
  await setUpAuthenticator({ table: 'clients', id: client.id })
  await product.dependencies.pool.query(
    `update clients set security_question = 'first-school', security_answer_hash = $1 where id = $2`,
    [await hashPassword(normalizeSecurityAnswer('Lindenhof')), client.id],
  )
  const address = `/office/clients/${client.id}`
  const { page } = await openPageAsStaff(browser, 'compliance', 'Ines Albrecht', address)
  const ask = page.getByRole('button', { name: 'Request 2FA reset…' })

  await test.step('the reset can be requested only after the right answer', async () => {
    await expect(ask).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText(/Check the client’s security answer first/)).toBeVisible()
    await skipToContent(page)
    await type(page, page.getByLabel('What was the name of your first school?'), 'lindenhof')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The answer is correct.')).toBeVisible()
  })

  await test.step('a reason is required, and the requester cannot decide', async () => {
    await press(page, ask)
    const dialog = page.getByRole('dialog')
    await press(page, dialog.getByRole('button', { name: 'Request', exact: true }))
    await expect(dialog.getByText('Enter a reason.')).toBeVisible()
    await expectAccessible(page)
    await expect(dialog.getByLabel('Reason')).toBeFocused()
    await page.keyboard.type('Phone stolen; called back on the known number.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('2FA reset requested').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Turn off 2FA…' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Cancel request…' })).toBeFocused()
    await expectAccessible(page)
  })

  await test.step('another person reads the reason and turns it off', async () => {
    const second = await openPageAsStaff(browser, 'administrator', 'Ruth Calder', address)
    await expect(second.page.getByText(/Phone stolen; called back on the known number/)).toBeVisible()
    await takeDecision(second.page, 'Turn off 2FA…', { accessible: true })
    await expect(second.page.getByText('2FA is off. All sessions have ended.').first()).toBeVisible()
    await expect(second.page.getByRole('button', { name: 'Turn off 2FA…' })).toHaveCount(0)
    await expectFocusKept(second.page)
  })
})
