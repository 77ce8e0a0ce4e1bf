/** Stores a file that staff received about a client: evidence for an override or a last balance. */
import type { ClientId, StaffId } from '#rules/ids.ts'
import type { AuditContext } from '../db/events.ts'
import type { Transaction } from '../db/sql.ts'
import type { ReceivedFile } from '../http/uploads.ts'
import type { Dependencies } from '../dependencies.ts'

/** Stores the file; the result writes the file's record in the transaction of what it proves. */
export type StoreProof = (
  dependencies: Dependencies,
  proof: {
    readonly clientId: ClientId
    readonly received: ReceivedFile
    readonly staffId: StaffId
    readonly auditContext: AuditContext
  },
) => Promise<(tx: Transaction) => Promise<{ id: string; label: string }>>
