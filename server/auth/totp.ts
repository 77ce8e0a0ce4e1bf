/** One-time codes of an authenticator app (RFC 6238): six digits, 30 seconds, one neighbouring step on either side. */
import { randomBytes, createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { recoveryCodeCount } from '#rules/constants.ts'
import type { ClientId } from '#rules/ids.ts'
import { run, sql, type Transaction } from '../db/sql.ts'
import { encryptSecret, decryptSecret, type Keys } from '../crypto/keys.ts'

const stepSeconds = 30
/** Phones' clocks drift: one step on either side is accepted, unless that step was used before. */
const driftSteps = 1
const secretBytes = 20
const recoveryBytes = 15
const recoveryCharacters = 24
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The owner of a factor: the table's name is a literal of the source code. */
export type FactorOwner = { readonly table: 'clients' | 'staff'; readonly id: string }

/** Creates a secret: encrypted for its row, and as the text and URI for the app. */
export function createTotpSecret(keys: Pick<Keys, 'factor'>, owner: FactorOwner, account: string, issuer: string) {
  const secret = Secret.fromHex(randomBytes(secretBytes).toString('hex'))
  const uri = new TOTP({ issuer, label: account, secret }).toString()
  return {
    sealed: encryptSecret(keys.factor, encryptionLabelOf(owner), Buffer.from(secret.buffer)),
    secret: secret.base32,
    uri,
  }
}

function encryptionLabelOf(owner: FactorOwner): string {
  return `${owner.table}:${owner.id}`
}

/** Returns a secret re-encrypted under the current key. */
export function reencryptFactor(keys: Pick<Keys, 'factor'>, owner: FactorOwner, sealed: Buffer): Buffer {
  return encryptSecret(
    keys.factor,
    encryptionLabelOf(owner),
    decryptSecret(keys.factor, encryptionLabelOf(owner), sealed),
  )
}

/** Returns the current code and the seconds for which it is still valid, only for the demo's page. */
export function currentTotpCode(
  keys: Pick<Keys, 'factor'>,
  owner: FactorOwner,
  sealed: Buffer,
  now: Date,
): { code: string; secondsLeft: number } {
  const secret = Secret.fromHex(decryptSecret(keys.factor, encryptionLabelOf(owner), sealed).toString('hex'))
  const seconds = Math.floor(now.getTime() / 1000)
  return {
    code: new TOTP({ secret }).generate({ timestamp: now.getTime() }),
    secondsLeft: stepSeconds - (seconds % stepSeconds),
  }
}

/** Returns the time step of a correct code, or null. `code` is the person's input: six ASCII digits, spaces allowed. */
export function stepOfCode(
  keys: Pick<Keys, 'factor'>,
  owner: FactorOwner,
  sealed: Buffer,
  code: string,
  now: Date,
): bigint | null {
  const digits = code.replace(/[ -]/g, '')
  if (!/^[0-9]{6}$/.test(digits)) return null
  const secret = Secret.fromHex(decryptSecret(keys.factor, encryptionLabelOf(owner), sealed).toString('hex'))
  const delta = new TOTP({ secret }).validate({ token: digits, timestamp: now.getTime(), window: driftSteps })
  return delta === null ? null : BigInt(Math.floor(now.getTime() / 1000 / stepSeconds) + delta)
}

/**
 * One hour: a last step further in the future was used before the clock was set back, and does not lock anyone out
 * (requirements 33.10).
 */
const aheadStepsMax = 120n

/** Uses a step: returns true for the first of several concurrent uses, false for this or an earlier step again. */
export async function consumeTotpStep(tx: Transaction, owner: FactorOwner, step: bigint): Promise<boolean> {
  const isNew = sql`(factor_last_step < ${step} or factor_last_step > ${step + aheadStepsMax})`
  const used =
    owner.table === 'clients'
      ? sql`update clients set factor_last_step = ${step} where id = ${owner.id} and ${isNew}`
      : sql`update staff set factor_last_step = ${step} where id = ${owner.id} and ${isNew}`
  return (await run(tx, used)) === 1
}

/** Replaces the recovery codes. They are shown once and stored as hashes. */
export async function replaceRecoveryCodes(tx: Transaction, owner: FactorOwner): Promise<string[]> {
  await deleteRecoveryCodes(tx, owner)
  const codes = Array.from({ length: recoveryCodeCount }, () => generateRecoveryCode())
  const column = owner.table === 'clients' ? sql`client_id` : sql`staff_id`
  for (const code of codes) {
    await run(tx)`insert into recovery_codes (${column}, hash) values (${owner.id}, ${hashRecoveryCode(code)})`
  }
  return codes
}

/** Deletes a person's recovery codes. */
export async function deleteRecoveryCodes(tx: Transaction, owner: FactorOwner): Promise<void> {
  const column = owner.table === 'clients' ? sql`client_id` : sql`staff_id`
  await run(tx)`delete from recovery_codes where ${column} = ${owner.id}`
}

/** Turns off a client's second factor. */
export async function removeFactor(tx: Transaction, clientId: ClientId): Promise<void> {
  await run(tx)`
    update clients set factor_secret = null, factor_confirmed_at = null, version = version + 1 where id = ${clientId}`
  await deleteRecoveryCodes(tx, { table: 'clients', id: clientId })
}

/** Uses a recovery code: returns true once for each. */
export async function consumeRecoveryCode(
  tx: Transaction,
  owner: FactorOwner,
  code: string,
  now: Date,
): Promise<boolean> {
  const column = owner.table === 'clients' ? sql`client_id` : sql`staff_id`
  const used = await run(tx)`update recovery_codes set used_at = ${now}
      where ${column} = ${owner.id} and hash = ${hashRecoveryCode(code)} and used_at is null`
  return used === 1
}

/** Returns a code such as "7K2Q-F91X-AB4M-N0PR-5TVW-XY3Z": 24 characters of Crockford base 32, of 120 random bits. */
function generateRecoveryCode(): string {
  let value = BigInt(`0x${randomBytes(recoveryBytes).toString('hex')}`)
  let text = ''
  for (let place = 0; place < recoveryCharacters; place += 1) {
    text += crockford[Number(value & 31n)]
    value >>= 5n
  }
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

function hashRecoveryCode(code: string): Buffer {
  const read = code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return createHash('sha256').update('recovery').update(read).digest()
}
