/** Exports everything about one client as a ZIP: events, decisions and documents as stored (requirements 21.9). */
import { createHash } from 'node:crypto'
import type { evidenceBundle as endpoint } from '#contract/office/records.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId, FileId } from '#rules/ids.ts'
import { storedCheckSentence, type KeptCheck } from '../../checks/stored-checks.ts'
import { recordClientEvent } from '../../db/events.ts'
import { row, rows, transaction } from '../../db/sql.ts'
import { BinaryResponse, requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { requireFound } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { maskNumbers } from '../../office/masking.ts'
import type { Dependencies } from '../../dependencies.ts'
import { localizeReasons } from '../../i18n/format.ts'
import { textEntry, zipOf, type ZipEntry } from '../../export/zip.ts'
import { bytesOf, fileById } from '../files/queries.ts'
import { eventFilesOf } from './search-audit.ts'

/** Tables of a client's requests, without hashes, secrets and first passwords. */
const tables: Readonly<Record<string, { readonly from: string; readonly without: readonly string[] }>> = {
  'client.json': {
    from: 'clients',
    without: ['password_hash', 'security_answer_hash', 'factor_secret', 'factor_last_step'],
  },
  'consents.json': { from: 'consents', without: [] },
  'documents.json': { from: 'documents', without: [] },
  'accounts.json': { from: 'trading_accounts', without: ['first_password', 'opening_data'] },
  'leverage-requests.json': { from: 'leverage_requests', without: [] },
  'bank-details.json': { from: 'bank_details', without: [] },
  'deposits.json': { from: 'deposits', without: ['provider_mac', 'payment_url', 'request_key', 'request_body'] },
  'withdrawals.json': { from: 'withdrawals', without: [] },
  'transfers.json': { from: 'transfers', without: [] },
  'professional-applications.json': { from: 'professional_applications', without: [] },
  'profile-changes.json': { from: 'profile_changes', without: [] },
  'enquiries.json': { from: 'enquiries', without: [] },
  'enquiry-messages.json': { from: 'enquiry_messages', without: [] },
  'notes.json': { from: 'staff_notes', without: [] },
  'flags.json': { from: 'client_flags', without: [] },
  'payment-holds.json': { from: 'payment_holds', without: [] },
  'check-overrides.json': { from: 'check_overrides', without: [] },
}

export const evidenceBundle: Handler<typeof endpoint> = async (dependencies, context) => {
  const { id } = context.params
  const found = requireFound(
    await row<{ number: bigint }>(dependencies.pool)`select number from clients where id = ${uuidOrNull(id)}::uuid`,
  )
  await transaction(dependencies.pool, (tx) =>
    recordClientEvent(tx, context.auditContext, id, { action: 'exportEvidence', reason: context.body.reason }),
  )
  return new BinaryResponse(
    zipOf(withChecksums(entriesOf(dependencies, context)), context.now),
    `evidence-${found.number}.zip`,
  )
}

/** Yields the same entries, then a list of their hashes. */
async function* withChecksums(entries: AsyncIterable<ZipEntry>): AsyncGenerator<ZipEntry> {
  const sums: string[] = []
  for await (const entry of entries) {
    sums.push(`${createHash('sha256').update(entry.bytes).digest('hex')}  ${entry.name}`)
    yield entry
  }
  yield textEntry('SHA256SUMS', `${sums.join('\n')}\n`)
}

async function* entriesOf(
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
): AsyncGenerator<ZipEntry> {
  const { id } = context.params
  const { roles } = requireStaff(context)
  yield* recordsOf(dependencies, id, context.language, roles)
  yield await checksEntry(dependencies, id, context)
  yield* filesOf(dependencies, id)
  let file = 0
  for await (const bytes of eventFilesOf(dependencies, context, id)) {
    file += 1
    yield { name: file === 1 ? 'events.csv' : `events-${file}.csv`, bytes, isPacked: false }
  }
}

/** Yields one JSON file per table, read by its owner. The names of tables and columns are constants of this file. */
async function* recordsOf(
  dependencies: Dependencies,
  clientId: ClientId,
  language: Language,
  roles: readonly StaffRole[],
): AsyncGenerator<ZipEntry> {
  for (const [name, { from, without }] of Object.entries(tables)) {
    const owner = from === 'clients' ? 'id' : 'client_id'
    const found = await dependencies.pool.query<{ record: Record<string, unknown> }>(
      `select to_jsonb(t) - $2::text[] as record from ${from} t where t.${owner} = $1`,
      [clientId, [...without]],
    )
    yield textEntry(
      name,
      JSON.stringify(
        found.rows.map((one) => maskNumbers(localizeReasons(one.record, language), roles)),
        null,
        2,
      ),
    )
  }
}

/** Returns the checks of each decision, and the overridden ones, as text with their facts. */
async function checksEntry(
  dependencies: Dependencies,
  clientId: ClientId,
  context: Pick<RequestContext, 'caller' | 'language'>,
): Promise<ZipEntry> {
  const { timeZone } = await dependencies.settings.get('firm')
  const { roles } = requireStaff(context)
  const found = await rows<{
    at: Date
    kind: string
    verb: string
    record: string
    by: string | null
    reason: string | null
    checks: readonly KeptCheck[]
  }>(dependencies.pool)`select e.at, e.kind, e.verb, e.record, s.name as by, e.reason, d.details -> 'checks' as checks
      from events e join event_details d on d.event_id = e.id left join staff s on e.actor = 'staff' and s.id = e.actor_id
      where e.client_id = ${clientId} and d.details -> 'checks' is not null order by e.id`
  const reader = { language: context.language, timeZone, methods: await dependencies.settings.get('methods') }
  const masked = found.map(({ checks, ...event }) => ({
    ...event,
    checks: checks.map((one) => maskNumbers({ ...one, text: storedCheckSentence(one, reader) }, roles)),
  }))
  return textEntry('checks.json', JSON.stringify(masked, null, 2))
}

/** Yields the stored files, decrypted. A damaged one is named and does not stop the others. */
async function* filesOf(dependencies: Dependencies, clientId: ClientId): AsyncGenerator<ZipEntry> {
  const found = await rows<{ id: FileId }>(dependencies.pool)`
    select id from files where client_id = ${clientId} and state = 'clean' order by id`
  for (const { id } of found) {
    const file = await fileById(dependencies.pool, id)
    if (!file) continue
    const bytes = await bytesOf(dependencies, file).catch(() => null)
    yield bytes
      ? { name: `files/${file.label}`, bytes, isPacked: true }
      : textEntry(`files/${file.label}.missing.txt`, 'This file could not be read when the bundle was made.\n')
  }
}
