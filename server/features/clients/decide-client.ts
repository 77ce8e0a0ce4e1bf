/** Compliance decides on the relationship: approve, reject, suspend, reactivate, close (product-decisions section 6). */
import { toldReason, type ClientActKind } from '#contract/office/rejection-reasons.ts'
import type { approveClient as approveEndpoint } from '#contract/office/client-decisions.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { checkApproval, clientLife } from '#rules/clients.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { advance } from '../../db/transition.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { closeWork } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import type { MailKind } from '../../mail/template-registry.ts'
import { requestToDecide } from '../../office/decide.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { clientApprovalChecked } from './approval-checks.ts'
import { subjectForDecision, whyNotClosed, type DecisionSubject } from './queries.ts'
import { requestWantedAccount } from './request-wanted-account.ts'

export type ClientVerb = 'approve' | 'reject' | 'suspend' | 'reactivate' | 'close'

export interface ClientDecision {
  readonly verb: ClientVerb
  readonly clientId: string
  readonly version: number
  /** Why, for staff alone; for an approval a note. */
  readonly reason: string
  /** What the client reads: absent for the neutral text, null for none, which a suspension alone allows. */
  readonly clientReason?: string | null | undefined
}

/** Which neutral text the client reads; the other decisions tell no reason. */
const neutralKinds: Partial<Readonly<Record<ClientVerb, ClientActKind>>> = {
  reject: 'client',
  suspend: 'suspension',
  close: 'closure',
}

const letters: Readonly<Record<ClientVerb, MailKind>> = {
  approve: 'client-approved',
  reject: 'client-rejected',
  suspend: 'client-suspended',
  reactivate: 'client-reactivated',
  close: 'client-closed',
}

type Judging = (tx: Transaction) => Promise<Readonly<Record<string, unknown>>>

/** Decides, tells the client, and does what follows in the same transaction. */
export async function decideClient(
  parts: Parts,
  call: Pick<Call, 'caller' | 'act' | 'now'>,
  decision: ClientDecision,
  judge?: Judging,
) {
  const accountDueAt = await workDueAt(parts, 'account', call.now)
  return namingDecider(parts, clientLife.name, decision.clientId, () =>
    transaction(parts.pool, async (tx) => {
      const client = await subjectForDecision(tx, decision.clientId)
      if (!client) throw new Problem('not-found')
      refuseOwnRequest(staffOf(call), client.email)
      await check(tx, client, decision.verb)
      const told = toldBy(decision)
      const checks = judge && client.state === 'pending' ? await judge(tx) : null
      const after = await advance(tx, clientLife, call.act, {
        id: client.id,
        verb: decision.verb,
        version: decision.version,
        clientId: client.id,
        ...(decision.reason === '' ? {} : { reason: decision.reason }),
        // The reason is kept by the event; the record holds what the client reads (ADR 160).
        ...(checks ? { details: checks } : decision.verb in neutralKinds ? { details: { clientReason: told } } : {}),
        set: { reason: told, ...(decision.verb === 'approve' ? { approved_at: call.now } : {}) },
        work: null,
      })
      const wanted = decision.verb === 'approve' && (await requestWantedAccount(tx, client, call, accountDueAt))
      if (decision.verb !== 'approve' && decision.verb !== 'reactivate')
        await leave(tx, client, decision.verb, call.now)
      if (decision.verb !== 'suspend' || told !== null)
        await tellClient(
          tx,
          {
            kind: letters[decision.verb],
            client,
            facts: { ...(told === null ? {} : { reason: told }), ...(decision.verb === 'approve' ? { wanted } : {}) },
            link: decision.verb === 'approve' ? portalPaths.tradingAccounts : portalPaths.home,
            subject: clientLife.name,
            record: client.id,
          },
          call.now,
        )
      return decidedAnswer(tx, call, clientLife.name, client.id, after)
    }),
  )
}

/** What the client reads of a decision, as it is kept; null for nothing. */
function toldBy({ verb, clientReason }: ClientDecision): string | null {
  const kind = neutralKinds[verb]
  return kind === undefined || clientReason === null ? null : toldReason(kind, clientReason)
}

/** Only what the state allows is checked further: the state's own refusal comes first, from `advance`. */
async function check(tx: Transaction, client: DecisionSubject, verb: ClientVerb): Promise<void> {
  if (!(clientLife.steps[verb].from as readonly string[]).includes(client.state)) return
  if (verb === 'approve') {
    refuse(
      checkApproval({
        identityApproved: client.identity_approved_at !== null,
        addressApproved: client.address_approved_at !== null,
      }),
    )
  }
  if (verb === 'close') refuse(await whyNotClosed(tx, client.id))
}

/** Approves a client, whose checks are judged in the same transaction. */
export async function approveClient(parts: Parts, call: Call<typeof approveEndpoint>) {
  const { id } = call.params
  const { version, note } = call.body
  const client = requestToDecide(call, await clientApprovalChecked.find(parts.pool, id), ({ email }) => email)
  const terms = await prepareChecks(parts, clientApprovalChecked, client, call.now)
  const judge = judging(call, clientApprovalChecked, client, terms)
  return decideClient(parts, call, { verb: 'approve', clientId: id, version, reason: note }, judge)
}

/** Sessions of the suspended and closed end at once; what waited of a refused client leaves the inbox. */
async function leave(tx: Transaction, client: DecisionSubject, verb: ClientVerb, now: Date): Promise<void> {
  if (verb === 'reject') await closeWork(tx, 'document', client.id, now)
  else await endSessionsOf(tx, { clientId: client.id }, now)
}
