/**
 * The keys of the house, wrapped by the master key and kept in the database (mechanics section 5). The database keeps
 * the master key's fingerprint: an absent or another one is refused at start, and no new key is silently made.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import type { Pool } from 'pg'
import { row, rows, run, sql } from './db/sql.ts'
import { transaction } from './db/transaction.ts'

export type KeyPurpose = 'token' | 'password' | 'file' | 'factor' | 'link'

interface StoredKey {
  kid: string
  purpose: KeyPurpose
  wrapped: Buffer
  public: JWK | null
  retired_at: Date | null
}

export interface PrivateKey {
  readonly kid: string
  readonly key: CryptoKey
  readonly publicKey: CryptoKey
  readonly publicJwk: JWK
}

export interface SecretKey {
  readonly kid: string
  readonly bytes: Buffer
}

export interface Keys {
  /** The key that signs new tokens, and any key by its id for those that are still valid. */
  readonly token: { current: PrivateKey; byId(kid: string): PrivateKey | null }
  readonly password: { current: PrivateKey; byId(kid: string): PrivateKey | null }
  readonly file: { current: SecretKey; byId(kid: string): SecretKey | null }
  readonly factor: { current: SecretKey; byId(kid: string): SecretKey | null }
  readonly link: { current: SecretKey; byId(kid: string): SecretKey | null }
}

const masterKeyBytes = 32
const rsaBits = 3072
const lockKey = 7_420_002

/** Reads the master key, or makes one beside an empty database where it may be made. */
export async function readMasterKey(pool: Pool, path: string, mayMake: boolean): Promise<Buffer> {
  const stored = await row<{ fingerprint: Buffer }>(pool, sql`select fingerprint from master_key`)
  let key: Buffer | null = null
  try {
    key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  if (!key) {
    if (stored)
      throw new Error(`The master key ${path} is missing, and this database was written with one. Put it back.`)
    if (!mayMake) throw new Error(`The master key file ${path} named by MASTER_KEY_FILE does not exist.`)
    key = randomBytes(masterKeyBytes)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, key.toString('base64'), { mode: 0o600, flag: 'wx' })
  }
  if (key.length !== masterKeyBytes) throw new Error(`The master key in ${path} is not 32 bytes in base64.`)
  const fingerprint = createHash('sha256').update('master').update(key).digest()
  if (stored && !stored.fingerprint.equals(fingerprint)) {
    throw new Error(`The master key in ${path} is not the one that this database was written with.`)
  }
  if (!stored) {
    await run(pool, sql`insert into master_key (fingerprint) values (${fingerprint}) on conflict do nothing`)
    const kept = await row<{ fingerprint: Buffer }>(pool, sql`select fingerprint from master_key`)
    if (!kept?.fingerprint.equals(fingerprint)) throw new Error('Another server has just set another master key.')
  }
  return key
}

/** Opens all keys; makes the first of each purpose under a lock, so that two servers at once make one set. */
export async function openKeys(pool: Pool, masterKey: Buffer): Promise<Keys> {
  await transaction(pool, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${lockKey})`)
    const present = await rows<{ purpose: KeyPurpose }>(tx, sql`select purpose from keys where retired_at is null`)
    for (const purpose of ['token', 'password', 'file', 'factor', 'link'] as const) {
      if (present.some((key) => key.purpose === purpose)) continue
      const made = await makeKey(purpose)
      await run(
        tx,
        sql`insert into keys (kid, purpose, wrapped, public, created_at)
            values (${made.kid}, ${purpose}, ${seal(masterKey, made.kid, made.secret)}, ${made.public}, now())`,
      )
    }
  })
  const stored = await rows<StoredKey>(
    pool,
    sql`select kid, purpose, wrapped, public, retired_at from keys order by created_at`,
  )
  return {
    token: await ring(stored, 'token', (key) => openPrivate(key, masterKey, 'EdDSA')),
    password: await ring(stored, 'password', (key) => openPrivate(key, masterKey, 'RSA-OAEP-256')),
    file: await ring(stored, 'file', (key) => openSecret(key, masterKey)),
    factor: await ring(stored, 'factor', (key) => openSecret(key, masterKey)),
    link: await ring(stored, 'link', (key) => openSecret(key, masterKey)),
  }
}

async function ring<K extends { kid: string }>(
  stored: StoredKey[],
  purpose: KeyPurpose,
  open: (key: StoredKey) => K | Promise<K>,
): Promise<{ current: K; byId(kid: string): K | null }> {
  const mine = stored.filter((key) => key.purpose === purpose)
  const opened = new Map<string, K>()
  for (const key of mine) opened.set(key.kid, await open(key))
  const newest = mine.findLast((key) => key.retired_at === null)
  const current = newest && opened.get(newest.kid)
  if (!current) throw new Error(`There is no key for ${purpose}.`)
  return { current, byId: (kid) => opened.get(kid) ?? null }
}

async function makeKey(purpose: KeyPurpose): Promise<{ kid: string; secret: Buffer; public: string | null }> {
  const kid = randomBytes(9).toString('base64url')
  if (purpose !== 'token' && purpose !== 'password') return { kid, secret: randomBytes(32), public: null }
  const pair =
    purpose === 'token'
      ? await generateKeyPair('EdDSA', { extractable: true })
      : await generateKeyPair('RSA-OAEP-256', { extractable: true, modulusLength: rsaBits })
  const secret = Buffer.from(JSON.stringify(await exportJWK(pair.privateKey)))
  return { kid, secret, public: JSON.stringify(await exportJWK(pair.publicKey)) }
}

async function openPrivate(stored: StoredKey, masterKey: Buffer, algorithm: string): Promise<PrivateKey> {
  const secret = JSON.parse(unseal(masterKey, stored.kid, stored.wrapped).toString()) as JWK
  const publicJwk: JWK = { ...stored.public, kid: stored.kid, alg: algorithm }
  return {
    kid: stored.kid,
    key: (await importJWK(secret, algorithm)) as CryptoKey,
    publicKey: (await importJWK(publicJwk, algorithm)) as CryptoKey,
    publicJwk: algorithm === 'EdDSA' ? publicJwk : { ...publicJwk, use: 'enc' },
  }
}

function openSecret(stored: StoredKey, masterKey: Buffer): SecretKey {
  return { kid: stored.kid, bytes: unseal(masterKey, stored.kid, stored.wrapped) }
}

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM under a fresh nonce; `label` is bound in, so that a value moved to another row does not open. */
export function seal(key: Buffer, label: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(label))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `seal` closed; throws when a bit or the label differs. */
export function unseal(key: Buffer, label: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)), decipher.final()])
}

/** Seals a small secret under a ring's current key; the key's id stands in front. */
export function sealSmall(ring: { current: SecretKey }, label: string, plain: Buffer): Buffer {
  const { kid, bytes } = ring.current
  return Buffer.concat([Buffer.from([kid.length]), Buffer.from(kid), seal(bytes, label, plain)])
}

/** Opens what `sealSmall` closed, whichever key of the ring it was. */
export function unsealSmall(ring: { byId(kid: string): SecretKey | null }, label: string, sealed: Buffer): Buffer {
  const length = sealed[0] ?? 0
  const key = ring.byId(sealed.subarray(1, 1 + length).toString())
  if (!key) throw new Error('a sealed value names a key that is not there')
  return unseal(key.bytes, label, sealed.subarray(1 + length))
}
