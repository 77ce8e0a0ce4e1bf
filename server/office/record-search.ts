/** Search in lists: each condition uses one index, and applies only if the words have the matching form. */
import { readReference } from '#rules/references.ts'
import { join, raw, sql, type Sql } from '../db/sql.ts'
import { wordsPattern } from './lists.ts'

/** The indexed text of clients' names (migration 0230): name and address in lower case, without accents. */
const namesOfClient = sql`search_text(' ' || name || ' ' || surname || ' ' || email::text)`

/**
 * Returns the condition on clients whose name or email address contains each of the words, in any order and without
 * accents.
 */
export function hasName(words: string): Sql {
  const patterns = words.trim().split(/\s+/).map(wordsPattern)
  return join(
    patterns.map((pattern) => sql`${namesOfClient} like search_text(${pattern})`),
    ' and ',
  )
}

/** Returns the condition on clients one of whose names starts with the words. */
export function nameBeginsWith(words: string): Sql {
  return sql`${namesOfClient} like search_text(${wordsPattern(` ${words.trim()}`)})`
}

/** Returns the query of client ids by part of name and address, or by client number. */
export function clientsNamed(words: string): Sql {
  const ways = [sql`select id from clients where ${hasName(words)}`]
  const plain = words.replace(/\s/g, '')
  if (/^\d{1,12}$/.test(plain)) ways.push(sql`select id from clients where number = ${plain}::bigint`)
  return join(ways, ' union ')
}

interface Searched {
  readonly table: string
  /** The listing's column of the ids. */
  readonly id: string
  /** Columns of the table with a trading account. */
  readonly accounts?: readonly string[]
  /** True if the table has a reference of ours. */
  readonly reference?: boolean
}

/**
 * Returns the query of records that belong to clients: by client, by the start of an account's number or of a
 * reference.
 */
export function recordsNamed(words: string, { table, id, accounts = [], reference = false }: Searched): Sql {
  const from = raw(table)
  const plain = words.replace(/\s/g, '').toUpperCase()
  const ways = [sql`select id from ${from} where client_id in (${clientsNamed(words)})`]
  if (/^\d+$/.test(plain)) {
    for (const column of accounts) {
      // The colon follows the nine, so the range contains all numbers that start with these digits, and uses an index.
      ways.push(sql`select id from ${from} where ${raw(column)} in
        (select id from trading_accounts where login >= ${plain} and login < ${`${plain}:`})`)
    }
  }
  if (reference && /^[A-Z0-9-]{3,20}$/.test(plain)) {
    const begins = readReference(words) ?? plain
    ways.push(sql`select id from ${from} where reference >= ${begins} and reference < ${`${begins}~`}`)
  }
  return sql`${raw(id)} in (${join(ways, ' union ')})`
}
