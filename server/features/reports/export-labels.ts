/** Labels of codes in exports: a code is in its column, and its label in the reader's language beside it. */
import { documentLabels } from '#contract/document-labels.ts'
import { outcomeLabels, topicLabels } from '#contract/enquiry-labels.ts'
import { msg, type Labels } from '#contract/message.ts'
import { findingLabels } from '#contract/office/finding-labels.ts'
import { differenceLabels } from '#contract/office/difference-labels.ts'
import { mailKinds } from '#contract/office/mail-kinds.ts'
import { operationLabels, sourceLabels } from '#contract/office/operation-labels.ts'
import { workItemLabels } from '#contract/office/record-labels.ts'
import type { exportedLists } from '#contract/office/list-export.ts'
import { clientStatusLabels, roleLabels } from '#contract/office/role-labels.ts'
import type { StatusRecord } from '#contract/status-labels.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import type { Language } from '#rules/choices.ts'
import { labelText, stateText } from '../../i18n/translate.ts'

const requestTypes: Labels = { live: msg`Live`, demo: msg`Demo` }

/** Columns of codes by their heading, in any list. */
const columns: Readonly<Record<string, Labels>> = {
  kind: workItemLabels,
  request: requestTypes,
  client_status: clientStatusLabels,
  roles: roleLabels,
  field: profileLabels,
  documents: documentLabels,
  source: sourceLabels,
  topic: topicLabels,
  outcome: outcomeLabels,
}
const ownKinds: Partial<Readonly<Record<(typeof exportedLists)[number], Labels>>> = {
  reconciliation: differenceLabels,
  recovery: findingLabels,
  'failed-jobs': operationLabels,
}

/** The record type of a list's states; the column `kind` decides in a list of several types. */
const recordOf: Partial<Readonly<Record<(typeof exportedLists)[number], StatusRecord>>> = {
  clients: 'client',
  documents: 'document',
  'account-requests': 'account',
  'leverage-requests': 'leverage_request',
  'bank-details': 'bank_details',
  deposits: 'deposit',
  'bank-lines': 'bank_line',
  withdrawals: 'withdrawal',
  transfers: 'transfer',
  professional: 'professional',
  'profile-changes': 'profile_change',
  enquiries: 'enquiry',
  corrections: 'correction',
  'firm-money': 'firm_money',
  reconciliation: 'difference',
  recovery: 'recovery_item',
  staff: 'staff',
  'failed-jobs': 'operation',
}

/** Returns the labels of a column's codes, or null for a column without codes. */
export function labelsOf(
  list: (typeof exportedLists)[number],
  column: string,
): ((codes: string, language: Language, row: Readonly<Record<string, unknown>>) => string) | null {
  if (column === 'state') {
    const record = recordOf[list]
    return (state, language, row) => (state === '' ? '' : stateText(record ?? String(row['kind']), state, language))
  }
  const labels = (column === 'kind' ? ownKinds[list] : undefined) ?? columns[column]
  if (!labels) return null
  if (column === 'documents') return documentsText
  if (labels === operationLabels) return operationText
  // A staff member has several roles.
  const between = column === 'roles' ? ' ' : null
  return (codes, language) =>
    (between === null ? [codes] : codes.split(between)).map((code) => labelText(labels, code, language)).join(', ')
}

/** Returns "Passport: Approved, Identity card: Pending" for "passport approved, id pending". */
function documentsText(codes: string, language: Language): string {
  const parts = codes === '' ? [] : codes.split(', ').map((one) => one.split(' '))
  return parts
    .map(
      ([kind = '', state = '']) =>
        `${labelText(documentLabels, kind, language)}: ${stateText('document', state, language)}`,
    )
    .join(', ')
}

/** Returns a label such as "Debit a withdrawal" or "Email: document approved". */
function operationText(kind: string, language: Language): string {
  return Object.hasOwn(mailKinds, kind)
    ? `${labelText(operationLabels, 'mail', language)}: ${labelText(mailKinds, kind, language)}`
    : labelText(operationLabels, kind, language)
}

/** Returns the label of a work item's kind. */
export function workItemKindLabel(kind: string, language: Language): string {
  return labelText(workItemLabels, kind, language)
}
