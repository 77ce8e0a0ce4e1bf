/** Records of many accounts by the account that they name. */
type WireRecord = Record<string, unknown>

export function ofLogins(records: readonly WireRecord[]): Map<string, WireRecord[]> {
  return Map.groupBy(records, ({ Login }) => String(Login))
}

/** Returns whether records by account are of these accounts alone: of any other it is not known whose they are. */
export function isOfOnly(logins: readonly string[], ...records: readonly ReadonlyMap<string, unknown>[]): boolean {
  const asked = new Set(logins)
  return records.every((some) => [...some.keys()].every((login) => asked.has(login)))
}

interface AccountRecords {
  readonly of: ReadonlyMap<string, WireRecord>
  /** Whether one of them is of no account that was asked for: an account that seems to have none may have this one. */
  readonly isOwnerless: boolean
  /** Returns the accounts without a record. */
  without(logins: readonly string[]): string[]
}

/** Returns users or trade states by their accounts. */
export function accountRecords(records: readonly WireRecord[], logins: readonly string[]): AccountRecords {
  const asked = new Set(logins)
  const of = new Map(
    // Of two records of one account, one is another's.
    [...ofLogins(records)].flatMap(([login, [record, second]]) =>
      record && second === undefined && asked.has(login) ? [[login, record] as const] : [],
    ),
  )
  return {
    of,
    isOwnerless: of.size < records.length,
    without: (some) => some.filter((login) => !of.has(login)),
  }
}
