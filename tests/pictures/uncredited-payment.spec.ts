/** `npm run pictures`: card payments that are not credited, as finance and the client see them. */
import { run, transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { openPageAsClient } from '../e2e/clients.ts'
import { announceWire, createOpenAccount, newClient } from '../e2e/pending-requests.ts'
import { runningProduct } from '../e2e/running.ts'
import { openPageAsStaff } from '../e2e/staff.ts'
import { inEveryLook } from './looks.ts'

inEveryLook('uncredited payment', async ({ browser, context, viewport, keep }) => {
  const { pool } = (await runningProduct()).dependencies
  const client = await newClient()
  const account = await createOpenAccount(client, 'EUR')
  const make = async (state: string, comment: string, received: number | null) => {
    const { id, reference } = await announceWire(client, account, '250.00')
    const now = new Date()
    await run(pool)`
      update deposits set type = 'cc_gcen', card_type = 114, method = 'Credit/Debit Card', gateway = 'gcen', provider = 'card',
        provider_id = ${id}, state = ${state}, comment = ${comment}, received_minor = ${received} where id = ${id}`
    const summary = { amount: '250.00', currency: 'EUR', account: account.number, reference, type: 'cc_gcen' }
    const paid = { paid: '200.00', paidCurrency: 'EUR', paidReference: reference }
    await transaction(pool, (tx) =>
      openWorkItem(tx, 'deposit', id, now, {
        state,
        dueAt: now,
        clientId: client.id,
        summary: { ...summary, ...paid },
      }),
    )
    return id
  }
  const uncredited = await make('uncredited', 'refusal:trading-disabled', 25_000)
  const differing = await make('in_review', 'refusal:payment-differs', null)
  const { page } = await openPageAsStaff(browser, 'finance', 'Karla Sommer', `/office/deposits/${uncredited}`, context)
  await page.setViewportSize(viewport)
  await keep(page, 'staff', 'uncredited')
  await page.getByRole('button', { name: /Refund payment|Zahlung erstatten/ }).click()
  await keep(page, 'dialog', 'refund')
  await page.goto(`/office/deposits/${differing}`)
  await keep(page, 'staff', 'in-review')
  const portal = await context.newPage()
  await openPageAsClient(portal, '/transactions-history?list=deposits', client)
  await keep(portal, 'client', 'history')
  await portal.goto(`/transactions-history?list=deposits&record=${uncredited}`)
  await keep(portal, 'client', 'uncredited')
})
