import type { ChangedField } from '#rules/profile-changes.ts'
import { profileFieldNames, textsOf, type ProfileValues, type StoredProfile } from '#rules/profile-fields.ts'
import type { ProfileChangeId } from '#rules/ids.ts'
import { profileColumns } from '../../db/profile-columns.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
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
  return rows<PendingChange>(connection)`select id, field, to_value as "to", requested_at as since from profile_changes
      where client_id = ${clientId} and state in ('pending', 'confirming') order by requested_at, field`
}

type Fields = Record<string, string>

/** Returns both forms as last saved; a form with a missing answer counts as not filled in. */
export async function savedForms(
  connection: Connection,
  clientId: SignedInClientId,
): Promise<{ employment: Fields | null; experience: Fields | null }> {
  const found = await row<{ employment: Fields | null; experience: Fields | null }>(connection)`
    select employment, trading_experience as experience from clients where id = ${clientId}`
  return found ?? { employment: null, experience: null }
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
