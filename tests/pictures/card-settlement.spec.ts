/** `npm run pictures`: a payout of the card provider, from its arrival to the settlement by two people. */
import { proposeSettlement } from '#contract/office/bank-lines.ts'
import { call, makeStaff } from '../factories.ts'
import { importCardSettlement } from '../e2e/pending-requests.ts'
import { runningProduct } from '../e2e/running.ts'
import { openPageAsStaff } from '../e2e/staff.ts'
import { inEveryLook } from './looks.ts'

inEveryLook('card settlement', async ({ browser, context, viewport, keep }) => {
  const product = await runningProduct()
  const id = await importCardSettlement()
  const address = `/office/imports?line=${id}`
  const { page } = await openPageAsStaff(browser, 'finance', 'Karla Sommer', address, context)
  await page.setViewportSize(viewport)
  await keep(page, 'staff', 'settlement-unmatched')
  await page.getByRole('button', { name: /(card settlement|Kartenabrechnung).*…$/ }).click()
  await keep(page, 'dialog', 'settlement-propose')
  const as = await makeStaff(product, ['finance'])
  const body = { version: 1, fee: '2.50', reason: 'Settlement report' }
  await call(product, proposeSettlement, { as, params: { id }, body })
  await page.goto(address)
  await keep(page, 'staff', 'settlement-proposed')
})
