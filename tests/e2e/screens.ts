/** An address for every screen of both apps, for tests of all screens. */
import type { Page } from '@playwright/test'
import { routesOf } from './routes-of.ts'

/** An id that no email's link has. */
export const unknownId = '0f3f0ed8-2c4e-4a0e-9a43-0d8e0f0a0001'

/** One address for each route of the portal: for visitors, for a pending client, for an approved one. */
export const visitorAddresses = [
  '/login',
  '/register',
  '/forgot-password',
  '/password-reset',
  `/resetpassword/${unknownId}`,
  `/email/confirm/${unknownId}`,
  '/ideal',
]
export const waitingAddresses = ['/upload-documents', '/documents', '/document/passport']
export const clientAddresses = [
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
  '/ideal',
]

/** The sections of the profile that are not open at its plain address. */
export const profileSections = ['employment', 'experience', 'security', 'data'].map(
  (section) => `/profile?section=${section}`,
)

const officeRoutes = routesOf('office')
/** The lists and single pages of the back office. */
export const officePages = officeRoutes.filter((route) => !route.includes(':') && route !== '/sign-in')
const routesWithRecords = [
  '/trading-accounts',
  ...officeRoutes.filter((route) => route.endsWith('/:id')).map((route) => `/office${route.replace('/:id', '')}`),
]

/** Returns the address at which an open page shows its first record, with its receipt; null if it has none. */
export async function firstDrawerOf(page: Page): Promise<string | null> {
  const link = page.locator('main a[href*="record="]').first()
  return (await link.count()) > 0 ? link.getAttribute('href') : null
}

/** Returns the address of the first record of an open list; null if it has none. */
export async function firstRecordOf(page: Page, list: string): Promise<string | null> {
  if (!routesWithRecords.includes(list)) return null
  const record = page.locator(`main a[href^="${list}/"]`).first()
  return (await record.count()) > 0 ? record.getAttribute('href') : null
}
