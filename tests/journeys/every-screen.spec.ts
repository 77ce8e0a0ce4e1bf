/**
 * Every screen of both apps, light and dark, wide and narrow: nothing for axe to find (WCAG 2.2 AA), no error told by the
 * browser (its content policy included), no sideways scroll, one heading of the first level.
 */
import { expect, test, type Page } from '@playwright/test'
import { demoPassword, people } from '#scripts/seed/people.ts'
import { matchRoute } from '#contract/routes.ts'
import { violationsIn } from './accessible.ts'
import { loggedIn, logIn } from './clients.ts'
import { routesOf } from './routes-of.ts'
import { signedInStaff } from './staff.ts'

// A hundred and sixty looks of axe: longer than other journeys where the machine is busy.
test.describe.configure({ timeout: 300_000 })

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }
const narrowest = 360
/** Names no mail's link. */
const unknownId = '0f3f0ed8-2c4e-4a0e-9a43-0d8e0f0a0001'

/** Collects what the browser complains of: thrown errors, and lines of the console that are errors. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (line) => {
    // A link that nobody sent is not found: the page says so, and the browser does too.
    const asked = line.location().url
    const unknownLink = (asked.includes(unknownId) || asked.endsWith('/invitation')) && line.text().includes('404')
    if (line.type() === 'error' && !unknownLink) complaints.push(`${line.text()} ${line.location().url}`)
  })
  return complaints
}

/** Looks at the page as it stands, wide and light, narrow and dark; answers all that is wrong with it. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const [size, scheme] of [
    [wide, 'light'],
    [narrow, 'dark'],
  ] as const) {
    await page.setViewportSize(size)
    for (const violation of await violationsIn(page, scheme)) faults.push(`${size.width} ${violation}`)
  }
  for (const width of [narrow.width, narrowest]) {
    await page.setViewportSize({ width, height: narrow.height })
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (beyond > 0) faults.push(`${width}: scrolls sideways by ${beyond}`)
  }
  const headings = await page.getByRole('heading', { level: 1 }).count()
  if (headings !== 1) faults.push(`${headings} headings of the first level`)
  await page.setViewportSize(wide)
  return faults
}

/** Opens an address and waits until it has what it asked the server for. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
}

/** Opens each address and expects nothing to be wrong with any. */
async function expectClean(page: Page, complaints: string[], addresses: readonly string[]): Promise<void> {
  const wrong: Record<string, string[]> = {}
  for (const address of addresses) {
    await test.step(address, async () => {
      await open(page, address)
      const faults = [...(await faultsOf(page)), ...complaints.splice(0)]
      if (faults.length > 0) wrong[address] = faults
    })
  }
  expect(wrong).toEqual({})
}

/** One address for each route of the portal: for visitors, for a client who waits, for one who is approved. */
const visitorAddresses = [
  '/login',
  '/register',
  '/forgot-password',
  '/password-reset',
  `/resetpassword/${unknownId}`,
  `/email/confirm/${unknownId}`,
  '/ideal',
]
const waitingAddresses = ['/upload-documents', '/documents', '/document/passport']
const clientAddresses = [
  '/trading-accounts',
  '/trading-accounts?kind=demo',
  '/deposit-funds',
  '/deposit-funds/success',
  '/deposit-funds/failed',
  '/withdraw-funds',
  '/withdraw-funds/success',
  '/withdraw-funds/failed',
  '/internal-transfer',
  '/bank-details',
  '/transactions-history?list=deposits',
  '/transactions-history?list=withdrawals',
  '/transactions-history?list=transfers',
  '/platforms/mt4',
  '/platforms/mt5',
  '/profile',
  '/documents',
  '/upload-documents',
  '/document/passport',
  '/professional-client-status',
  '/gcen-payments',
]

test('every route of the portal has an address here', () => {
  const addresses = [...visitorAddresses, ...waitingAddresses, ...clientAddresses, '/', '/deposit-funds/account/1']
  const forgotten = routesOf('portal').filter(
    (route) => !addresses.some((address) => matchRoute(route, address.split('?')[0] ?? '')),
  )
  expect(forgotten).toEqual([])
})

test('the pages of visitors are clean', async ({ page }) => {
  await expectClean(page, complaintsOf(page), visitorAddresses)
})

test('the pages of a client who waits for approval are clean', async ({ page }) => {
  const complaints = complaintsOf(page)
  await logIn(page, people.amira.email, demoPassword)
  await page.waitForURL('/upload-documents')
  await expectClean(page, complaints, waitingAddresses)
})

for (const half of [0, 1])
  test(`the pages of a client with accounts and money are clean (half ${half + 1})`, async ({ page }) => {
    const complaints = complaintsOf(page)
    await logIn(page, people.clara.email, demoPassword)
    await page.waitForURL('/trading-accounts')
    await expectClean(
      page,
      complaints,
      clientAddresses.filter((_, at) => at % 2 === half),
    )
  })

test('the pages of a client who has nothing yet are clean', async ({ page }) => {
  const complaints = complaintsOf(page)
  await loggedIn(page)
  await expectClean(page, complaints, ['/withdraw-funds', '/internal-transfer', '/transactions-history?list=deposits'])
})

/** The lists of the office, and the page of the first record of each that has one. */
const officeRoutes = routesOf('office')
const lists = officeRoutes.filter((route) => !route.includes(':') && route !== '/sign-in')
const withRecords = officeRoutes.filter((route) => route.endsWith('/:id')).map((route) => route.replace('/:id', ''))

const parts = 3
for (let part = 0; part < parts; part += 1)
  test(`the pages of the office are clean, and a record of each list (part ${part + 1})`, async ({ browser }) => {
    const { page } = await signedInStaff(browser, 'administrator', 'Looking Clerk')
    const complaints = complaintsOf(page)
    const addresses: string[] = []
    for (const list of lists.filter((_, at) => at % parts === part)) {
      addresses.push(`/office${list}`)
      if (!withRecords.includes(list)) continue
      await open(page, `/office${list}`)
      const record = page.locator(`main a[href^="/office${list}/"]`).first()
      if ((await record.count()) > 0) addresses.push((await record.getAttribute('href')) ?? '')
    }
    await expectClean(page, complaints, addresses)
    await page.context().close()
  })

test('the pages before signing in to the office are clean', async ({ page }) => {
  await expectClean(page, complaintsOf(page), ['/office/sign-in', `/office/welcome/${unknownId}`])
})
