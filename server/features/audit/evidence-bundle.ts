/** Everything about one client as a ZIP: events, decisions, documents as they were stored (issue text on the back office). */
import { createHash } from 'node:crypto'
import { stringify } from 'csv-stringify/sync'
import { zipSync, type Zippable } from 'fflate'
import type { QueryOf } from '#contract/endpoint.ts'
import type { evidenceBundle as endpoint, searchAudit } from '#contract/office/records.ts'
import { record } from '../../db/events.ts'
import { row, rows, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { Bytes } from '../../http/bytes.ts'
import type { Call } from '../../http/call.ts'
import { Problem, type Language } from '../../http/problem.ts'
import { isUuid } from '../../ids.ts'
import { allOf } from '../../office/listing.ts'
import type { Parts } from '../../parts.ts'
import { withReasonsRead } from '../../wording.ts'
import { bytesOf, fileById } from '../files/queries.ts'
import { auditListing, eventColumns, type AuditRow } from './queries.ts'
import { auditColumns, linesOf } from './search-audit.ts'

const eventsMax = 100_000
const text = (value: string) => Buffer.from(value)

/** Tables of what a client asked for; hashes, secrets and first passwords are no part of them. */
const tables: Readonly<Record<string, { readonly from: string; readonly without: readonly string[] }>> = {
  'client.json': {
    from: 'clients',
    without: ['password_hash', 'security_answer_hash', 'factor_secret', 'factor_last_step'],
  },
  'consents.json': { from: 'consents', without: [] },
  'documents.json': { from: 'documents', without: [] },
  'accounts.json': { from: 'trading_accounts', without: ['first_password'] },
  'leverage-requests.json': { from: 'leverage_requests', without: [] },
  'bank-details.json': { from: 'bank_details', without: [] },
  'deposits.json': { from: 'deposits', without: ['provider_mac', 'payment_url', 'request_key', 'request_body'] },
  'withdrawals.json': { from: 'withdrawals', without: [] },
  'transfers.json': { from: 'transfers', without: [] },
  'professional-applications.json': { from: 'professional_applications', without: [] },
  'profile-changes.json': { from: 'profile_changes', without: [] },
  'notes.json': { from: 'staff_notes', without: [] },
  'flags.json': { from: 'client_flags', without: [] },
}

export async function evidenceBundle(parts: Parts, call: Call<typeof endpoint>): Promise<Bytes> {
  const { id } = call.params
  const found = isUuid(id)
    ? await row<{ number: bigint }>(parts.pool, sql`select number from clients where id = ${id}`)
    : null
  if (!found) throw new Problem('not-found')
  const files: Zippable = { ...(await recordsOf(parts, id, call.language)), ...(await filesOf(parts, id)) }
  const asked: QueryOf<typeof searchAudit> = { client: id }
  const events = await allOf<AuditRow, QueryOf<typeof searchAudit>>(parts, auditListing, eventColumns, asked, eventsMax)
  files['events.csv'] = text(
    stringify(
      events.map((one) => linesOf(one, call.language)),
      { header: true, columns: [...auditColumns] },
    ),
  )
  const sums = Object.entries(files).map(
    ([name, bytes]) =>
      `${createHash('sha256')
        .update(bytes as Uint8Array)
        .digest('hex')}  ${name}`,
  )
  files['SHA256SUMS'] = text(`${sums.join('\n')}\n`)
  await transaction(parts.pool, (tx) =>
    record(tx, call.act, {
      kind: 'client',
      verb: 'exportEvidence',
      record: id,
      clientId: id,
      reason: call.body.reason,
      details: { files: sums.length },
    }),
  )
  return new Bytes(Buffer.from(zipSync(files, { level: 6, mtime: call.now })), `evidence-${found.number}.zip`)
}

/** One JSON for each table, read by its owner; the names of tables and columns are words of this file. */
async function recordsOf(parts: Parts, clientId: string, language: Language): Promise<Zippable> {
  const files: Zippable = {}
  for (const [name, { from, without }] of Object.entries(tables)) {
    const owner = from === 'clients' ? 'id' : 'client_id'
    const found = await parts.pool.query<{ record: Record<string, unknown> }>(
      `select to_jsonb(t) - $2::text[] as record from ${from} t where t.${owner} = $1`,
      [clientId, [...without]],
    )
    files[name] = text(
      JSON.stringify(
        found.rows.map((one) => withReasonsRead(one.record, language)),
        null,
        2,
      ),
    )
  }
  return files
}

/** The stored files, decrypted. One that is damaged is named, and does not keep the rest back. */
async function filesOf(parts: Parts, clientId: string): Promise<Zippable> {
  const found = await rows<{ id: string }>(
    parts.pool,
    sql`select id from files where client_id = ${clientId} and state = 'clean' order by id`,
  )
  const files: Zippable = {}
  for (const { id } of found) {
    const file = await fileById(parts.pool, id)
    if (!file) continue
    try {
      files[`files/${file.label}`] = await bytesOf(parts, file)
    } catch {
      files[`files/${file.label}.missing.txt`] = text('This file could not be read when the bundle was made.\n')
    }
  }
  return files
}
