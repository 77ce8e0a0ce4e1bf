/**
 * The product's keys, wrapped by the master key and stored in the database (requirements 22.1). The database stores the
 * master key's fingerprint: an absent or different master key is rejected at start, and no new key is created silently.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import type { Pool } from 'pg'
import { BadConfig } from '../config/read-variable.ts'
import { row, rows, run, transaction, type Transaction } from '../db/sql.ts'

export const rotatedPurposes = ['token', 'password', 'file', 'factor', 'link'] as const
/** References at platforms and providers are verified with their key for ever, so it is never rotated. */
const keyPurposes = [...rotatedPurposes, 'reference'] as const
export type RotatedPurpose = (typeof rotatedPurposes)[number]
export type KeyPurpose = (typeof keyPurposes)[number]

interface StoredKey {
  kid: string
  purpose: KeyPurpose
  wrapped: Buffer
  public: JWK | null
  /** Null for a key that is valid from the start. */
  current_from: Date | null
}

interface PrivateKey {
  readonly kid: string
  readonly key: CryptoKey
  readonly publicKey: CryptoKey
  readonly publicJwk: JWK
}

export interface SecretKey {
  readonly kid: string
  readonly bytes: Buffer
}

/** The keys of one purpose. An older one still decrypts what it encrypted until it is retired. */
interface KeyRing<K> {
  /** The key that encrypts and signs now. */
  readonly current: K
  byId(kid: string): K | null
  /** Returns all keys that still decrypt, the newest first. */
  all(): K[]
}

export interface Keys {
  readonly token: KeyRing<PrivateKey>
  readonly password: KeyRing<PrivateKey>
  readonly file: KeyRing<SecretKey>
  readonly factor: KeyRing<SecretKey>
  readonly link: KeyRing<SecretKey>
  /** Derives and verifies references (references.ts); there is only one, for ever. */
  readonly reference: SecretKey
  /** Reads the table again: added keys are known from now on, retired ones no longer decrypt. */
  reload(): Promise<void>
}

const masterKeyBytes = 32
const rsaBits = 3072
/** Held while a key is added or removed. */
export const keysLock = 7_420_002

/** Reads the master key, or creates one for an empty database if `mayMake`. */
export async function readMasterKey(pool: Pool, path: string, mayMake: boolean): Promise<Buffer> {
  const stored = await row<{ fingerprint: Buffer }>(pool)`select fingerprint from master_key`
  let key: Buffer | null = null
  try {
    key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT')
      throw new BadConfig(
        `The master key ${path} cannot be read (${code ?? message}). Let the server's account read it, and no one else.`,
      )
  }
  if (!key) {
    if (stored)
      throw new BadConfig(`The master key ${path} is missing, and this database was written with one. Put it back.`)
    if (!mayMake)
      throw new BadConfig(
        `The master key file ${path} named by MASTER_KEY_FILE does not exist. Put it there, or correct MASTER_KEY_FILE.`,
      )
    key = randomBytes(masterKeyBytes)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, key.toString('base64'), { mode: 0o600, flag: 'wx' })
  }
  if (key.length !== masterKeyBytes)
    throw new BadConfig(
      `The master key in ${path} is not 32 bytes in base64. Put the right file there; a new one is made by: openssl rand -base64 32`,
    )
  const fingerprint = fingerprintOf(key)
  if (stored && !stored.fingerprint.equals(fingerprint)) {
    throw new BadConfig(
      `The master key in ${path} is not the one that this database was written with. Put the right file there, or correct DATABASE_URL.`,
    )
  }
  if (!stored) {
    await run(pool)`insert into master_key (fingerprint) values (${fingerprint}) on conflict do nothing`
    const kept = await row<{ fingerprint: Buffer }>(pool)`select fingerprint from master_key`
    if (!kept?.fingerprint.equals(fingerprint))
      throw new BadConfig(
        'Another server has just set another master key. Give all servers the same file, then start this one.',
      )
  }
  return key
}

function fingerprintOf(masterKey: Buffer): Buffer {
  return createHash('sha256').update('master').update(masterKey).digest()
}

/** Wraps all keys again with another master key and stores its fingerprint, all or nothing. Returns how many. */
export async function rewrapKeys(tx: Transaction, masterKey: Buffer, next: Buffer): Promise<number> {
  if (next.length !== masterKeyBytes) throw new TypeError('The new master key is not 32 bytes in base64.')
  await run(tx)`select pg_advisory_xact_lock(${keysLock})`
  const stored = await rows<{ kid: string; wrapped: Buffer }>(tx)`select kid, wrapped from keys`
  for (const key of stored) {
    const wrapped = encrypt(next, key.kid, unwrap(masterKey, key))
    await run(tx)`update keys set wrapped = ${wrapped} where kid = ${key.kid}`
  }
  await run(tx)`update master_key set fingerprint = ${fingerprintOf(next)}`
  return stored.length
}

/**
 * Decrypts all keys; creates the first of each purpose under a lock, so that concurrent servers create one set. Throws
 * a sentence if a key is missing beside others, or was wrapped by another master key: a database that was restored only
 * in part.
 */
export async function openKeys(pool: Pool, masterKey: Buffer, now: () => Date = () => new Date()): Promise<Keys> {
  await makeFirstKeys(pool, masterKey)
  const privates = new Map<string, PrivateKey>()
  const secrets = new Map<string, SecretKey>()
  let stored: StoredKey[] = []
  let [asked, answered] = [0, 0]
  const reload = async (): Promise<void> => {
    const turn = (asked += 1)
    const found = await rows<StoredKey>(pool)`
      select kid, purpose, wrapped, public, current_from from keys order by current_from nulls first, created_at, kid`
    for (const key of found) {
      if (key.purpose === 'token' && !privates.has(key.kid))
        privates.set(key.kid, await importPrivateKey(key, masterKey, 'EdDSA'))
      else if (key.purpose === 'password' && !privates.has(key.kid))
        privates.set(key.kid, await importPrivateKey(key, masterKey, 'RSA-OAEP-256'))
      else if (!privates.has(key.kid) && !secrets.has(key.kid))
        secrets.set(key.kid, { kid: key.kid, bytes: unwrap(masterKey, key) })
    }
    // Of concurrent readings the one that started later wins.
    if (turn < answered) return
    answered = turn
    stored = found
  }
  await reload()
  const ring = <K>(purpose: KeyPurpose, opened: ReadonlyMap<string, K>) =>
    keyRingOf(() => stored.filter((key) => key.purpose === purpose), opened, now)
  return {
    token: ring('token', privates),
    password: ring('password', privates),
    file: ring('file', secrets),
    factor: ring('factor', secrets),
    link: ring('link', secrets),
    reference: ring('reference', secrets).current,
    reload,
  }
}

function makeFirstKeys(pool: Pool, masterKey: Buffer): Promise<void> {
  return transaction(pool, async (tx) => {
    await run(tx)`select pg_advisory_xact_lock(${keysLock})`
    const present = await rows<{ purpose: KeyPurpose }>(tx)`select distinct purpose from keys`
    const missing = keyPurposes.filter((purpose) => !present.some((key) => key.purpose === purpose))
    const isUpgrade = missing.every((purpose) => purpose === 'reference') && !(await hasDerivedReferences(tx))
    if (present.length > 0 && missing.length > 0 && !isUpgrade)
      throw new BadConfig(
        `The table keys has no key for ${missing.join(', ')}, and this database was written with one: it was restored in part. Restore the whole database.`,
      )
    for (const purpose of missing) await addKey(tx, masterKey, purpose, null)
  })
}

/** Returns whether anything was sent under a derived reference: then the key that derived it must exist. */
async function hasDerivedReferences(tx: Transaction): Promise<boolean> {
  const found = await row<{ found: boolean }>(tx)`
    select exists (select from operations where shown is not null) as found`
  return found?.found ?? true
}

/** Creates a key that is used from `from` on and stores it wrapped. Returns its id. */
export async function addKey(
  tx: Transaction,
  masterKey: Buffer,
  purpose: KeyPurpose,
  from: Date | null,
): Promise<string> {
  const { kid, secret, public: open } = await makeKey(purpose)
  await run(tx)`insert into keys (kid, purpose, wrapped, public, created_at, current_from)
      values (${kid}, ${purpose}, ${encrypt(masterKey, kid, secret)}, ${open}, now(), ${from})`
  return kid
}

function keyRingOf<K>(stored: () => StoredKey[], opened: ReadonlyMap<string, K>, now: () => Date): KeyRing<K> {
  const byId = (kid: string): K | null => (stored().some((key) => key.kid === kid) ? (opened.get(kid) ?? null) : null)
  return {
    byId,
    get current() {
      const newest = stored().findLast(({ current_from: from }) => from === null || from <= now())
      const key = newest && opened.get(newest.kid)
      if (!key) throw new Error('there is no current key')
      return key
    },
    all: () =>
      stored()
        .toReversed()
        .flatMap(({ kid }) => opened.get(kid) ?? []),
  }
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

/** Returns the unwrapped key. Throws a sentence if another master key wrapped it. */
function unwrap(masterKey: Buffer, { kid, wrapped }: Pick<StoredKey, 'kid' | 'wrapped'>): Buffer {
  try {
    return decrypt(masterKey, kid, wrapped)
  } catch (cause) {
    throw new BadConfig(
      `The key ${kid} in the table keys cannot be decrypted with this master key. They come from different backups. Restore the table and its master key together.`,
      { cause },
    )
  }
}

async function importPrivateKey(stored: StoredKey, masterKey: Buffer, algorithm: string): Promise<PrivateKey> {
  const secret = JSON.parse(unwrap(masterKey, stored).toString()) as JWK
  const publicJwk: JWK = { ...stored.public, kid: stored.kid, alg: algorithm }
  return {
    kid: stored.kid,
    key: (await importJWK(secret, algorithm)) as CryptoKey,
    publicKey: (await importJWK(publicJwk, algorithm)) as CryptoKey,
    publicJwk: algorithm === 'EdDSA' ? publicJwk : { ...publicJwk, use: 'enc' },
  }
}

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts with AES-256-GCM and a fresh nonce. `label` is authenticated, so that a value copied to another row cannot
 * be decrypted.
 */
export function encrypt(key: Buffer, label: string, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(label))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts the output of `encrypt`; throws if a bit or the label differs. */
export function decrypt(key: Buffer, label: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)), decipher.final()])
}

/** Encrypts a small secret with a ring's current key and prepends the key's id. */
export function encryptSecret(ring: { current: SecretKey }, label: string, plain: Buffer): Buffer {
  const { kid, bytes } = ring.current
  return Buffer.concat([Buffer.from([kid.length]), Buffer.from(kid), encrypt(bytes, label, plain)])
}

/** Returns the id of the key that encrypted a small secret. */
export function keyIdOfSecret(sealed: Buffer): string {
  return sealed.subarray(1, 1 + (sealed[0] ?? 0)).toString()
}

/** Decrypts the output of `encryptSecret` with the key of the ring that encrypted it. */
export function decryptSecret(ring: { byId(kid: string): SecretKey | null }, label: string, sealed: Buffer): Buffer {
  const key = ring.byId(keyIdOfSecret(sealed))
  if (!key) throw new Error('the key of an encrypted value is missing')
  return decrypt(key.bytes, label, sealed.subarray(1 + (sealed[0] ?? 0)))
}
