/** Verifies a code of the second factor, from the app or a recovery code. Each is valid once. */
import type { Transaction } from '../db/sql.ts'
import type { Keys } from '../crypto/keys.ts'
import { stepOfCode, consumeRecoveryCode, consumeTotpStep, type FactorOwner } from './totp.ts'

/** Returns whether a code is correct, once per code: the caller's transaction records its use. */
export async function verifyFactorCode(
  tx: Transaction,
  ground: { readonly keys: Keys },
  owner: FactorOwner,
  secret: Buffer | null,
  code: string,
  now: Date,
): Promise<boolean> {
  if (secret === null) return false
  const step = stepOfCode(ground.keys, owner, secret, code, now)
  if (step !== null) return consumeTotpStep(tx, owner, step)
  return consumeRecoveryCode(tx, owner, code, now)
}
