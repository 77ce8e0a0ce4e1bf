/** Overrides of blocks, each valid only for the exact facts that it was given for. */
import { createHash } from 'node:crypto'
import type { CheckValue, JudgedCheck } from '#rules/checks/check.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { rows, run, type Connection, type Transaction } from '../db/sql.ts'

export interface Override {
  readonly name: string
  readonly digest: string
  readonly staffId: StaffId
  readonly by: string
  readonly at: Date
  readonly reason: string
  readonly proofId: string | null
  readonly proofName: string | null
}

/** A check with its digest and its valid override, if there is one. */
export interface Weighed extends JudgedCheck {
  readonly digest: string
  readonly overridden: boolean
  readonly given: Override | null
}

export function overridesOf(connection: Connection, kind: string, record: string): Promise<Override[]> {
  return rows<Override>(connection)`
    select o.check_name as name, encode(o.digest, 'hex') as digest, o.by_staff as "staffId", s.name as by, o.at, o.reason,
        f.id as "proofId", f.label as "proofName"
      from check_overrides o join staff s on s.id = o.by_staff left join files f on f.id = o.proof_file
      where o.kind = ${kind} and o.record = ${record} order by o.at, o.id`
}

/** Returns those of these records on which a person has overridden a block. */
export async function recordsOverriddenBy(
  connection: Connection,
  staffId: StaffId,
  kind: string,
  records: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows<{ record: string }>(connection)`select distinct record from check_overrides
    where kind = ${kind} and record = any (${[...records]}::uuid[]) and by_staff = ${staffId}`
  return new Set(found.map(({ record }) => record))
}

/**
 * Returns a value as JSON: `{"time": "2026-…Z"}`, `{"amount": {"minor": "100", "currency": "EUR"}}`, others as they
 * are.
 */
export function plainValue(value: CheckValue): unknown {
  if (value === null) return null
  if ('time' in value) return { time: value.time.toISOString() }
  if ('amount' in value) return { amount: { minor: String(value.amount.minor), currency: value.amount.currency } }
  return value
}

/** Returns an object with each value converted in the same way. */
export function plainValues(values: Readonly<Record<string, CheckValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainValue(value)]))
}

/** Returns the digest of the facts that were checked and shown, without the time of reading. */
export function factsDigest({ name, result, sentence, facts }: JudgedCheck): string {
  const named = facts.map((fact) => [fact.name, plainValue(fact.value)] as const)
  const sorted = named.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([name, result, sentence, sorted]))
    .digest('hex')
}

export function applyOverrides(judged: readonly JudgedCheck[], overrides: readonly Override[]): Weighed[] {
  return judged.map((one) => {
    const digest = factsDigest(one)
    const given =
      one.result === 'block' && one.override !== null
        ? (overrides.find((override) => override.name === one.name && override.digest === digest) ?? null)
        : null
    return { ...one, digest, overridden: given !== null, given }
  })
}

export async function storeOverride(
  tx: Transaction,
  override: {
    readonly kind: string
    readonly record: string
    readonly clientId: ClientId | null
    readonly name: string
    readonly digest: string
    readonly reason: string
    readonly staffId: StaffId
    readonly at: Date
    readonly proofFile: string | null
  },
): Promise<boolean> {
  const { kind, record, clientId, name, digest, reason, staffId, at, proofFile } = override
  const written = await run(tx)`
    insert into check_overrides (kind, record, client_id, check_name, digest, reason, by_staff, at, proof_file)
      values (${kind}, ${record}, ${clientId}, ${name}, decode(${digest}, 'hex'), ${reason}, ${staffId}, ${at}, ${proofFile})
      on conflict do nothing`
  return written === 1
}
