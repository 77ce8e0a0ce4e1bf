/** Dialogs of the accounts page, loaded after the page as one chunk. */
export { AccountSettingsDialog } from './account-settings-dialog.tsx'
export { FirstPasswordDialog } from './first-password-dialog.tsx'
export { NoticeDialog } from './notice-dialog.tsx'
export { RequestAccountDialog } from './request-account-dialog.tsx'
export { RequestsToConfirm } from './requests-to-confirm.tsx'
