/**
 * Key rotation while servers run: a new key is known to all of them before it is used, older ones decrypt what they
 * encrypted, and a key is retired only when nothing depends on it any more (ASVS 11.2.2, 13.3.4).
 */
import type { Pool } from 'pg'
import { encryptedPasswordSeconds, fileLinkSeconds } from '#rules/constants.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, rows, run, sql, type Connection, type Sql, transaction, type Transaction } from '../db/sql.ts'
import { tokenLifeSeconds } from '../http/tokens.ts'
import { addKey, keysLock, type KeyPurpose, type RotatedPurpose } from './keys.ts'

/**
 * A new key is used after this time: every server reads it within a second, or within several seconds after a lost
 * connection.
 */
export const leadSeconds = 10
/** Work that started under the previous key ends within this time. */
export const workInProgressSeconds = 120
/** An open page keeps the key for passwords that it received. */
const openPageSeconds = 24 * 3600

/** For how long after its replacement a key may still be needed, if no row shows it. */
const neededAfterSeconds: Readonly<Record<RotatedPurpose, number>> = {
  token: tokenLifeSeconds + workInProgressSeconds,
  password: openPageSeconds + encryptedPasswordSeconds,
  file: workInProgressSeconds,
  factor: workInProgressSeconds,
  link: fileLinkSeconds + workInProgressSeconds,
}

export interface KeyStatus {
  readonly kid: string
  readonly purpose: KeyPurpose
  readonly createdAt: Date
  readonly state: 'coming' | 'current' | 'replaced'
  /** When its use started or will start; null for the first key. */
  readonly from: Date | null
  /** When it was replaced; null for the current one. */
  readonly replacedAt: Date | null
  /** The number of records that only this key decrypts. */
  readonly hanging: number
  /** Until then values issued with it may still use it; null for a key that is not replaced. */
  readonly metUntil: Date | null
}

/** Creates a new key of a purpose, used from `leadSeconds` from now. Throws if another new key is not in use yet. */
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
        : replacedAt && new Date(replacedAt.getTime() + neededAfterSeconds[key.purpose] * 1000)
    const state = replacedAt ? 'replaced' : key.from !== null && key.from > now ? 'coming' : 'current'
    const { hanging = 0 } =
      (await row<{ hanging: number }>(connection, countDependentSql(key.purpose, key.kid, now))) ?? {}
    standings.push({ ...key, replacedAt, state, metUntil, hanging })
  }
  return standings
}

/** Returns how many records only this key decrypts. */
function countDependentSql(purpose: KeyPurpose, kid: string, now: Date): Sql {
  if (purpose === 'file') return sql`select count(*)::int as hanging from files where kid = ${kid}`
  if (purpose === 'link')
    return sql`select count(*)::int as hanging from one_time_links
      where kid = ${kid} and used_at is null and replaced_at is null and expires_at > ${now}`
  if (purpose !== 'factor') return sql`select 0 as hanging`
  const mark = keyIdPrefix(kid)
  return sql`select ((select count(*) from clients where ${startsWithSql(sql`factor_secret`, mark)})
    + (select count(*) from staff where ${startsWithSql(sql`factor_secret`, mark)})
    + (select count(*) from trading_accounts where ${startsWithSql(sql`first_password`, mark)})
    + (select count(*) from trading_accounts where ${startsWithSql(sql`opening_data`, mark)}))::int as hanging`
}

/** Returns the beginning of a small encrypted secret: the length of its key's id, then the id. */
export function keyIdPrefix(kid: string): Buffer {
  return Buffer.concat([Buffer.from([kid.length]), Buffer.from(kid)])
}

/** Returns whether a column begins with the mark of a key. */
export function startsWithSql(column: Sql, mark: Buffer): Sql {
  return sql`${column} is not null and substring(${column} from 1 for ${mark.length}::int) = ${mark}`
}

/** Deletes a replaced key permanently. Returns the reason if it may still be needed. */
export async function retireKey(
  pool: Pool,
  kid: string,
  auditContext: AuditContext,
): Promise<{ refused: string } | null> {
  return transaction(pool, async (tx) => {
    await run(tx)`select pg_advisory_xact_lock(${keysLock})`
    const key = (await keyStatuses(tx, auditContext.now)).find((one) => one.kid === kid)
    const refused = key ? retirementProblem(key, auditContext.now) : `There is no key ${kid}.`
    if (refused !== null || !key) return { refused: refused ?? '' }
    await deleteKey(tx, key, auditContext)
    return null
  })
}

function retirementProblem({ kid, state, hanging, metUntil, purpose }: KeyStatus, now: Date): string | null {
  if (state !== 'replaced') return `${kid} is ${state}: rotate ${purpose} first.`
  if (hanging > 0)
    return `Records that still use ${kid}: ${hanging}. The running servers re-encrypt them. Try again later.`
  if (metUntil && metUntil > now) return `${kid} may still be used until ${metUntil.toISOString()}.`
  return null
}

async function deleteKey(tx: Transaction, { kid, purpose }: KeyStatus, auditContext: AuditContext): Promise<void> {
  await run(tx)`delete from keys where kid = ${kid}`
  await recordEvent(tx, auditContext, { kind: 'key', action: 'retire', details: { purpose, kid } })
}
