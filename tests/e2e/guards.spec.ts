/** Access to pages, and unknown URLs (requirements 2.10). */
import type { Request } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { createClientAtStage, signClientIn, queryAsOwner } from './stages.ts'

test('an unknown URL returns 404 and links to the home page; a known one returns 200, in portal and back office', async ({
  page,
}) => {
  const statusOf = async (path: string) =>
    (await page.request.get(path, { headers: { accept: 'text/html' }, maxRedirects: 0 })).status()
  for (const path of ['/', '/login', '/register', '/email/confirm/setpassword/a/b', '/platforms', '/profile'])
    expect([path, await statusOf(path)]).toEqual([path, 200])
  for (const path of ['/office', '/office/', '/office/inbox', '/office/clients/7'])
    expect([path, await statusOf(path)]).toEqual([path, 200])
  for (const path of [
    '/nowhere',
    '/profile/',
    '/Profile',
    '/deposit-funds/pending',
    '/office/nowhere',
    '/office/inbox/',
  ])
    expect([path, await statusOf(path)]).toEqual([path, 404])
  await page.goto('/profile/')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect(page.getByText('We cannot find /profile/.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
})

test('a page sends requests only to its own server, without a referrer, and sets no cookies (requirements 31.6)', async ({
  page,
}) => {
  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  for (const address of ['/resetpassword/a-one-time-id', '/email/confirm/a-one-time-id', '/office/']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const sent = asked.filter((request) => /^https?:/.test(request.url()))
  expect(sent.length).toBeGreaterThan(10)
  const origin = new URL(page.url()).origin
  expect(sent.map((request) => new URL(request.url()).origin).filter((one) => one !== origin)).toEqual([])
  const headers = await Promise.all(sent.map((request) => request.allHeaders()))
  expect(headers.map(({ referer = '', cookie = '' }) => referer + cookie).filter((one) => one !== '')).toEqual([])
  expect(await page.context().cookies()).toEqual([])
})

test('an expired token logs the client out: stored data is deleted, and / explains why', async ({ page }) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const over = { id: '1', status: 'approved', registered: true, continueRegistration: false, exp: 1_700_000_000 }
  await page.goto('/healthz')
  await page.evaluate(
    (token) => {
      localStorage.setItem('portal.token', token)
      localStorage.setItem('portal.registration', '2.3')
      localStorage.setItem('portal.uploads', 'passport')
    },
    `${part({ alg: 'EdDSA' })}.${part(over)}.x`,
  )
  await page.goto('/profile')
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Your session has ended. Log in again.')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('portal.')))).toEqual([])
  await expectAccessible(page)
  await page.goto('/withdraw-funds')
  await expect(page).toHaveURL('/')
})

test('a client with an incomplete registration is redirected to /register until it is completed here or elsewhere', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'registering' })
  await signClientIn(page, client)
  for (const path of ['/', '/trading-accounts', '/upload-documents', '/profile']) {
    await page.goto(path)
    await expect(page).toHaveURL('/register')
    await expect(page.getByRole('heading', { level: 1, name: 'What is your phone number?' })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Save and leave' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('status').filter({ hasText: 'Your progress is saved.' })).toHaveText(
    'Your progress is saved. Log in to continue on this or another device.',
  )
  expect(await page.evaluate(() => localStorage.getItem('portal.token'))).toBeNull()
  await signClientIn(page, client)
  await page.goto('/register')
  await expect(page.getByRole('heading', { level: 1, name: 'What is your phone number?' })).toBeVisible()
  await queryAsOwner(
    `update clients set state = 'pending', step = 5, sub_step = 3, registered_at = now() where id = $1`,
    [client.id],
  )
  // The window gets the focus again.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page.getByText('You completed your registration in another window or on another device.')).toBeVisible()
  await expect(page).toHaveURL('/upload-documents')
})

test('before approval every path without "document" redirects to the upload, and Logout deletes the stored data', async ({
  page,
}) => {
  await signClientIn(page, await createClientAtStage({ state: 'pending' }))
  for (const path of ['/', '/register', '/trading-accounts', '/profile', '/gcen-documentation']) {
    await page.goto(path)
    if (path.includes('document')) await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    else await expect(page).toHaveURL('/upload-documents')
  }
  for (const [path, opened] of [
    ['/documents', []],
    ['/document/passport', ['Passport']],
    ['/document/utility_bill', ['Proof of Address']],
    ['/document/proof_of_identity', ['Drivers licence']],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect(page.getByRole('button', { expanded: true, name: /^(Drivers|Pass|Identity|Proof)/ })).toHaveText(
      opened,
    )
  }
  const kept = ['portal.kept.somebody.transfer', 'portal.result.withdrawal', 'portal.aside.deposit']
  await page.evaluate((names) => {
    localStorage.setItem('portal.uploads', 'passport')
    for (const name of names) sessionStorage.setItem(name, JSON.stringify({ sent: name.endsWith('transfer') }))
  }, kept)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  const left = () =>
    page.evaluate(() =>
      [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.startsWith('portal.')),
    )
  // Data stored for another client is kept.
  expect(await left()).toEqual(['portal.kept.somebody.transfer'])
})

test('with identity and address approved only the accounts page is open; once the client is approved, every page is', async ({
  page,
  browser,
}) => {
  const checked = await createClientAtStage({ state: 'pending', checked: true })
  await signClientIn(page, checked)
  for (const path of ['/', '/deposit-funds']) {
    await page.goto(path)
    await expect(page).toHaveURL('/trading-accounts')
  }
  await expect(page.getByText(/Final approval in progress/)).toBeVisible()
  await expect(page.getByText('Request an account')).toHaveCount(0)
  await queryAsOwner(`update clients set state = 'rejected' where id = $1`, [checked.id])
  await signClientIn(page, checked)
  await page.goto('/')
  await expect(page.getByText('We cannot accept your application')).toBeVisible()
  await expect(page.getByText(/Final approval in progress/)).toHaveCount(0)
  const other = await (await browser.newContext()).newPage()
  await signClientIn(other, await createClientAtStage({ state: 'approved' }))
  for (const path of ['/', '/login', '/register', '/forgot-password']) {
    await other.goto(path)
    await expect(other).toHaveURL('/trading-accounts')
  }
  await other.goto('/nowhere')
  await expect(other.getByText('We cannot find /nowhere.')).toBeVisible()
  await expect(other.getByRole('navigation').first()).toBeVisible()
  await other.context().close()
})

test('the next page that is opened detects an approval if the token is older than 30 seconds', async ({ page }) => {
  const client = await createClientAtStage({ state: 'pending' })
  await signClientIn(page, client)
  await queryAsOwner(
    `update clients set state = 'approved', approved_at = now(), identity_approved_at = now(), address_approved_at = now(),
       declaration_version = 1 where id = $1`,
    [client.id],
  )
  // Disables reads at intervals and on focus, so that the page shows what it read when it was opened.
  await page.addInitScript(() => {
    const now = Date.now
    Date.now = () => now() + 31_000
    Object.assign(globalThis, { setInterval: () => 0 })
    addEventListener('focus', (event) => event.stopImmediatePropagation(), true)
    document.addEventListener('visibilitychange', (event) => event.stopImmediatePropagation(), true)
  })
  await page.goto('/trading-accounts')
  await expect(page.getByRole('button', { name: 'Request an account' })).toBeVisible()
  await page.goto('/documents')
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
})
