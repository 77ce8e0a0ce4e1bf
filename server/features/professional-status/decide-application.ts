/** Compliance decides on a professional application: product-decisions section 10. */
import { portalPaths } from '#contract/portal-paths.ts'
import { professionalLife } from '#rules/professional-status.ts'
import { advance } from '../../db/transition.ts'
import { rows, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { MailKind } from '../../mail/template-registry.ts'
import { moveAccount, type MovedAccount } from '../../jobs/move-account.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { applicationById, holdApplicant, type Application } from './queries.ts'

export interface ApplicationDecision {
  readonly verb: 'approve' | 'reject' | 'askMore' | 'reverse'
  readonly id: string
  readonly version: number
  readonly reason: string
  /** What the client reads, where the reason is for staff alone. */
  readonly told?: string
  /** The accounts that become professional with the client. */
  readonly accounts?: readonly string[]
}

type DecideCall = Pick<Call, 'caller' | 'act' | 'now'>

const letters: Readonly<Record<ApplicationDecision['verb'], MailKind>> = {
  approve: 'professional-approved',
  reject: 'professional-rejected',
  askMore: 'professional-more-asked',
  reverse: 'professional-reversed',
}

/** Decides, changes client and accounts with it, and tells the client. The reason of an approval is for staff alone. */
export async function decideApplication(parts: Parts, call: DecideCall, decision: ApplicationDecision) {
  const { verb, id, version, reason, told = reason } = decision
  return namingDecider(parts, professionalLife.name, id, () =>
    transaction(parts.pool, async (tx) => {
      const application = await applicationById(tx, id)
      if (!application) throw new Problem('not-found')
      const client = await holdApplicant(tx, application.clientId)
      refuseOwnRequest(staffOf(call), client.email)
      const accounts = verb === 'approve' ? await chosenAccounts(tx, application, decision.accounts ?? []) : []
      const after = await advance(tx, professionalLife, call.act, {
        id,
        verb,
        version,
        clientId: client.id,
        reason,
        set: {
          reason: verb === 'approve' ? null : told,
          decided_at: call.now,
          decided_by: staffOf(call).staffId,
          ...(verb === 'approve' ? { accounts: accounts.map((account) => account.id) } : {}),
        },
        ...(verb === 'approve' ? { details: { accounts: accounts.map(({ login }) => login) } } : {}),
        ...(decision.told === undefined ? {} : { details: { clientReason: told } }),
        work: null,
      })
      if (verb === 'approve') await change(tx, client.id, accounts, 'professional', call.now)
      if (verb === 'reverse') await change(tx, client.id, await professionalAccounts(tx, client.id), 'retail', call.now)
      await tellClient(
        tx,
        {
          kind: letters[verb],
          client,
          facts: verb === 'approve' ? {} : { reason: told },
          link: verb === 'askMore' ? portalPaths.professionalClientStatus : portalPaths.tradingAccounts,
          subject: professionalLife.name,
          record: id,
        },
        call.now,
      )
      return decidedAnswer(tx, call, professionalLife.name, id, after)
    }),
  )
}

const accountColumns = sql`id, client_id as "clientId", platform, login, acc_type as "accType", currency, leverage`

async function chosenAccounts(
  tx: Transaction,
  application: Application,
  ids: readonly string[],
): Promise<MovedAccount[]> {
  const wanted = [...new Set(ids)]
  const found = await rows<MovedAccount>(
    tx,
    sql`select ${accountColumns} from trading_accounts where id::text = any (${wanted}::text[]) and client_id = ${application.clientId}
          and request_type = 'live' and state = 'approved' order by id for update`,
  )
  if (found.length !== wanted.length) throw new Problem('accounts-not-client', { field: 'accounts' })
  return found
}

async function professionalAccounts(tx: Transaction, clientId: string): Promise<MovedAccount[]> {
  return rows<MovedAccount>(
    tx,
    sql`select ${accountColumns} from trading_accounts where client_id = ${clientId} and client_status = 'professional'
          and request_type = 'live' and state = 'approved' order by id for update`,
  )
}

/** New accounts follow the client, so requests that wait follow too. */
async function change(
  tx: Transaction,
  clientId: string,
  accounts: readonly MovedAccount[],
  to: 'professional' | 'retail',
  now: Date,
): Promise<void> {
  await run(tx, sql`update clients set client_status = ${to}, version = version + 1 where id = ${clientId}`)
  await run(
    tx,
    sql`update trading_accounts set client_status = ${to}, version = version + 1
        where id = any (${accounts.map(({ id }) => id)}::uuid[])
          or (client_id = ${clientId} and request_type = 'live' and state = 'pending')`,
  )
  for (const account of accounts) await moveAccount(tx, account, to, now)
}
