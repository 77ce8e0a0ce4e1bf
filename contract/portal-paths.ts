/**
 * All paths of the portal (requirements 2.1, 2.2), from which screens, emails and notices build their links;
 * portal/routes.tsx names the screen of each.
 */

const segment = encodeURIComponent

/** Returns the path of one list of the history, with one record's drawer open if it is named. */
function history(list: 'deposits' | 'withdrawals' | 'transfers', record?: string): string {
  return `/transactions-history?list=${list}${record === undefined ? '' : `&record=${segment(record)}`}`
}

export const portalPaths = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  passwordReset: '/password-reset',
  resetPassword: (id: string) => `/resetpassword/${segment(id)}`,
  /** The id may contain slashes, so it is not encoded. */
  confirmEmail: (id: string) => `/email/confirm/${id}`,
  confirmEmailAndSetPassword: (id: string) => `/email/confirm/setpassword/${id}`,
  confirmNewEmail: (id: string) => `/email/confirm/change/${id}`,
  ideal: '/ideal',
  gcenPayments: '/gcen-payments',
  tradingAccounts: '/trading-accounts',
  demoAccounts: '/trading-accounts?kind=demo',
  tradingAccount: (platform: 'MT4' | 'MT5', number: string) =>
    `/trading-accounts/${segment(platform)}/${segment(number)}`,
  depositFunds: '/deposit-funds',
  depositToAccount: (account: string) => `/deposit-funds/account/${segment(account)}`,
  depositResult: (status: 'success' | 'failed') => `/deposit-funds/${status}`,
  withdrawFunds: '/withdraw-funds',
  withdrawFromAccount: (account: string) => `/withdraw-funds?account=${segment(account)}`,
  withdrawalResult: (status: 'success' | 'failed') => `/withdraw-funds/${status}`,
  internalTransfer: '/internal-transfer',
  bankDetails: '/bank-details',
  /** With the dialog of one record open. */
  bankRecord: (id: string) => `/bank-details?record=${segment(id)}`,
  profile: '/profile',
  /** With one of its sections open. */
  profileSection: (section: 'employment' | 'experience' | 'security' | 'data') =>
    `/profile?section=${segment(section)}`,
  documents: '/documents',
  uploadDocuments: '/upload-documents',
  document: (documentType: string) => `/document/${segment(documentType)}`,
  transactionsHistory: '/transactions-history',
  history,
  /** One list of the history, of one account. */
  historyOfAccount: (list: 'deposits' | 'withdrawals' | 'transfers', account: string) =>
    `${history(list)}&account=${segment(account)}`,
  /** With Help open at one enquiry, on whatever page the client may open. */
  enquiry: (id: string) => `/trading-accounts?enquiry=${segment(id)}`,
  platforms: (target: 'mt4' | 'mt5' = 'mt4') => `/platforms/${target}`,
  professionalClientStatus: '/professional-client-status',
} as const
