/**
 * Released batches in the file store (requirements 20.7): a restored database knows less than the store, which is a
 * separate copy. A batch's number, hash and references are stored before the bytes of its file are handed out.
 */
import * as z from 'zod/mini'
import { batchNumber } from '#rules/payout-batches.ts'
import { row, rows, type Connection } from '../db/sql.ts'
import { knownUntil } from '../ledger/platform-deals.ts'
import type { FileStore } from '../integrations/file-store/file-store.ts'
import type { Dependencies } from '../dependencies.ts'
import type { FoundSign } from './deal-search.ts'
import type { SignSearch } from './sending-gate.ts'

const prefix = 'payout-batch-'

const released = z.object({
  id: z.string(),
  number: z.string(),
  sha256: z.string(),
  references: z.array(z.string()),
  releasedAt: z.string(),
})
type ReleasedBatch = z.output<typeof released>

/** Returns whether a stored name is that of a released batch, which the sweep keeps for ever. */
export function isReleasedBatch(name: string): boolean {
  return name.startsWith(prefix)
}

/** Writes a released batch to the file store, completely or not at all; writing it again gives the same. */
export async function storeReleasedBatch(
  files: FileStore,
  batch: { readonly id: string; readonly number: bigint; readonly sha256: string; readonly releasedAt: Date },
  references: readonly string[],
): Promise<void> {
  const { id, number, sha256, releasedAt } = batch
  const kept: ReleasedBatch = {
    id,
    number: batchNumber(number),
    sha256,
    references: [...references],
    releasedAt: releasedAt.toISOString(),
  }
  await files.put(`${prefix}${id}`, Buffer.from(JSON.stringify(kept)))
}

/**
 * Returns the released batches of the file store that the database lacks, or has with another number or hash or as not
 * yet released: each is a sign of loss. Batches that were settled by a recovery opened after their release are left
 * out.
 */
export async function compareReleasedBatches(connection: Connection, files: FileStore): Promise<ReleasedBatch[]> {
  const stored: ReleasedBatch[] = []
  for (const { name, isHalf } of await files.list()) {
    if (isHalf || !isReleasedBatch(name)) continue
    const bytes = await files.get(name)
    if (bytes) stored.push(z.parse(released, JSON.parse(bytes.toString())))
  }
  const known = await rows<{ id: string; number: bigint; sha256: string | null }>(connection)`
    select id, number, sha256 from payout_batches
      where id = any (${stored.map(({ id }) => id)}::uuid[]) and released_at is not null`
  const recovered = await row<{ at: Date | null }>(connection)`select max(opened_at) as at from recovery`
  const after = recovered?.at?.getTime() ?? 0
  const agrees = new Set(known.map(({ id, number, sha256 }) => `${id} ${batchNumber(number)} ${sha256}`))
  return stored.filter(
    ({ id, number, sha256, releasedAt }) => Date.parse(releasedAt) > after && !agrees.has(`${id} ${number} ${sha256}`),
  )
}

/** Returns the sign of loss in the file store, a batch released in lost time, or null. */
export async function signOfBatches({ pool, files }: Pick<Dependencies, 'pool' | 'files'>): Promise<FoundSign | null> {
  const lost = await compareReleasedBatches(pool, files)
  const [first] = lost.map(({ releasedAt }) => Date.parse(releasedAt)).toSorted((a, b) => a - b)
  return first === undefined ? null : { sign: 'batch', since: await knownUntil(pool, new Date(first)) }
}

/** Searches the file store at every start and change of timeline, before anything is sent. */
export function batchSearch({ jobs, files }: Pick<Dependencies, 'jobs' | 'files'>): SignSearch {
  return { name: 'released batches', integration: null, look: () => signOfBatches({ pool: jobs, files }) }
}
