/** Labels of an event's values. */
import { useLingui } from '@lingui/react/macro'
import { clientStatusLabels } from '#contract/office/role-labels.ts'
import { stateLabels } from '#contract/office/state-labels.ts'
import { statusKey } from '#contract/status-labels.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { plainWords } from './work-item-labels.ts'

const valueLabels = { ...stateLabels, ...clientStatusLabels }

/**
 * Returns a function that returns the label of any record's state: requests, files, bank transactions, discrepancies,
 * operations, staff.
 */
export function useStateLabel(): (record: string, state: string) => string {
  const label = useLabels(valueLabels, plainWords)
  return (record, state) => label(statusKey(valueLabels, record, state))
}

/** Returns a function that returns "Amount" for a value's name; a name without a label is split into words. */
export function useValueName(): (name: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    account: t`Account`,
    added: t`New transactions`,
    amount: t`Amount`,
    bankId: t`Bank transaction ID`,
    clientReason: t`Text for the client`,
    bankLine: t`Bank transaction`,
    by: t`Confirmed by`,
    batch: t`Payout batch`,
    charge: t`Bank charges deducted`,
    client: t`Client`,
    clientStatus: t`Client status`,
    closing: t`Closing balance`,
    count: t`Count`,
    currency: t`Currency`,
    deposit: t`Deposit`,
    destination: t`To account`,
    device: t`Device`,
    differences: t`Discrepancies`,
    differing: t`Details differ`,
    field: t`Field`,
    files: t`Files`,
    filter: t`Filters`,
    flag: t`Flag`,
    from: t`Current value`,
    holder: t`Account holder`,
    keys: t`Count`,
    kid: t`Key`,
    kind: t`Type`,
    leverage: t`Leverage`,
    leftOut: t`Excluded`,
    lines: t`Transactions`,
    links: t`One-time links`,
    list: t`List`,
    name: t`Name`,
    note: t`Note`,
    number: t`Number`,
    payer: t`Payer`,
    platform: t`Platform`,
    proposal: t`Proposal`,
    purpose: t`Payment reference`,
    rate: t`Rate`,
    received: t`Arrived`,
    reference: t`Reference`,
    remittance: t`Payment reference`,
    roles: t`Roles`,
    rows: t`Rows`,
    section: t`Section`,
    sha256: t`SHA-256`,
    source: t`From account`,
    staff: t`Person`,
    step: t`Step`,
    sum: t`Total`,
    to: t`Requested`,
    total: t`Total`,
    type: t`Type`,
    unread: t`Unread`,
    version: t`Version`,
    whole: t`Audit log verified`,
    'windDown.deposits': t`No new deposits`,
    'windDown.leverage': t`No higher leverage`,
    'windDown.newAccounts': t`No new trading accounts`,
    withdrawal: t`Withdrawal`,
  }
  const label = useLabels(profileLabels, plainWords)
  return (name) => (Object.hasOwn(words, name) ? words[name] : undefined) ?? label(name)
}
