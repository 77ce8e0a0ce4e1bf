/** Compliance decides on a professional application (requirements 13.5, 13.7). */
import { portalPaths } from '#contract/portal-paths.ts'
import { groupFor } from '#rules/platform-groups.ts'
import { professionalMachine } from '#rules/professional-status.ts'
import type { ClientId, ProfessionalId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { rows, run, sql, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import type { MailKind } from '../../mail/template-registry.ts'
import { moveAccount, movedFacts, type GroupRows, type MovedAccount } from '../../jobs/move-account.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { applicationById, lockApplicant, type Application } from './queries.ts'

type ApplicationAction = 'approve' | 'reject' | 'askMore' | 'reverse'

interface ApplicationDecision {
  readonly version: number
  readonly reason: string
  /** The text for the client if the reason is internal. */
  readonly clientReason?: string
  /** The accounts that become professional with the client. */
  readonly accounts?: readonly string[]
}

type DecisionContext = Pick<RequestContext, 'caller' | 'auditContext' | 'now'> & {
  readonly params: { readonly id: ProfessionalId }
}

const mailKinds: Readonly<Record<ApplicationAction, MailKind>> = {
  approve: 'professional-approved',
  reject: 'professional-rejected',
  askMore: 'professional-more-asked',
  reverse: 'professional-reversed',
}

/** Decides, changes client and accounts accordingly, and notifies the client. The reason of an approval is internal. */
export async function decideApplication(
  dependencies: Dependencies,
  context: DecisionContext,
  action: ApplicationAction,
  decision: ApplicationDecision,
) {
  const { id } = context.params
  const { version, reason, clientReason = reason } = decision
  const { rows: groups } = await dependencies.settings.get('platformGroups')
  return takeDecision(dependencies, context, professionalMachine.name, id, async (tx) => {
    const application = requireFound(await applicationById(tx, id))
    const client = await lockApplicant(tx, application.clientId)
    assertNotOwnRequest(requireStaff(context), client.email)
    if (action === 'approve' && client.state === 'closed') throw new Problem('applicant-closed')
    const accounts = action === 'approve' ? await lockChosenAccounts(tx, application, decision.accounts ?? []) : []
    const of = { id, clientId: client.id }
    const after = await applyTransition(tx, professionalMachine, context.auditContext, of, action, {
      version,
      reason,
      set: {
        reason: action === 'approve' ? null : clientReason,
        decided_at: context.now,
        decided_by: requireStaff(context).staffId,
        ...(action === 'approve' ? { accounts: accounts.map((account) => account.id) } : {}),
      },
      ...(action === 'approve' ? { details: { accounts: accounts.map(({ login }) => login) } } : {}),
      ...(decision.clientReason === undefined ? {} : { details: { clientReason } }),
      workItem: null,
    })
    if (action === 'approve') await changeClientStatus(tx, groups, client.id, accounts, 'professional', context.now)
    if (action === 'reverse')
      await changeClientStatus(tx, groups, client.id, await professionalAccounts(tx, client.id), 'retail', context.now)
    await notifyClient(tx, context.now, {
      kind: mailKinds[action],
      client,
      facts: action === 'approve' ? {} : { reason: clientReason },
      link: action === 'askMore' ? portalPaths.professionalClientStatus : portalPaths.tradingAccounts,
      subject: professionalMachine.name,
      record: id,
    })
    return after
  })
}

const accountColumns = sql`id, client_id as "clientId", platform, login, acc_type as "accType", currency, leverage,
  (select c.country from clients c where c.id = client_id) as country`

async function lockChosenAccounts(
  tx: Transaction,
  application: Application,
  ids: readonly string[],
): Promise<MovedAccount[]> {
  const wanted = [...new Set(ids)]
  const found = await rows<MovedAccount>(tx)`
    select ${accountColumns} from trading_accounts where id::text = any (${wanted}::text[]) and client_id = ${application.clientId}
      and request_type = 'live' and state = 'approved' order by id for update`
  if (found.length !== wanted.length) throw new Problem('accounts-not-client', { field: 'accounts' })
  return found
}

async function professionalAccounts(tx: Transaction, clientId: ClientId): Promise<MovedAccount[]> {
  return rows<MovedAccount>(tx)`
    select ${accountColumns} from trading_accounts where client_id = ${clientId} and client_status = 'professional'
      and request_type = 'live' and state = 'approved' order by id for update`
}

/**
 * Changes the client and the client's pending account requests, because new accounts have the client's status. Throws
 * `no-platform-group` if an account has no group.
 */
async function changeClientStatus(
  tx: Transaction,
  groups: GroupRows,
  clientId: ClientId,
  accounts: readonly MovedAccount[],
  to: 'professional' | 'retail',
  now: Date,
): Promise<void> {
  if (accounts.some((account) => groupFor(groups, movedFacts(account, to)) === null))
    throw new Problem('no-platform-group')
  await run(tx)`update clients set client_status = ${to}, version = version + 1 where id = ${clientId}`
  await run(tx)`update trading_accounts set client_status = ${to}, version = version + 1
      where id = any (${accounts.map(({ id }) => id)}::uuid[])
        or (client_id = ${clientId} and request_type = 'live' and state = 'pending')`
  for (const account of accounts) await moveAccount(tx, groups, account, to, now)
}
