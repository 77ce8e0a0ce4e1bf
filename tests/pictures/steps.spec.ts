/** `npm run pictures`: the portal's later states. */
import { disableAccount, readHistory, setPlatformSwitch } from '../e2e/account-history.ts'
import { expect } from '../e2e/expect.ts'
import { createDemoAccount, createFundedAccount, newClient, createOpenAccount } from '../e2e/pending-requests.ts'
import {
  openDialogs,
  documentSteps,
  forwardButton,
  goToNextStep,
  moneySteps,
  professionalSteps,
  checkRadio,
  registrationSteps,
} from '../e2e/portal-steps.ts'
import { runningProduct } from '../e2e/running.ts'
import { signClientIn, queryAsOwner } from '../e2e/stages.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { inEveryLook } from './looks.ts'

inEveryLook('money', moneySteps)
inEveryLook('registration', registrationSteps)
inEveryLook('documents', documentSteps)
inEveryLook('professional', professionalSteps)
inEveryLook('dialogs', openDialogs)

/**
 * The bank's answers at the simulated provider, and where the client then arrives; the wizard keeps a declined payment,
 * so that answer is last.
 */
const answersOfBank = [
  [/^(Leave the payment pending|Zahlung offen lassen)$/, /\/gcen-payments/],
  [/^(Approve payment|Zahlung freigeben)$/, /\/deposit-funds\/success/],
  [/^(Decline payment|Zahlung ablehnen)$/, /\/deposit-funds\/failed/],
] as const

inEveryLook('card returns', async ({ context, keep }) => {
  const page = await context.newPage()
  const client = await newClient()
  await createFundedAccount(client, '500.00')
  await makeApprovedBank(await runningProduct(), client)
  await signClientIn(page, client)
  for (const [number, [answer, arrival]] of answersOfBank.entries()) {
    await page.goto('/deposit-funds')
    await checkRadio(page, 0)
    await goToNextStep(page)
    await checkRadio(page, 0)
    await page.locator('main input[inputmode]').fill('25')
    await goToNextStep(page)
    await checkRadio(page, 2)
    await forwardButton(page).click()
    await page.getByRole('radio', { name: answer }).check()
    await page.getByRole('button', { name: /^(Pay|Bezahlen)/ }).click()
    await page.waitForURL(arrival)
    await keep(page, 'return', String(number + 1))
    if (number === 0) {
      const later = await context.newPage()
      await later.clock.install()
      await later.goto(page.url())
      await expect(later.locator('main [role=status]')).toBeVisible()
      await later.clock.fastForward(600_000)
      await expect(later.locator('main [role=status] + a')).toBeVisible()
      await keep(later, 'return', '1-long')
      await later.close()
    }
  }
})

inEveryLook('accounts', async ({ context, take }) => {
  const page = await context.newPage()
  const client = await newClient()
  const account = await createFundedAccount(client, '500.00')
  const unfunded = await createOpenAccount(client, 'GBP')
  await readHistory(unfunded)
  await readHistory(account)
  const demo = await createDemoAccount(client)
  await makeApprovedBank(await runningProduct(), client)
  await signClientIn(page, client)
  await take(page, 'account', `/trading-accounts/MT5/${account.number}`, '-first-day')
  await take(page, 'account', `/trading-accounts/MT5/${demo}`, '-demo')
  await take(page, 'account', `/trading-accounts/MT5/${unfunded.number}`, '-new')
  await take(page, 'account', '/trading-accounts/MT5/999999999', '-unknown')
  await setPlatformSwitch('drop-before', { path: '/api/', login: account.number, count: 0 })
  await queryAsOwner(`update platform_figures set read_at = read_at - interval '10 minutes' where account_id = $1`, [
    account.id,
  ])
  await take(page, 'account', `/trading-accounts/MT5/${account.number}`, '-silent')
  await take(page, 'account', '/trading-accounts', '-silent-list')
  const former = await newClient()
  const closed = await createFundedAccount(former, '500.00')
  await makeApprovedBank(await runningProduct(), former)
  await disableAccount(closed)
  await signClientIn(page, former)
  await take(page, 'account', `/trading-accounts/MT5/${closed.number}`, '-closed')
  await take(page, 'account', '/trading-accounts', '-closed-list')
})
