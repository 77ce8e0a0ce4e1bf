/**
 * Countries of IP addresses, from a table in MaxMind DB format that the operator provides (requirements 24.37, ADR
 * 306). No address is sent to others, and no country is stored.
 */
import { readFile, stat } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import type { Reader, Response } from 'mmdb-lib'
import { BadConfig } from '../config/read-variable.ts'
import { isPrivateAddress, normalizeAddress } from './network.ts'

interface LocationTable {
  /** When the provider created it. */
  readonly builtAt: Date
  /** Returns the ISO 3166-1 code of the country, or null if the table has none for the address. */
  countryOf(address: string): string | null
}

export interface IpLocations {
  /** Returns the table of the current file, or null if none is configured. */
  table(): Promise<LocationTable | null>
}

export const noLocations: IpLocations = { table: async () => null }

const recheckMs = 60_000
const formatVersion = 2
/** Zeros between the search tree and the data. */
const separatorBytes = 16
/** The number of networks searched for a country, to distinguish a table of countries from one of providers. */
const networksTried = 1000

/**
 * Opens the table at `path`; throws BadConfig if it cannot be used. A file that replaces it is read when the table is
 * next needed, once a minute at most. One that cannot be used is reported, and the table in memory stays in use.
 */
export async function openIpLocations(
  path: string | null,
  now: () => Date,
  onUnusable: (error: unknown) => void,
): Promise<IpLocations> {
  if (path === null) return noLocations
  let version = await versionOf(path)
  let table = await readLocationTable(path, onUnusable)
  let lookedAt = now().getTime()
  return {
    async table() {
      const at = now().getTime()
      if (at - lookedAt < recheckMs) return table
      lookedAt = at
      try {
        const found = await versionOf(path)
        if (found === version) return table
        version = found
        table = await readLocationTable(path, onUnusable)
      } catch (error) {
        onUnusable(error)
      }
      return table
    },
  }
}

/** Reads a whole table. `onDamage` is called once for data that cannot be decoded, whose addresses have no country. */
export async function readLocationTable(path: string, onDamage: (error: unknown) => void): Promise<LocationTable> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  const reader = await openReader(path, bytes)
  const { buildEpoch: builtAt, ipVersion } = reader.metadata
  let isReported = false
  return {
    builtAt,
    countryOf(address) {
      const plain = normalizeAddress(address)
      if (isPrivateAddress(plain) || (ipVersion === 4 && isIPv6(plain))) return null
      try {
        return countryOfRecord(reader.get(plain))
      } catch (error) {
        if (!isReported) onDamage(error)
        isReported = true
        return null
      }
    },
  }
}

/** Returns what changes when the file is replaced or written. */
async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  return `${ino} ${size} ${mtimeMs}`
}

function unreadable(path: string, error: unknown): BadConfig {
  return locationFileError(path, `cannot be read (${(error as NodeJS.ErrnoException).code})`)
}

function locationFileError(path: string, why: string, cause?: unknown): BadConfig {
  return new BadConfig(
    `IP_LOCATION_FILE is "${path}", which ${why}. Give a table of countries in MaxMind DB format (.mmdb), or leave it out.`,
    { cause },
  )
}

async function openReader(path: string, bytes: Buffer): Promise<Reader<Response>> {
  const library = await import('mmdb-lib')
  try {
    const reader = new library.Reader(bytes)
    const { binaryFormatMajorVersion, buildEpoch, ipVersion, searchTreeSize } = reader.metadata
    const isComplete =
      binaryFormatMajorVersion === formatVersion &&
      !Number.isNaN(buildEpoch.getTime()) &&
      (ipVersion === 4 || ipVersion === 6) &&
      searchTreeSize + separatorBytes <= bytes.length
    if (!isComplete) throw locationFileError(path, 'is damaged')
    if (!hasCountries(reader)) throw locationFileError(path, 'contains no countries')
    return reader
  } catch (error) {
    throw error instanceof BadConfig ? error : locationFileError(path, 'is damaged or in another format', error)
  }
}

/** Returns whether one of the first IPv4 networks has a country; a table without any may have those of IPv6. */
function hasCountries(reader: Reader<Response>): boolean {
  let tried = 0
  for (let address = 0; address < 2 ** 32 && tried < networksTried;) {
    const [record, prefix] = reader.getWithPrefixLength(
      [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.'),
    )
    if (countryOfRecord(record) !== null) return true
    if (record !== null) tried += 1
    address += 2 ** (32 - prefix)
  }
  return tried === 0
}

/**
 * Returns the country of a record: `country.iso_code` of MaxMind and DB-IP; `country_code` or `country` of IPinfo and
 * others. Not MaxMind's `registered_country`, which is the country of the provider's registration, not of the address.
 */
function countryOfRecord(record: unknown): string | null {
  const { country_code: code, country } = (record ?? {}) as { country_code?: unknown; country?: unknown }
  const ofCountry = (country ?? {}) as { iso_code?: unknown }
  return [code, ofCountry.iso_code, country].find(isCountryCode) ?? null
}

/** Some tables have ZZ for networks without a country. */
function isCountryCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value) && value !== 'ZZ'
}
