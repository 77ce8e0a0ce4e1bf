/**
 * Keyed digests of the details that link clients (requirements 24.9, ADR 243). The chained audit log shows whose data
 * may have changed, and only those clients' digests are rewritten, by one server at a time.
 */
import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { browserOf } from '#rules/devices.ts'
import { identityKinds } from '#rules/documents.ts'
import type { ClientId } from '#rules/ids.ts'
import type { LinkKind } from '#rules/linked-clients.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import { row, rows, run, sql, transaction, type Transaction } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { numberOfDetails } from '../../checks/bank-numbers.ts'
import { isPrivateAddress, networkOf } from '../../http/network.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'

const everyMs = 10_000
const eventsAtOnce = 1000
const roundsMax = 50

export function linkTasks(dependencies: Dependencies): ScheduledTask[] {
  return [{ name: 'link-clients', everyMs, run: () => linkClients(dependencies) }]
}

/** Follows the audit log to its end, or up to the limit of one run. */
export async function linkClients(dependencies: Pick<Dependencies, 'jobs' | 'keys'>): Promise<void> {
  const key = dependencies.keys.reference.bytes
  await rewriteBritishAccounts(dependencies.jobs, key)
  for (let round = 0; round < roundsMax; round += 1) {
    const followed = await transaction(dependencies.jobs, (tx) => processNextEvents(tx, key))
    if (followed < eventsAtOnce) return
  }
}

async function processNextEvents(tx: Transaction, key: Buffer): Promise<number> {
  const cursor = await row<{ followed: bigint }>(tx)`
    select followed from link_digests_cursor where followed is not null for update skip locked`
  if (!cursor) return 0
  const events = await rows<{ number: bigint; clientId: ClientId | null }>(tx)`
    select s.number, e.client_id as "clientId" from event_seals s join events e on e.id = s.event_id
      where s.number > ${cursor.followed} order by s.number limit ${eventsAtOnce}`
  const last = events.at(-1)
  if (!last) return 0
  await writeDigests(tx, key, [...new Set(events.flatMap(({ clientId }) => clientId ?? []))])
  // Servers of the version before 0429 advance `number` alone, and what they wrote after `followed` is written again. No
  // other server reads `number`: the next version drops it, and `rewriteBritishAccounts` with it.
  await run(tx)`update link_digests_cursor set number = greatest(number, ${last.number}), followed = ${last.number}`
  return events.length
}

/**
 * Writes the digests of clients with a British IBAN again, once and in parts: they were those of the whole IBAN. The log
 * is followed from the position before it began.
 */
async function rewriteBritishAccounts(pool: Pool, key: Buffer): Promise<void> {
  const begun = await row<{ number: bigint }>(pool)`select number from link_digests_cursor where followed is null`
  if (!begun) return
  const owners = await rows<{ id: ClientId }>(pool)`
    select distinct client_id as id from bank_details where iban like 'GB%'`
  for (const part of splitIntoParts(owners, eventsAtOnce))
    await transaction(pool, async (tx) => {
      await run(tx)`select from link_digests_cursor for update`
      await writeDigests(
        tx,
        key,
        part.map(({ id }) => id),
      )
    })
  await run(pool)`update link_digests_cursor set followed = ${begun.number} where followed is null`
}

interface Value {
  readonly clientId: ClientId
  readonly kind: LinkKind
  /** The detail as given; `normalizedDetail` decides what counts as equal. */
  readonly parts: readonly string[]
  readonly sessionId: string | null
  readonly at: Date | null
}

async function writeDigests(tx: Transaction, key: Buffer, ids: readonly ClientId[]): Promise<void> {
  await run(tx)`delete from link_digests where client_id = any (${[...ids]}::uuid[])`
  const values = await rows<Value>(tx)`
    with c as (select id, mobile_phone, country, postcode, city, address, address_no from clients where id = any (${[...ids]}::uuid[]) and erased_at is null)
    select id as "clientId", 'phone' as kind, array[mobile_phone] as parts, null::uuid as "sessionId", null::timestamptz as at
      from c where mobile_phone is not null
    union all select id, 'address', array[country, postcode, city, address, address_no], null, null
      from c where postcode is not null and city is not null and address_no is not null
    union all select distinct c.id, 'bank', array[${numberOfDetails(sql`b`)}], null::uuid, null::timestamptz
      from c join bank_details b on b.client_id = c.id
    union all select distinct c.id, 'document', array[d.country, d.document_number], null::uuid, null::timestamptz
      from c join documents d on d.client_id = c.id where d.kind = any (${[...identityKinds]}::text[])
    union all select c.id, 'device', array[s.address, s.device], s.id, s.created_at
      from c join sessions s on s.client_id = c.id where s.audience = 'portal' and s.address <> ''`
  const digests = values.flatMap((value) => {
    const text = normalizedDetail(value)
    return text === null ? [] : [{ ...value, digest: digestOf(key, value.kind, text) }]
  })
  await run(tx)`
    insert into link_digests (client_id, kind, digest, session_id, at)
      select client_id, kind, digest, session_id, at from unnest(${digests.map(({ clientId }) => clientId)}::uuid[], ${digests.map(({ kind }) => kind)}::text[],
        ${digests.map(({ digest }) => digest)}::bytea[], ${digests.map(({ sessionId }) => sessionId)}::uuid[],
        ${digests.map(({ at }) => at)}::timestamptz[]) as d (client_id, kind, digest, session_id, at)`
}

/** Returns a detail in a normal form that is equal for equal details, or null if it cannot be compared. */
function normalizedDetail({ kind, parts }: Value): string | null {
  if (kind === 'device') {
    const [address = '', agent = ''] = parts
    // A loopback or private address does not identify a device.
    if (isPrivateAddress(address)) return null
    const browser = browserOf(agent)
    return browser && `${networkOf(address)}\n${browser}`
  }
  const plain = parts.map((part) =>
    part
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  )
  return plain.at(-1) === '' ? null : plain.join('\n')
}

function digestOf(key: Buffer, kind: LinkKind, text: string): Buffer {
  return createHmac('sha256', key).update(`linked-clients\n${kind}\n${text}`).digest()
}
