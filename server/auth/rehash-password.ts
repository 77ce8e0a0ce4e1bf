/** A hash made with the parameters of an earlier year is made again at the next right password (ASVS 11.2.2). */
import { raw, run } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { hashPassword, isOutdated } from './password-hash.ts'

/**
 * `password` was just found to be that of `kept`. Answers the hash that stands now. Hashing that is refused for want of
 * room waits for the next time.
 */
export async function rehashPassword(
  dependencies: Pick<Dependencies, 'pool' | 'log'>,
  table: 'clients' | 'staff',
  person: { readonly id: string; readonly passwordHash: string | null },
  password: string,
): Promise<string | null> {
  const { id, passwordHash: kept } = person
  if (kept === null || !isOutdated(kept)) return kept
  try {
    const renewed = await hashPassword(password)
    // A password that was changed meanwhile stays what it is.
    await run(dependencies.pool)`
      update ${raw(table)} set password_hash = ${renewed} where id = ${id} and password_hash = ${kept}`
    return renewed
  } catch (error) {
    dependencies.log.warn({ err: error }, 'password hash not renewed')
    return kept
  }
}
