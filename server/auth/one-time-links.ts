/**
 * Links that are valid once: the row stores only a hash; the id in the mail is computed from the row's own id and the
 * link key when the mail is sent (requirements 4.7).
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { row, rows, run, sql, type Connection, type Sql, type Transaction } from '../db/sql.ts'
import { isUuid } from '../db/ids.ts'
import type { Keys } from '../crypto/keys.ts'

type LinkPurpose = 'confirm' | 'setpassword' | 'reset' | 'invitation' | 'email-change'
type LinkOwner = { readonly clientId: ClientId } | { readonly staffId: StaffId } | { readonly registrationId: string }

export interface Link {
  readonly id: string
  readonly clientId: ClientId | null
  readonly staffId: StaffId | null
  readonly registrationId: string | null
  readonly expiresAt: Date
  readonly usedAt: Date | null
  readonly replacedAt: Date | null
}

/** Returns the id for the mail, computed from the id of the link's row with the key that the row names. */
export function oneTimeIdOf(keys: Pick<Keys, 'link'>, linkRow: string, kid?: string | null): string {
  const key = (kid && keys.link.byId(kid)) || keys.link.current
  return createHmac('sha256', key.bytes).update(linkRow).digest('base64url')
}

/** Returns a function that computes the one-time id of each of these rows, for links in mails. */
export async function oneTimeIdsOf(
  connection: Connection,
  keys: Pick<Keys, 'link'>,
  linkRows: readonly string[],
): Promise<(linkRow: string) => string> {
  const found = await rows<{ id: string; kid: string | null }>(connection)`
    select id, kid from one_time_links where id = any (${linkRows.filter(isUuid)}::uuid[])`
  const kids = new Map(found.map(({ id, kid }) => [id, kid]))
  return (linkRow) => oneTimeIdOf(keys, linkRow, kids.get(linkRow))
}

function hashOf(oneTimeId: string): Buffer {
  return createHash('sha256').update(oneTimeId).digest()
}

/** Creates a link and returns its row's id; earlier links of the same purpose and owner become invalid. */
export async function createLink(
  tx: Transaction,
  keys: Pick<Keys, 'link'>,
  link: { readonly purpose: LinkPurpose; readonly owner: LinkOwner; readonly lifeSeconds: number },
  now: Date,
): Promise<string> {
  const { purpose, owner, lifeSeconds } = link
  await endUnusedLinks(tx, purpose, owner, now)
  const id = randomUUID()
  const { kid } = keys.link.current
  const { clientId = null, staffId = null, registrationId = null } = { ...ownerIds(owner) }
  await run(tx)`
    insert into one_time_links (id, purpose, hash, kid, client_id, staff_id, registration_id, expires_at, created_at)
      values (${id}, ${purpose}, ${hashOf(oneTimeIdOf(keys, id, kid))}, ${kid}, ${clientId}, ${staffId},
        ${registrationId}, ${new Date(now.getTime() + lifeSeconds * 1000)}, ${now})`
  return id
}

/** Ends the unused links of a purpose and owner. */
export async function endUnusedLinks(
  tx: Transaction,
  purpose: LinkPurpose,
  owner: LinkOwner,
  now: Date,
): Promise<void> {
  await run(tx)`update one_time_links set replaced_at = ${now}
      where purpose = ${purpose} and ${isOwnedBySql(owner)} and used_at is null and replaced_at is null`
}

/**
 * Returns the link of an id, used or not, or null. Locks its row, so that only one of several concurrent calls can use
 * it.
 */
export async function findLink(tx: Transaction, oneTimeId: string, purposes: readonly LinkPurpose[]) {
  return row<Link>(tx)`${selectLink(oneTimeId, purposes)} for update`
}

/** Returns the link of an id without locking it, to check it before anything costly is done. */
export async function peekLink(connection: Connection, oneTimeId: string, purposes: readonly LinkPurpose[]) {
  return row<Link>(connection, selectLink(oneTimeId, purposes))
}

function selectLink(oneTimeId: string, purposes: readonly LinkPurpose[]): Sql {
  return sql`select id, client_id as "clientId", staff_id as "staffId", registration_id as "registrationId",
      expires_at as "expiresAt", used_at as "usedAt", replaced_at as "replacedAt"
    from one_time_links where hash = ${hashOf(oneTimeId)} and purpose = any (${[...purposes]}::text[])`
}

/** Returns the condition that a client's link of a purpose is valid, as `checkLink` decides. */
export function hasValidLink(clientId: ClientId, purpose: LinkPurpose, now: Date): Sql {
  return sql`exists (select from one_time_links where client_id = ${clientId} and purpose = ${purpose}
    and used_at is null and replaced_at is null and expires_at > ${now})`
}

/** Returns why a link is not valid, or null. */
export function checkLink(link: Link | null, now: Date) {
  if (!link) return 'link-unknown'
  if (link.usedAt || link.replacedAt) return 'link-used'
  return link.expiresAt.getTime() <= now.getTime() ? 'link-expired' : null
}

/** Marks a link as used. */
export async function consumeLink(tx: Transaction, linkRow: string, now: Date): Promise<void> {
  await run(tx)`update one_time_links set used_at = ${now} where id = ${linkRow}`
}

function ownerIds(owner: LinkOwner): { clientId?: ClientId; staffId?: StaffId; registrationId?: string } {
  return owner
}

function isOwnedBySql(owner: LinkOwner): Sql {
  if ('clientId' in owner) return sql`client_id = ${owner.clientId}`
  return 'staffId' in owner ? sql`staff_id = ${owner.staffId}` : sql`registration_id = ${owner.registrationId}`
}
