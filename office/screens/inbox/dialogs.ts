/** Dialogs of the inbox and parts that only some items show, loaded after the page as one chunk. */
export { AssignDialog } from './assign-dialog.tsx'
export { DocumentChecks } from './document-checks.tsx'
export { DocumentPreview } from './document-preview.tsx'
export { ProfileChangeFigure } from './profile-change-figure.tsx'
export { SnoozeDialog } from './snooze-dialog.tsx'
