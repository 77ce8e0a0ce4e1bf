/** Records of many accounts by the account that they name. */
type WireRecord = Record<string, unknown>

export function groupByLogin(records: readonly WireRecord[]): Map<string, WireRecord[]> {
  return Map.groupBy(records, ({ Login }) => String(Login))
}

/** Returns whether all records belong to these accounts; a record of any other account may belong to one of them. */
export function hasOnlyLogins(logins: readonly string[], ...records: readonly ReadonlyMap<string, unknown>[]): boolean {
  const asked = new Set(logins)
  return records.every((some) => [...some.keys()].every((login) => asked.has(login)))
}

interface AccountRecords {
  readonly of: ReadonlyMap<string, WireRecord>
  /** Whether a record is of none of the requested accounts: it may be that of an account without a record. */
  readonly isOwnerless: boolean
  /** Returns the accounts without a record. */
  without(logins: readonly string[]): string[]
}

/** Returns users or trade states by their accounts. */
export function accountRecords(records: readonly WireRecord[], logins: readonly string[]): AccountRecords {
  const asked = new Set(logins)
  const of = new Map(
    // If two records name the same account, one belongs to another account.
    [...groupByLogin(records)].flatMap(([login, [record, second]]) =>
      record && second === undefined && asked.has(login) ? [[login, record] as const] : [],
    ),
  )
  return {
    of,
    isOwnerless: of.size < records.length,
    without: (some) => some.filter((login) => !of.has(login)),
  }
}
