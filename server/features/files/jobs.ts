/** What time brings to files: stray bytes go, quarantined ones are scanned again. */
import { strayBytesHours } from '#rules/constants.ts'
import { record } from '../../db/events.ts'
import { row, rows, run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { uuidOrNull } from '../../ids.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../parts.ts'
import { bytesOf, fileById, noteScan } from './queries.ts'

const sweepEveryMs = 15 * 60_000
const rescanEveryMs = 60_000
const atOnceMax = 50
const hourMs = 3_600_000

export function fileChores(parts: Parts): Chore[] {
  return [
    { name: 'sweep-files', everyMs: sweepEveryMs, run: (now) => sweepFiles(parts, now) },
    { name: 'rescan-files', everyMs: rescanEveryMs, run: (now) => rescanFiles(parts, now) },
  ]
}

/** Takes away bytes without a record after a grace time (quality-bar K27, I11). */
export async function sweepFiles(parts: Parts, now: Date): Promise<void> {
  const strayBefore = now.getTime() - strayBytesHours * hourMs
  for (const { name, writtenAt } of await parts.files.list()) {
    if (writtenAt.getTime() >= strayBefore) continue
    const id = name.replace(/\.part$/, '')
    if (id === name && (await row(parts.jobs, sql`select id from files where id = ${uuidOrNull(id)}::uuid`))) continue
    await parts.files.remove(id)
  }
}

/** Asks the scanner again about what it did not answer. What it refuses loses its bytes; its record tells why. */
export async function rescanFiles(parts: Parts, now: Date): Promise<void> {
  const { scanner } = parts
  if (!scanner) return
  const waiting = await rows<{ id: string }>(
    parts.jobs,
    sql`select id from files where state = 'quarantined' order by scanned_at nulls first limit ${atOnceMax}`,
  )
  for (const { id } of waiting) {
    const file = await fileById(parts.jobs, id)
    if (!file) continue
    const result = await scanner.scan(await bytesOf(parts, file))
    if (result === 'unavailable') {
      await run(parts.jobs, sql`update files set scanned_at = ${now} where id = ${id}`)
      return
    }
    const state = result === 'clean' ? 'clean' : 'infected'
    await transaction(parts.jobs, async (tx) => {
      await noteScan(tx, id, state, now)
      const reason = result === 'clean' ? undefined : result.infected
      await record(
        tx,
        { acting: { kind: 'clock' }, now },
        {
          kind: 'file',
          verb: 'scan',
          record: id,
          clientId: file.client_id,
          from: 'quarantined',
          to: state,
          ...(reason === undefined ? {} : { reason }),
        },
      )
    })
    if (state === 'infected') await parts.files.remove(id)
  }
}
