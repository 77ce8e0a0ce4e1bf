/** All pages of the back office: their routes and the area that a person must be allowed to read. */
import type { Area } from '#rules/permissions.ts'
import { type Screen, screen } from '#ui/navigation/screens.tsx'

export interface Place {
  /** null: for people who are not signed in. `everyone`: for all staff. */
  area: Area | 'everyone' | null
  /** A list that stays visible while one of its entries is open beside or above it. */
  listStays?: true
}

const open: Place = { area: null }
const everyone: Place = { area: 'everyone' }
const of = (area: Area): Place => ({ area })
const withList = (area: Area): Place => ({ area, listStays: true })

export const screens: readonly Screen<Place>[] = [
  ...screen(['/sign-in'], open, () => import('./screens/sign-in/sign-in.tsx')),
  ...screen(['/welcome/:id'], open, () => import('./screens/welcome/welcome.tsx')),
  ...screen(['/overview'], of('overview'), () => import('./screens/overview/overview.tsx')),
  ...screen(['/inbox', '/inbox/:id'], withList('inbox'), () => import('./screens/inbox/inbox.tsx')),
  ...screen(['/documents'], of('documents'), () => import('./screens/documents/documents.tsx')),
  ...screen(['/documents/:id'], of('documents'), () => import('./screens/document/document.tsx')),
  ...screen(['/clients'], of('clients'), () => import('./screens/clients/clients.tsx')),
  ...screen(['/clients/:id'], of('clients'), () => import('./screens/client/client.tsx')),
  ...screen(
    ['/clients/:id/access-request'],
    of('clients'),
    () => import('./screens/access-request/access-request.tsx'),
  ),
  ...screen(
    ['/accounts/:platform/:number'],
    of('tradingAccounts'),
    () => import('./screens/trading-account/trading-account.tsx'),
  ),
  ...screen(
    ['/account-requests'],
    of('accountRequests'),
    () => import('./screens/account-requests/account-requests.tsx'),
  ),
  ...screen(
    ['/account-requests/:id'],
    of('accountRequests'),
    () => import('./screens/account-requests/account-request.tsx'),
  ),
  ...screen(['/leverage'], of('leverageRequests'), () => import('./screens/leverage/leverage.tsx')),
  ...screen(['/leverage/:id'], of('leverageRequests'), () => import('./screens/leverage/leverage-request.tsx')),
  ...screen(['/bank-details'], of('bankDetails'), () => import('./screens/bank-details/bank-details.tsx')),
  ...screen(['/bank-details/:id'], of('bankDetails'), () => import('./screens/bank-details/bank-record.tsx')),
  ...screen(['/professional'], of('professional'), () => import('./screens/professional/professional.tsx')),
  ...screen(['/professional/:id'], of('professional'), () => import('./screens/professional/application.tsx')),
  ...screen(['/profile-changes'], of('profileChanges'), () => import('./screens/profile-changes/profile-changes.tsx')),
  ...screen(
    ['/profile-changes/:id'],
    of('profileChanges'),
    () => import('./screens/profile-changes/profile-change.tsx'),
  ),
  ...screen(['/enquiries'], of('enquiries'), () => import('./screens/enquiries/enquiries.tsx')),
  ...screen(['/enquiries/:id'], of('enquiries'), () => import('./screens/enquiries/enquiry.tsx')),
  ...screen(['/deposits'], of('deposits'), () => import('./screens/deposits/deposits.tsx')),
  ...screen(['/deposits/:id'], of('deposits'), () => import('./screens/deposits/deposit.tsx')),
  ...screen(['/withdrawals'], of('withdrawals'), () => import('./screens/withdrawals/withdrawals.tsx')),
  ...screen(['/withdrawals/:id'], of('withdrawals'), () => import('./screens/withdrawal/withdrawal.tsx')),
  ...screen(['/payout-batches'], of('payouts'), () => import('./screens/payout-batches/payout-batches.tsx')),
  ...screen(['/payout-batches/:id'], of('payouts'), () => import('./screens/payout-batch/payout-batch.tsx')),
  ...screen(['/transfers'], of('transfers'), () => import('./screens/transfers/transfers.tsx')),
  ...screen(['/transfers/:id'], of('transfers'), () => import('./screens/transfers/transfer.tsx')),
  ...screen(
    ['/corrections', '/corrections/:id'],
    withList('corrections'),
    () => import('./screens/corrections/corrections.tsx'),
  ),
  ...screen(
    ['/client-money', '/client-money/:id'],
    of('clientMoney'),
    () => import('./screens/client-money/client-money.tsx'),
  ),
  ...screen(['/reconciliation'], of('reconciliation'), () => import('./screens/reconciliation/reconciliation.tsx')),
  ...screen(['/recovery', '/recovery/:id'], withList('recovery'), () => import('./screens/recovery/recovery.tsx')),
  ...screen(['/imports'], of('deposits'), () => import('./screens/imports/imports.tsx')),
  ...screen(['/audit'], of('audit'), () => import('./screens/audit/audit.tsx')),
  ...screen(['/reports'], of('reports'), () => import('./screens/reports/reports.tsx')),
  ...screen(['/settings', '/settings/:section'], withList('settings'), () => import('./screens/settings/settings.tsx')),
  ...screen(['/staff'], of('staff'), () => import('./screens/staff/staff.tsx')),
  ...screen(['/failed-jobs'], of('failedJobs'), () => import('./screens/failed-operations/failed-operations.tsx')),
  ...screen(['/my-security'], everyone, () => import('./screens/my-security/my-security.tsx')),
]
