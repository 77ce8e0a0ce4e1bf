/** `npm run pictures`: every screen of the back office, with a record of each list. */
import { firstRecordOf, officePages } from '../e2e/screens.ts'
import { openPageAsStaff } from '../e2e/staff.ts'
import { inEveryLook } from './looks.ts'

inEveryLook('office', async ({ browser, context, viewport, take }) => {
  const page = await context.newPage()
  await take(page, 'staff', '/office/sign-in')
  const { page: office } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await office.setViewportSize(viewport)
  for (const list of officePages) {
    await take(office, 'staff', `/office${list}`)
    const record = await firstRecordOf(office, `/office${list}`)
    if (record !== null) await take(office, 'staff', record, `/office${list}/record`)
  }
})
