/** Re-encrypts values that depend on a replaced key under the current one, in small batches, while servers run. */
import type { AccountId, FileId } from '#rules/ids.ts'
import { rows, run, sql } from '../db/sql.ts'
import { reencryptFirstPassword } from '../features/accounts/first-password.ts'
import { reencryptOpeningData } from '../features/accounts/opening-data.ts'
import { bytesOf, fileById } from '../features/files/queries.ts'
import { forEachRow } from '../jobs/each-row.ts'
import type { ScheduledTask } from '../jobs/workers.ts'
import { keyIdOfSecret, encrypt } from './keys.ts'
import type { Dependencies } from '../dependencies.ts'
import { reencryptFactor } from '../auth/totp.ts'
import { keyIdPrefix, startsWithSql, workInProgressSeconds } from './rotate-keys.ts'

const everyMs = 60_000
const atOnce = 200

type ReencryptDependencies = Pick<Dependencies, 'jobs' | 'keys' | 'files' | 'log'>

export function reencryptTask(dependencies: Dependencies): ScheduledTask {
  return { name: 'reseal', everyMs, run: async (now) => void (await reencryptReplaced(dependencies, now)) }
}

/** Re-encrypts values that depend on replaced keys, at most some hundred records per call. Returns how many. */
export async function reencryptReplaced(parts: ReencryptDependencies, now: Date): Promise<number> {
  const { file, factor } = parts.keys
  const current = [file.current.kid, factor.current.kid]
  const settledBefore = new Date(now.getTime() - workInProgressSeconds * 1000)
  const old = await rows<{ kid: string; purpose: 'file' | 'factor'; settled: boolean }>(parts.jobs)`
    select kid, purpose, retired_at < ${settledBefore} as settled from keys
      where purpose in ('file', 'factor') and kid <> all (${current}::text[]) and emptied_at is null
        and retired_at <= ${now}`
  let done = 0
  for (const { kid, purpose, settled } of old) {
    const found = purpose === 'file' ? await reencryptFiles(parts, kid) : await reencryptSecrets(parts, kid)
    done += found
    if (found === 0 && settled) await run(parts.jobs)`update keys set emptied_at = ${now} where kid = ${kid}`
  }
  return done
}

/**
 * Thumbnails are created again when they are next requested. The bytes are replaced first, then the record: in between,
 * they decrypt with their own key all the same.
 */
async function reencryptFiles(parts: ReencryptDependencies, kid: string): Promise<number> {
  await run(parts.jobs)`delete from file_thumbnails where kid = ${kid}`
  const dependent = await rows<{ id: FileId }>(parts.jobs)`
    select id from files where kid = ${kid} order by random() limit ${atOnce}`
  await forEachRow({ job: 'reseal', rows: dependent, log: parts.log }, async ({ id }) => {
    const stored = await fileById(parts.jobs, id)
    if (!stored) return
    const { kid: next, bytes: key } = parts.keys.file.current
    // A file that the scanner rejected has no bytes any more.
    if (stored.state !== 'infected') {
      const bytes = await bytesOf(parts, stored).catch(() => null)
      if (!bytes) return
      await parts.files.put(id, encrypt(key, id, bytes))
    }
    await run(parts.jobs)`update files set kid = ${next} where id = ${id} and kid = ${kid}`
  })
  return dependent.length
}

interface EncryptedSecret {
  /** `openings`: the data with which an account is opened, in its row. */
  table: 'clients' | 'staff' | 'trading_accounts' | 'openings'
  id: AccountId
  sealed: Buffer
}

async function reencryptSecrets(parts: ReencryptDependencies, kid: string): Promise<number> {
  const mark = keyIdPrefix(kid)
  const dependent = await rows<EncryptedSecret>(parts.jobs)`select * from (
        select 'clients' as "table", id, factor_secret as sealed from clients where ${startsWithSql(sql`factor_secret`, mark)}
        union all select 'staff', id, factor_secret from staff where ${startsWithSql(sql`factor_secret`, mark)}
        union all select 'trading_accounts', id, first_password from trading_accounts
          where ${startsWithSql(sql`first_password`, mark)}
        union all select 'openings', id, opening_data from trading_accounts
          where ${startsWithSql(sql`opening_data`, mark)}) as hanging
      limit ${atOnce}`
  await forEachRow({ job: 'reseal', rows: dependent, log: parts.log }, (one) => reencryptSecret(parts, one))
  return dependent.length
}

/** Re-encrypts one secret. One that changed meanwhile is already under the current key. */
async function reencryptSecret(
  { jobs, keys }: ReencryptDependencies,
  { table, id, sealed }: EncryptedSecret,
): Promise<void> {
  if (table === 'trading_accounts') {
    const renewed = reencryptFirstPassword(keys, id, sealed)
    await run(jobs)`
      update trading_accounts set first_password = ${renewed} where id = ${id} and first_password = ${sealed}`
    return
  }
  if (table === 'openings') {
    const renewed = reencryptOpeningData(keys, id, sealed)
    await run(jobs)`
      update trading_accounts set opening_data = ${renewed} where id = ${id} and opening_data = ${sealed}`
    return
  }
  const renewed = reencryptFactor(keys, { table, id }, sealed)
  if (keyIdOfSecret(renewed) === keyIdOfSecret(sealed)) return
  await run(
    jobs,
    table === 'clients'
      ? sql`update clients set factor_secret = ${renewed} where id = ${id} and factor_secret = ${sealed}`
      : sql`update staff set factor_secret = ${renewed} where id = ${id} and factor_secret = ${sealed}`,
  )
}
