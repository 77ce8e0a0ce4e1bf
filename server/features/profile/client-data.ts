/** Exports a client's data for its owner: one JSON file per kind of record, and the uploaded files. */
import { accountMachine, accountStatusForClient } from '#rules/accounts.ts'
import { bankDetailsMachine, bankDetailsStatusForClient } from '#rules/bank-details.ts'
import type { Language } from '#rules/choices.ts'
import { clientMachine, clientStatusForClient } from '#rules/clients.ts'
import { depositMachine, depositStatusForClient } from '#rules/deposits.ts'
import { documentMachine, documentStatusForClient } from '#rules/documents.ts'
import { enquiryMachine } from '#rules/enquiries.ts'
import type { ClientId } from '#rules/ids.ts'
import { leverageRequestMachine, leverageStatusForClient } from '#rules/leverage-requests.ts'
import { professionalMachine, professionalStatusForClient } from '#rules/professional-status.ts'
import { profileChangeMachine, profileChangeStatusForClient } from '#rules/profile-changes.ts'
import type { StateMachine } from '#rules/state-machine.ts'
import { transferMachine, transferStatusForClient } from '#rules/transfers.ts'
import { withdrawalMachine, withdrawalStatusForClient } from '#rules/withdrawals.ts'
import { raw, rows } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { textEntry, type ZipEntry } from '../../export/zip.ts'
import { localizeReasons } from '../../i18n/format.ts'
import { stateText } from '../../i18n/translate.ts'
import { bytesOf, fileOfClient } from '../files/queries.ts'

const filesBytesMax = 100 * 1024 * 1024

interface ExportedKind {
  readonly table: string
  readonly owner: string
  /**
   * Excluded columns: secrets, staff's own notes, and internal decision data such as thresholds, first approvals and
   * bookkeeping.
   */
  readonly without: readonly string[]
  /** The client's status of each state; absent if a record has none. */
  readonly statuses?: { readonly record: string; readonly of: ReadonlyMap<string, string> }
}

/** The exported records, by file name. */
export const exportedKinds: Readonly<Record<string, ExportedKind>> = {
  client: {
    table: 'clients',
    owner: 'id',
    without: [
      'password_hash',
      'security_answer_hash',
      'security_answer_tries',
      'factor_secret',
      'factor_last_step',
      'version',
    ],
    statuses: statusesOf(clientMachine, clientStatusForClient),
  },
  consents: { table: 'consents', owner: 'client_id', without: [] },
  sessions: { table: 'sessions', owner: 'client_id', without: ['tries', 'registration_id', 'staff_id'] },
  documents: {
    table: 'documents',
    owner: 'client_id',
    without: ['decided_by', 'version'],
    statuses: statusesOf(documentMachine, documentStatusForClient),
  },
  'bank-details': {
    table: 'bank_details',
    owner: 'client_id',
    without: ['decided_by', 'holder_by', 'version'],
    statuses: statusesOf(bankDetailsMachine, bankDetailsStatusForClient),
  },
  'trading-accounts': {
    table: 'trading_accounts',
    owner: 'client_id',
    without: ['first_password', 'opening_data', 'group_name', 'missing_since', 'decided_by', 'version'],
    statuses: statusesOf(accountMachine, accountStatusForClient),
  },
  'leverage-requests': {
    table: 'leverage_requests',
    owner: 'client_id',
    without: ['decided_by', 'version'],
    statuses: statusesOf(leverageRequestMachine, leverageStatusForClient),
  },
  deposits: {
    table: 'deposits',
    owner: 'client_id',
    without: [
      'decided_by',
      'provider_mac',
      'payment_url',
      'request_key',
      'request_body',
      'asked_at',
      'unanswered_since',
      'bank_line',
      'version',
    ],
    statuses: statusesOf(depositMachine, depositStatusForClient),
  },
  withdrawals: {
    table: 'withdrawals',
    owner: 'client_id',
    without: [
      'threshold_minor',
      'approved_by',
      'first_approved_at',
      'approval_note',
      'confirmed_by',
      'confirmed_at',
      'paid_by',
      'payout_file',
      'entered_by',
      'proof_file',
      'reversal_asked_by',
      'reversal_asked_at',
      'reversed_by',
      'version',
    ],
    statuses: statusesOf(withdrawalMachine, withdrawalStatusForClient),
  },
  transfers: {
    table: 'transfers',
    owner: 'client_id',
    without: ['decided_by', 'version'],
    statuses: statusesOf(transferMachine, transferStatusForClient),
  },
  'professional-applications': {
    table: 'professional_applications',
    owner: 'client_id',
    without: ['decided_by', 'version'],
    statuses: statusesOf(professionalMachine, professionalStatusForClient),
  },
  'profile-changes': {
    table: 'profile_changes',
    owner: 'client_id',
    without: ['asked_by', 'asked_reason', 'decided_by', 'version'],
    statuses: statusesOf(profileChangeMachine, profileChangeStatusForClient),
  },
  enquiries: {
    table: 'enquiries',
    owner: 'client_id',
    without: ['name', 'email', 'about', 'decided_by', 'version'],
    statuses: statusesOf(enquiryMachine, (state) => state),
  },
  'enquiry-messages': { table: 'enquiry_messages', owner: 'client_id', without: ['staff_id'] },
  notices: { table: 'notices', owner: 'client_id', without: [] },
}

function statusesOf<State extends string>(
  { name, states }: StateMachine<State>,
  shown: (state: State) => string,
): NonNullable<ExportedKind['statuses']> {
  return { record: name, of: new Map(states.map((state) => [state, shown(state)])) }
}

interface DataOwner {
  readonly id: ClientId
  /** The language of its texts. */
  readonly language: Language
}

export async function* clientDataEntries(dependencies: Dependencies, owner: DataOwner): AsyncGenerator<ZipEntry> {
  for (const [name, kind] of Object.entries(exportedKinds))
    yield textEntry(`${name}.json`, await recordsOf(dependencies, owner, kind))
  yield* filesOf(dependencies, owner.id)
}

async function recordsOf(dependencies: Dependencies, { id, language }: DataOwner, kind: ExportedKind): Promise<string> {
  const found = await rows<{ record: Record<string, unknown> }>(dependencies.pool)`
    select to_jsonb(t) - ${[...kind.without]}::text[] as record from ${raw(kind.table)} t
      where t.${raw(kind.owner)} = ${id} order by t.id`
  const read = found.map(({ record: one }) => withPortalStatus(localizeReasons(one, language), kind, language))
  return JSON.stringify(read, null, 2)
}

/** Returns a record with the status and its label as the client sees them in the portal (ADR 81). */
function withPortalStatus(record: Readonly<Record<string, unknown>>, { statuses }: ExportedKind, language: Language) {
  const { state, ...rest } = record
  const status = statuses?.of.get(String(state))
  return statuses === undefined || status === undefined
    ? rest
    : { ...rest, status, status_text: stateText(statuses.record, status, language) }
}

/** Yields the client's files as uploaded, up to the size limit, and the list of all of them. */
async function* filesOf(dependencies: Dependencies, clientId: ClientId): AsyncGenerator<ZipEntry> {
  const found = await rows<{ label: string; size: number; added: boolean }>(dependencies.pool)`
    select label, size, false as added from files where client_id = ${clientId} and staff_id is null and state = 'clean' order by id desc`
  let bytesLeft = filesBytesMax
  for (const file of found) {
    if (file.size > bytesLeft) continue
    const stored = await fileOfClient(dependencies.pool, clientId, file.label)
    // A damaged file is logged where it is read, and must not stop the others.
    const bytes = stored ? await bytesOf(dependencies, stored).catch(() => null) : null
    if (!bytes) continue
    yield { name: `files/${file.label}`, bytes, isPacked: true }
    file.added = true
    bytesLeft -= file.size
  }
  const listed = found.map(({ label, size, added }) => ({ label, size, added }))
  yield textEntry('files.json', JSON.stringify(listed, null, 2))
}
