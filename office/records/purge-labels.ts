/** Counts of deleted or erased data in the reader's language: "Files 3 · Sessions 12". */
import { useLingui } from '@lingui/react/macro'
import { codeAsText } from './work-item-labels.ts'

/** Returns a function that formats the counts of a run or an erasure on one line; empty if there are none. */
export function usePurgedText(): (counts: Readonly<Record<string, number>>) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    clients: t`Clients`,
    registrations: t`Registrations`,
    sessions: t`Sessions`,
    links: t`One-time links`,
    notices: t`Notifications`,
    letters: t`Emails`,
    files: t`Files`,
    documents: t`Documents`,
    bankDetails: t`Bank details`,
    details: t`Personal data in events`,
    notes: t`Notes`,
    flags: t`Flags`,
    linkedClients: t`Linked clients`,
    holds: t`Payment holds`,
    overrides: t`Overrides`,
    profileChanges: t`Profile changes`,
    recoveryCodes: t`Recovery codes`,
    consents: t`Consent addresses`,
    payers: t`Payers of bank transactions`,
    deposits: t`Texts of deposits`,
    withdrawals: t`Bank and texts of withdrawals`,
    transfers: t`Texts of transfers`,
    requests: t`Reasons of requests`,
    applications: t`Answers in professional applications`,
    nicknames: t`Account names`,
  }
  return (counts) =>
    Object.entries(counts)
      .filter(([kind]) => !quiet.includes(kind))
      .map(([kind, count]) => `${words[kind] ?? codeAsText(kind)}\u00a0${count}`)
      .join(' · ')
}

/** Internal rows without meaning for staff. */
const quiet: readonly string[] = ['workItems', 'idempotencyKeys']
