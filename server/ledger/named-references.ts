/** How SQL finds a reference of ours in the text of a bank transaction. */
import { sql, type Sql } from '../db/sql.ts'

/**
 * Condition that a payment's text names a reference: banks and payers change spaces, hyphens and case. `referencesIn`
 * is the same for texts that are already read.
 */
export function namesReference(text: Sql, reference: Sql): Sql {
  return sql`strpos(${lettersAndDigits(text)}, ${lettersAndDigits(reference)}) > 0`
}

function lettersAndDigits(text: Sql): Sql {
  return sql`regexp_replace(upper(${text}), '[^A-Z0-9]', '', 'g')`
}
