import type { ChangedField } from '#rules/profile-changes.ts'
import { profileFieldNames, textsOf, type ProfileValues, type StoredProfile } from '#rules/profile-fields.ts'
import type { ProfileChangeId } from '#rules/ids.ts'
import { userColumns, type UserRow } from '../../auth/user.ts'
import { profileColumns } from '../../db/profile-columns.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { row, sql, type Connection } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'

interface PendingChange {
  id: ProfileChangeId
  field: ChangedField
  to: string
  since: Date
}

/** Returns the pending changes of a client. */
export function pendingChanges(connection: Connection, clientId: SignedInClientId): Promise<PendingChange[]> {
  return pipelinedRows<PendingChange>(
    connection,
    sql`select id, field, to_value as "to", requested_at as since from profile_changes
        where client_id = ${clientId} and state in ('pending', 'confirming') order by requested_at, field`,
  )
}

type Fields = Record<string, string>

interface OwnProfile extends UserRow {
  readonly employment: Fields | null
  readonly experience: Fields | null
}

/** Returns a client with both forms as last saved; null if one was never filled in. */
export async function ownProfile(connection: Connection, clientId: SignedInClientId): Promise<OwnProfile> {
  const [found] = await pipelinedRows<OwnProfile>(
    connection,
    sql`select ${userColumns}, employment, trading_experience as experience from clients where id = ${clientId}`,
  )
  if (!found) throw new Error(`client ${clientId} not found`)
  return found
}

/**
 * Returns a client's profile as a form would send it, locked until the transaction ends, and whether its identity is
 * approved.
 */
export async function lockProfile(
  connection: Connection,
  clientId: SignedInClientId,
): Promise<{ profile: ProfileValues; identityApproved: boolean }> {
  const found = await row<StoredProfile & { identityApproved: boolean }>(connection)`
    select ${profileColumns}, identity_approved_at is not null as "identityApproved"
      from clients where id = ${clientId} for update`
  if (!found) throw new Problem('session-ended')
  return { profile: textsOf(profileFieldNames, found), identityApproved: found.identityApproved }
}
