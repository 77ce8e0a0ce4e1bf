/** The ledger after a journey: the invariants, the amount owed to a client, and the sent mails. */
import { openDatabase } from '#server/db/database.ts'
import { sql, row, rows } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { databaseOwnerUrl } from '../product.ts'

/** The mails that a client gets from the first link to the payout. */
export const journeyMailKinds = [
  'account-opened',
  'bank-details-added',
  'bank-details-approved',
  'client-approved',
  'confirm-email',
  'deposit-credited',
  'document-approved',
  'registration-received',
  'withdrawal-approved',
  'withdrawal-paid',
  'withdrawal-requested',
]

export async function ledgerAndMailsOf(email: string): Promise<{ broken: string[]; owed: string; mails: string[] }> {
  const database = openDatabase(databaseOwnerUrl(), () => undefined, { requests: 1, jobs: 1 })
  const pool = database.requests
  try {
    const broken = await brokenInvariants(pool, new Date())
    const owed = await row<{ owed: bigint }>(
      pool,
      sql`select coalesce(-sum(l.balance_minor), 0)::bigint as owed from ledger_accounts l
          join trading_accounts a on a.id = l.trading_account join clients c on c.id = a.client_id
          where l.kind = 'client' and c.email = ${email}`,
    )
    const mails = await rows<{ kind: string }>(
      pool,
      sql`select distinct payload ->> 'kind' as kind from operations
          where kind = 'mail' and state = 'done' and payload ->> 'to' = ${email} order by 1`,
    )
    const own = await rows<{ id: string }>(
      pool,
      sql`select a.id::text as id from trading_accounts a join clients c on c.id = a.client_id where c.email = ${email}
          union all select o.id::text from operations o join clients c on c.id = o.client_id where c.email = ${email}`,
    )
    // Other journeys write balances that the platform does not have.
    const isOwn = (record: string) => own.some(({ id }) => id === record)
    const mine = broken.filter(({ invariant, record }) => invariant !== 'I12' && (invariant !== 'I4' || isOwn(record)))
    return {
      broken: mine.map(({ invariant, what }) => `${invariant}: ${what}`),
      owed: String(owed?.owed ?? 0n),
      mails: mails.map(({ kind }) => kind),
    }
  } finally {
    await database.close()
  }
}
