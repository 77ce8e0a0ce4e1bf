/** Every page of the portal (requirements 2.1, 2.2): its route, access and frame. */
import { type Screen, screen } from '#ui/navigation/screens.tsx'
import type { Access } from './guard.ts'

/** The header's labels (requirements 2.6). */
export type Section =
  | 'my-accounts'
  | 'funding'
  | 'platforms'
  | 'verification'
  | 'professional-client-status'
  | 'profile'

export interface Place {
  access: Access
  /** `bare`: no frame; `header`: no menu; `full`: header and, for approved clients, the menu. */
  frame: 'bare' | 'header' | 'full'
  section?: Section
}

const visitor: Place = { access: 'visitor', frame: 'bare' }
const registration: Place = { access: 'register', frame: 'bare' }
const confirmation: Place = { access: 'anyone', frame: 'header' }
/** The card's return page has the header; iDEAL's has none (requirements 2.5). */
const cardReturn: Place = { access: 'payment', frame: 'header', section: 'funding' }
const idealReturn: Place = { access: 'payment', frame: 'bare' }
const mailLink: Place = { access: 'anyone', frame: 'bare' }
const inSection = (section: Section): Place => ({ access: 'client', frame: 'full', section })

export const screens: readonly Screen<Place>[] = [
  ...screen(['/', '/login'], visitor, () => import('./screens/login/login.tsx')),
  ...screen(['/register'], registration, () => import('./screens/register/register.tsx')),
  ...screen(
    ['/forgot-password', '/password-reset'],
    visitor,
    () => import('./screens/forgot-password/forgot-password.tsx'),
  ),
  ...screen(['/resetpassword/:id'], mailLink, () => import('./screens/resetpassword/resetpassword.tsx')),
  ...screen(['/email/confirm/*'], confirmation, () => import('./screens/email-confirm/email-confirm.tsx')),
  ...screen(['/gcen-payments'], cardReturn, () => import('./screens/gcen-payments/gcen-payments.tsx')),
  ...screen(['/ideal'], idealReturn, () => import('./screens/gcen-payments/gcen-payments.tsx')),
  ...screen(
    ['/trading-accounts'],
    inSection('my-accounts'),
    () => import('./screens/trading-accounts/trading-accounts.tsx'),
  ),
  ...screen(
    ['/trading-accounts/:platform/:number'],
    inSection('my-accounts'),
    () => import('./screens/trading-account/trading-account.tsx'),
  ),
  ...screen(
    ['/deposit-funds', '/deposit-funds/account/:account', '/deposit-funds/success', '/deposit-funds/failed'],
    inSection('funding'),
    () => import('./screens/deposit-funds/deposit-funds.tsx'),
  ),
  ...screen(
    ['/withdraw-funds', '/withdraw-funds/success', '/withdraw-funds/failed'],
    inSection('funding'),
    () => import('./screens/withdraw-funds/withdraw-funds.tsx'),
  ),
  ...screen(
    ['/internal-transfer'],
    inSection('funding'),
    () => import('./screens/internal-transfer/internal-transfer.tsx'),
  ),
  ...screen(['/bank-details'], inSection('funding'), () => import('./screens/bank-details/bank-details.tsx')),
  ...screen(
    ['/transactions-history'],
    inSection('funding'),
    () => import('./screens/transactions-history/transactions-history.tsx'),
  ),
  ...screen(
    ['/platforms/mt4', '/platforms/mt5'],
    inSection('platforms'),
    () => import('./screens/platforms/platforms.tsx'),
  ),
  ...screen(['/profile'], inSection('profile'), () => import('./screens/profile/profile.tsx')),
  ...screen(
    ['/documents', '/document/:documentType'],
    inSection('verification'),
    () => import('./screens/documents/documents.tsx'),
  ),
  ...screen(
    ['/upload-documents'],
    inSection('verification'),
    () => import('./screens/upload-documents/upload-documents.tsx'),
  ),
  ...screen(
    ['/professional-client-status'],
    inSection('professional-client-status'),
    () => import('./screens/professional-client-status/professional-client-status.tsx'),
  ),
]
