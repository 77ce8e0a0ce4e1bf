/** Dialogs of the accounts page and of an account's own page, loaded after the page as one chunk. */
import './dialogs.css'
export { AccountSettingsDialog } from './account-settings-dialog.tsx'
export { FirstPasswordDialog } from './first-password-dialog.tsx'
export { NoticeDialog } from './notice-dialog.tsx'
export { RequestAccountDialog } from './request-account-dialog.tsx'
export { RequestsToConfirm } from './requests-to-confirm.tsx'
