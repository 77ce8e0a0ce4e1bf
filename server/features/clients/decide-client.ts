/** Compliance decides on the relationship: approve, reject, suspend, reactivate, close (requirements 6.17). */
import type { ClientActKind } from '#contract/office/rejection-reasons.ts'
import type { approveClient as approveEndpoint } from '#contract/office/client-decisions.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { checkApproval, clientMachine } from '#rules/clients.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import type { AuditContext } from '../../db/events.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { closeWorkItem } from '../../db/work-items.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { type Problem, requireFound, throwIfProblem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import type { MailKind } from '../../mail/template-registry.ts'
import { requestToDecide } from '../../office/decide.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { clientApprovalChecked } from './approval-checks.ts'
import { closingProblem, readForClosing } from './closing-checks.ts'
import { subjectForDecision, type DecisionSubject } from './queries.ts'
import { clientReasonOf } from '../../office/standard-reasons.ts'
import { accountMachine } from '#rules/accounts.ts'
import { accountTypes, platforms, retailLeverage } from '#rules/constants.ts'
import { currencies } from '#rules/money.ts'
import { type Transaction, requireRow } from '../../db/sql.ts'

type ClientAction = 'approve' | 'reject' | 'suspend' | 'reactivate' | 'close'

interface ClientDecision {
  readonly action: ClientAction
  readonly clientId: ClientId
  readonly version: number
  /** The internal reason; for an approval a note. */
  readonly reason: string
  /** The text for the client: absent for the neutral text, null for none, which only a suspension allows. */
  readonly clientReason?: string | null | undefined
}

/** The kind of neutral text for the client, for decisions that give the client a reason. */
const neutralKinds: Partial<Readonly<Record<ClientAction, ClientActKind>>> = {
  reject: 'client',
  suspend: 'suspension',
  close: 'closure',
}

const mailKinds: Readonly<Record<ClientAction, MailKind>> = {
  approve: 'client-approved',
  reject: 'client-rejected',
  suspend: 'client-suspended',
  reactivate: 'client-reactivated',
  close: 'client-closed',
}

type DecisionChecks = (tx: Transaction) => Promise<Readonly<Record<string, unknown>>>

/** Applies a decision, notifies the client and performs its consequences in the same transaction. */
export async function decideClient(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'auditContext' | 'now'>,
  decision: ClientDecision,
  judge?: DecisionChecks,
) {
  const accountDueAt = await workItemDueAt(dependencies, 'account', context.now)
  const unread = decision.action === 'close' ? await readForClosing(dependencies, decision.clientId, context.now) : null
  return takeDecision(dependencies, context, clientMachine.name, decision.clientId, async (tx) => {
    const client = requireFound(await subjectForDecision(tx, decision.clientId))
    assertNotOwnRequest(requireStaff(context), client.email)
    await checkDecision(tx, client, decision.action, { unread, now: context.now })
    const clientReason = storedClientReason(decision)
    const checks = judge && client.state === 'pending' ? await judge(tx) : null
    const of = { id: client.id, clientId: client.id }
    const after = await applyTransition(tx, clientMachine, context.auditContext, of, decision.action, {
      version: decision.version,
      reason: decision.reason,
      // The event stores the reason; the record stores the client's text (ADR 160).
      ...(checks ? { details: checks } : decision.action in neutralKinds ? { details: { clientReason } } : {}),
      set: { reason: clientReason, ...(decision.action === 'approve' ? { approved_at: context.now } : {}) },
      workItem: null,
    })
    const wanted = decision.action === 'approve' && (await requestWantedAccount(tx, client, context, accountDueAt))
    if (decision.action !== 'approve' && decision.action !== 'reactivate')
      await endClientAccess(tx, client, decision.action, context.auditContext)
    if (decision.action !== 'suspend' || clientReason !== null)
      await notifyClient(tx, context.now, {
        kind: mailKinds[decision.action],
        client,
        facts: {
          ...(clientReason === null ? {} : { reason: clientReason }),
          ...(decision.action === 'approve' ? { wanted } : {}),
        },
        link: decision.action === 'approve' ? portalPaths.tradingAccounts : portalPaths.home,
        subject: clientMachine.name,
        record: client.id,
      })
    return after
  })
}

/** Returns the text of a decision for the client as it is stored; null for none. */
function storedClientReason({ action, clientReason }: ClientDecision): string | null {
  const kind = neutralKinds[action]
  return kind === undefined || clientReason === null ? null : clientReasonOf(kind, clientReason)
}

/**
 * Checks a decision if the state allows it; `applyTransition` reports a wrong state. `unread`: why the balances for a
 * closure are not current, or null.
 */
async function checkDecision(
  tx: Transaction,
  client: DecisionSubject,
  action: ClientAction,
  { unread, now }: { readonly unread: Problem | null; readonly now: Date },
): Promise<void> {
  if (!(clientMachine.transitions[action].from as readonly string[]).includes(client.state)) return
  if (action === 'approve') {
    throwIfProblem(
      checkApproval({
        identityApproved: client.identity_approved_at !== null,
        addressApproved: client.address_approved_at !== null,
      }),
    )
  }
  const unclosable = action === 'close' ? ((await closingProblem(tx, client.id, now)) ?? unread) : null
  if (unclosable) throw unclosable
}

/** Approves a client; the checks are run in the same transaction. */
export const approveClient: Handler<typeof approveEndpoint> = async (dependencies, context) => {
  const { id } = context.params
  const { version, note } = context.body
  const client = requestToDecide(context, await clientApprovalChecked.find(dependencies.pool, id), ({ email }) => email)
  const terms = await prepareChecks(dependencies, clientApprovalChecked, client, context.now)
  const judge = decisionChecker(context, clientApprovalChecked, client, terms)
  return decideClient(dependencies, context, { action: 'approve', clientId: id, version, reason: note }, judge)
}

/** Ends the sessions of a suspended or closed client, and removes a rejected client's items from the inbox. */
async function endClientAccess(
  tx: Transaction,
  client: DecisionSubject,
  action: ClientAction,
  auditContext: AuditContext,
): Promise<void> {
  if (action === 'reject') await closeWorkItem(tx, 'document', client.id, auditContext)
  else await endSessionsOf(tx, { clientId: client.id }, auditContext.now)
}

/** Requests the account that the registration specified in full (requirements 3.8). Returns whether it did. */
async function requestWantedAccount(
  tx: Transaction,
  client: Pick<DecisionSubject, 'id' | 'wanted_account' | 'client_status'>,
  context: Pick<RequestContext, 'auditContext' | 'now'>,
  dueAt: Date,
): Promise<boolean> {
  const wanted = client.wanted_account
  const platform = platforms.find((one) => one === wanted?.['platform'])
  const type = accountTypes.find((one) => one === wanted?.['accType'])
  const currency = currencies.find((one) => one === wanted?.['baseCurrency'])
  if (!platform || !type || !currency) return false
  const written = await requireRow<{ id: AccountId }>(tx)`
    insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, client_status, state,
        requested_at)
      values (${client.id}, 'live', ${platform}, ${type}, ${currency}, ${retailLeverage}, ${client.client_status},
        ${accountMachine.first}, ${context.now})
      returning id`
  const summary = { requestType: 'live', platform, type, currency, leverage: retailLeverage, fromRegistration: true }
  await recordCreation(tx, accountMachine, context.auditContext, { id: written.id, clientId: client.id }, 'request', {
    details: summary,
    workItem: { dueAt, summary },
  })
  return true
}
