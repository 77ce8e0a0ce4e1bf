/**
 * Exchanging keys while servers run: a new key is known to all of them before it is used, older ones open what they
 * sealed, and one is retired only when nothing hangs on it any more (ASVS 11.2.2, 13.3.4).
 */
import type { Pool } from 'pg'
import { encryptedPasswordSeconds, fileLinkSeconds } from '#rules/constants.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, rows, run, sql, type Connection, type Sql } from '../db/sql.ts'
import { transaction, type Transaction } from '../db/transaction.ts'
import { tokenLifeSeconds } from '../http/tokens.ts'
import { addKey, keysLock, type KeyPurpose, type RotatedPurpose } from './keys.ts'

/** Every server hears of a new key within a second, and comes back within some after a break: then it is used. */
export const leadSeconds = 10
/** What was begun under the key that stood, ends within this. */
export const underWaySeconds = 120
/** A page that lies open holds the key for passwords that it was given. */
const openPageSeconds = 24 * 3600

/** How long after its successor began a key may still be met, where no row tells. */
const metForSeconds: Readonly<Record<RotatedPurpose, number>> = {
  token: tokenLifeSeconds + underWaySeconds,
  password: openPageSeconds + encryptedPasswordSeconds,
  file: underWaySeconds,
  factor: underWaySeconds,
  link: fileLinkSeconds + underWaySeconds,
}

export interface KeyStatus {
  readonly kid: string
  readonly purpose: KeyPurpose
  readonly createdAt: Date
  readonly state: 'coming' | 'current' | 'replaced'
  /** When it is or was used first; null for the first day. */
  readonly from: Date | null
  /** When its successor took over; null for the current one. */
  readonly replacedAt: Date | null
  /** Records that only it opens. */
  readonly hanging: number
  /** Until then it may still be used by what was issued with it; null for a key that is not replaced. */
  readonly metUntil: Date | null
}

/** Makes a new key of a purpose; it is used `leadSeconds` from now. Refuses while another one is on its way. */
export async function rotateKey(pool: Pool, masterKey: Buffer, purpose: RotatedPurpose, auditContext: AuditContext) {
  return transaction(pool, async (tx) => {
    await run(tx)`select pg_advisory_xact_lock(${keysLock})`
    const coming = await row<{ kid: string }>(tx)`
      select kid from keys where purpose = ${purpose} and current_from > ${auditContext.now}`
    if (coming) return { refused: `${coming.kid} is on its way and not in use yet: wait ${leadSeconds} seconds.` }
    const from = new Date(auditContext.now.getTime() + leadSeconds * 1000)
    await run(tx)`update keys set retired_at = ${from} where purpose = ${purpose} and retired_at is null`
    const kid = await addKey(tx, masterKey, purpose, from)
    await recordEvent(tx, auditContext, { kind: 'key', action: 'rotate', details: { purpose, kid } })
    return { kid, from }
  })
}

/** Returns every key with its purpose and the number of values that depend on it. */
export async function keyStatuses(connection: Connection, now: Date): Promise<KeyStatus[]> {
  const found = await rows<{
    kid: string
    purpose: KeyPurpose
    createdAt: Date
    from: Date | null
    replacedAt: Date | null
  }>(connection)`select kid, purpose, created_at as "createdAt", current_from as "from",
        lead(coalesce(current_from, created_at)) over (partition by purpose order by current_from nulls first, created_at, kid)
          as "replacedAt"
      from keys order by purpose, current_from nulls first, created_at, kid`
  const standings: KeyStatus[] = []
  for (const key of found) {
    const replacedAt = key.replacedAt !== null && key.replacedAt <= now ? key.replacedAt : null
    const metUntil =
      key.purpose === 'reference'
        ? null
        : replacedAt && new Date(replacedAt.getTime() + metForSeconds[key.purpose] * 1000)
    const state = replacedAt ? 'replaced' : key.from !== null && key.from > now ? 'coming' : 'current'
    const { hanging = 0 } = (await row<{ hanging: number }>(connection, hangingOn(key.purpose, key.kid, now))) ?? {}
    standings.push({ ...key, replacedAt, state, metUntil, hanging })
  }
  return standings
}

/** Returns how many records only this key opens. */
function hangingOn(purpose: KeyPurpose, kid: string, now: Date): Sql {
  if (purpose === 'file') return sql`select count(*)::int as hanging from files where kid = ${kid}`
  if (purpose === 'link')
    return sql`select count(*)::int as hanging from one_time_links
      where kid = ${kid} and used_at is null and replaced_at is null and expires_at > ${now}`
  if (purpose !== 'factor') return sql`select 0 as hanging`
  const mark = markOf(kid)
  return sql`select ((select count(*) from clients where ${startsWith(sql`factor_secret`, mark)})
    + (select count(*) from staff where ${startsWith(sql`factor_secret`, mark)})
    + (select count(*) from trading_accounts where ${startsWith(sql`first_password`, mark)}))::int as hanging`
}

/** Returns the beginning of a small encrypted secret: the length of its key's id, then the id. */
export function markOf(kid: string): Buffer {
  return Buffer.concat([Buffer.from([kid.length]), Buffer.from(kid)])
}

/** Returns whether a column begins with the mark of a key. */
export function startsWith(column: Sql, mark: Buffer): Sql {
  return sql`${column} is not null and substring(${column} from 1 for ${mark.length}::int) = ${mark}`
}

/** Removes a replaced key for good. Answers why not where something may still need it. */
export async function retireKey(
  pool: Pool,
  kid: string,
  auditContext: AuditContext,
): Promise<{ refused: string } | null> {
  return transaction(pool, async (tx) => {
    await run(tx)`select pg_advisory_xact_lock(${keysLock})`
    const key = (await keyStatuses(tx, auditContext.now)).find((one) => one.kid === kid)
    const refused = key ? whyNotRetired(key, auditContext.now) : `There is no key ${kid}.`
    if (refused !== null || !key) return { refused: refused ?? '' }
    await remove(tx, key, auditContext)
    return null
  })
}

function whyNotRetired({ kid, state, hanging, metUntil, purpose }: KeyStatus, now: Date): string | null {
  if (state !== 'replaced') return `${kid} is ${state}: rotate ${purpose} first.`
  if (hanging > 0) return `${hanging} records still use ${kid}. The running servers re-encrypt them. Try again later.`
  if (metUntil && metUntil > now) return `${kid} may still be used until ${metUntil.toISOString()}.`
  return null
}

async function remove(tx: Transaction, { kid, purpose }: KeyStatus, auditContext: AuditContext): Promise<void> {
  await run(tx)`delete from keys where kid = ${kid}`
  await recordEvent(tx, auditContext, { kind: 'key', action: 'retire', details: { purpose, kid } })
}
