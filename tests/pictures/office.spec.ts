/** `npm run pictures`: every screen of the back office, with a record of each list. */
import { firstRecordOf, lists } from '../e2e/screens.ts'
import { staffAt } from '../e2e/staff.ts'
import { inEveryLook } from './looks.ts'

inEveryLook('office', async ({ browser, context, viewport, take }) => {
  const page = await context.newPage()
  await take(page, 'staff', '/office/sign-in')
  const { page: office } = await staffAt(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await office.setViewportSize(viewport)
  for (const list of lists) {
    await take(office, 'staff', `/office${list}`)
    const record = await firstRecordOf(office, `/office${list}`)
    if (record !== null) await take(office, 'staff', record, `/office${list}/record`)
  }
})
