/**
 * `npm run pictures`: states of the portal that would disturb others in the demo, in a product of their own: messages
 * with a reply or about a payment, and payments that recovery has stopped.
 */
import { requestWirePayment } from '#contract/deposits.ts'
import { writeEnquiry } from '#contract/enquiries.ts'
import { answerEnquiry, getOfficeEnquiry } from '#contract/office/enquiries.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { transaction } from '#server/db/sql.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import { expect } from '../e2e/expect.ts'
import { portalTab, withOwnProduct } from '../e2e/own-product.ts'
import { call, makeClient, makeStaff, type MadeClient, type TestServer } from '../factories.ts'
import { makeApprovedBank, makeFundedAccount, wireBody } from '../funded-account.ts'
import { inEveryLook } from './looks.ts'

inEveryLook('portal rare', async ({ browser, options, take, keep }) => {
  await withOwnProduct(
    browser,
    'MT5',
    async (product) => {
      const { server, context } = product
      const client = await makeClient(server)
      const account = await makeFundedAccount(server, client, 100_000n)
      await makeApprovedBank(server, client)
      const visitor = await context.newPage()
      await visitor.goto('/')
      await visitor.getByRole('button', { name: /^(Help|Hilfe)$/ }).click()
      await visitor.getByRole('button', { name: /^(Send us a message|Nachricht an uns senden)$/ }).click()
      await keep(visitor, 'help', '-contact-form')
      const page = await portalTab(product, client)
      await take(page, 'help', portalPaths.enquiry(await repliedEnquiry(server, client)), '-thread')
      const wire = await call(server, requestWirePayment, { as: client, body: wireBody(account, '120.00') })
      await page.goto(portalPaths.history('deposits', wire.answer.id))
      const support = page.getByRole('button', { name: /^(Contact support about this|Support kontaktieren)$/ })
      await support.click()
      await expect(page.getByRole('dialog', { name: /^(Help|Hilfe)$/ })).toBeVisible()
      await keep(page, 'help', '-about-a-payment')
      const about = wire.answer.bankDetails.BankReference
      await take(page, 'help', portalPaths.enquiry(await repliedEnquiry(server, client, about)), '-payment-thread')
      await stopPayments(server)
      // Recovery ends every session.
      const again = await portalTab(product, client)
      for (const address of [
        portalPaths.tradingAccounts,
        '/deposit-funds',
        '/withdraw-funds',
        portalPaths.history('deposits'),
      ])
        await take(again, 'stopped', address)
    },
    options,
  )
})

async function repliedEnquiry(server: TestServer, client: MadeClient, reference = ''): Promise<string> {
  const text = 'My transfer left my bank on Monday. When is it in my account?'
  const written = await call(server, writeEnquiry, {
    as: client,
    body: { topic: 'payments', text, complaint: false, reference },
  })
  const { id } = written.answer.enquiry
  const as = await makeStaff(server, ['operations'], { name: 'Anton Reis' })
  const { version } = (await call(server, getOfficeEnquiry, { as, params: { id } })).answer.enquiry
  const body = { version, text: 'It arrived this morning and was credited at 10:14.' }
  expect((await call(server, answerEnquiry, { as, params: { id }, body })).status).toBe(200)
  return id
}

async function stopPayments({ dependencies, clock }: TestServer): Promise<void> {
  const now = clock.now()
  await transaction(dependencies.jobs, (tx) => openRecovery(tx, { sign: 'restored', since: now, now }))
}
