/** Hashes with outdated parameters are replaced at the next successful sign-in (ASVS 11.2.2). */
import { raw, run } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { hashPassword, isHashOutdated } from './password-hash.ts'

/**
 * Hashes a password again if its stored hash has other parameters than the current ones; `password` has just been
 * verified against `kept`. Returns the hash in force. If the hash queue is full, the next sign-in tries again.
 */
export async function rehashPassword(
  dependencies: Pick<Dependencies, 'pool' | 'log'>,
  table: 'clients' | 'staff',
  person: { readonly id: string; readonly passwordHash: string | null },
  password: string,
): Promise<string | null> {
  const { id, passwordHash: kept } = person
  if (kept === null || !isHashOutdated(kept)) return kept
  try {
    const renewed = await hashPassword(password)
    // A password that was changed meanwhile stays unchanged.
    await run(dependencies.pool)`
      update ${raw(table)} set password_hash = ${renewed} where id = ${id} and password_hash = ${kept}`
    return renewed
  } catch (error) {
    dependencies.log.warn({ err: error }, 'password hash not renewed')
    return kept
  }
}
