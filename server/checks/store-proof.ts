/** How a file that staff received about a client is stored: the proof of an override or of a last balance. */
import type { Act } from '../db/events.ts'
import type { Transaction } from '../db/transaction.ts'
import type { ReceivedFile } from '../http/uploads.ts'
import type { Parts } from '../dependencies.ts'

/** The answer keeps the file's record in the transaction of what it proves. */
export type StoreProof = (
  parts: Parts,
  proof: { readonly clientId: string; readonly received: ReceivedFile; readonly staffId: string; readonly act: Act },
) => Promise<(tx: Transaction) => Promise<{ id: string; label: string }>>
