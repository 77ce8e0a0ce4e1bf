/**
 * Two people of finance decide a difference that holds an account: one proposes, another confirms. A deal is booked in the
 * ledger alone, or reversed at the platform; either makes it known (mechanics section 1).
 */
import type {
  confirmDifference as confirmEndpoint,
  explainDifference as explainEndpoint,
  proposeDifference as proposeEndpoint,
  rejectDifference as rejectEndpoint,
} from '#contract/office/accounting.ts'
import { differenceLife } from '#rules/corrections.ts'
import { afterConfirmation, takesTwoPeople, proposalsFor } from '#rules/differences.ts'
import { decimalOf, money, negate } from '#rules/money.ts'
import { notOwnRequest } from '#rules/withdrawals.ts'
import { advance } from '../../db/transition.ts'
import { row, run, sql, type Connection } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import type { Work } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { bookDeal } from '../../ledger/booked-deals.ts'
import { absentPlatform } from '../../office/decide.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { shownOfDeal } from '../../ledger/references.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { differenceById, type DifferenceRow } from './queries.ts'

type Deciding = Call<typeof explainEndpoint | typeof proposeEndpoint | typeof confirmEndpoint | typeof rejectEndpoint>

const { name } = differenceLife

/** By one person, where no account is held by it. */
export function explainDifference(parts: Parts): Verb<typeof explainEndpoint> {
  return async (call) => {
    const found = await forDecision(parts, call)
    if (takesTwoPeople(found.kind)) throw new Problem('two-people-decide')
    const { reason, version } = call.body
    const set = { reason, decided_by: staffOf(call).staffId, decided_at: call.now }
    return moved(parts, call, found, { verb: 'explain', version, reason, set, work: null })
  }
}

export function proposeDifference(parts: Parts): Verb<typeof proposeEndpoint> {
  return async (call) => {
    const found = await forDecision(parts, call)
    const { proposal, reason, version } = call.body
    if (!proposalsFor(found.kind).includes(proposal)) throw new Problem('unknown-value', { field: 'proposal' })
    const set = { proposal, proposal_reason: reason, proposed_by: staffOf(call).staffId, proposed_at: call.now }
    const work = await workOf(parts, found, 'proposed', call.now)
    return moved(parts, call, found, { verb: 'propose', version, reason, set, work, details: { after: { proposal } } })
  }
}

/** Also by whoever proposed it, who takes it back so. */
export function rejectDifference(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const found = await forDecision(parts, call)
    const { reason, version } = call.body
    const set = { proposal: null, proposal_reason: null, proposed_by: null, proposed_at: null }
    const work = await workOf(parts, found, 'open', call.now)
    return moved(parts, call, found, { verb: 'reject', version, reason, set, work })
  }
}

export function confirmDifference(parts: Parts): Verb<typeof confirmEndpoint> {
  return async (call) => {
    const found = await forDecision(parts, call)
    const refusal = proposedBySelf(found, call) ?? absentFor(parts, found)
    if (refusal) throw refusal
    const { referencePrefix: prefix } = await parts.settings.get('firm')
    const { note, version } = call.body
    return namingDecider(parts, name, found.id, () =>
      transaction(parts.pool, async (tx) => {
        await run(tx, sql`select 1 from trading_accounts where id = ${found.accountId} for update`)
        // What is confirmed is what the page showed: another proposal is another version.
        const proposal = found.proposal ?? 'explain'
        const after = await advance(tx, differenceLife, call.act, {
          id: found.id,
          verb: 'confirm',
          to: afterConfirmation(proposal),
          version,
          ...(note ? { reason: note } : {}),
          ...client(found),
          set: { reason: found.proposalReason, decided_by: staffOf(call).staffId, decided_at: call.now },
          details: { after: { proposal } },
          work: null,
        })
        if (proposal === 'reverse') await reverse(tx, parts, found, prefix, call.now)
        else if (proposal !== 'explain')
          await bookDeal(tx, dealOf(found), proposal === 'book-result' ? 'trading_result' : 'corrections', call.now)
        return decidedAnswer(tx, call, name, found.id, after)
      }),
    )
  }
}

/** Why these verbs are refused to the reader beyond what the table knows. */
export function refusalsOf(parts: Parts, call: Call, found: DifferenceRow, clientEmail: string | null) {
  const own = clientEmail === null ? null : notOwnRequest(staffOf(call).email, clientEmail)
  const self = own && new Problem(own)
  const holds = takesTwoPeople(found.kind)
  return {
    explain: holds ? new Problem('two-people-decide') : self,
    propose: holds ? self : new Problem('wrong-state', { values: { state: found.state } }),
    confirm: proposedBySelf(found, call) ?? self ?? absentFor(parts, found),
    reject: self,
  }
}

/** A reversal needs the platform. */
function absentFor(parts: Parts, { proposal, platform }: DifferenceRow): Problem | null {
  return proposal === 'reverse' && platform !== null ? absentPlatform(parts, platform) : null
}

function proposedBySelf(found: DifferenceRow, call: Pick<Call, 'caller'>): Problem | null {
  return found.proposedById === staffOf(call).staffId ? new Problem('own-act') : null
}

async function forDecision(parts: Parts, call: Deciding): Promise<DifferenceRow> {
  const found = await differenceById(parts.pool, call.params.id)
  if (!found) throw new Problem('not-found')
  const email = await emailOf(parts.pool, found.clientId)
  if (email !== null) refuse(notOwnRequest(staffOf(call).email, email))
  return found
}

export async function emailOf(connection: Connection, clientId: string | null): Promise<string | null> {
  const found = await row<{ email: string }>(
    connection,
    sql`select email::text as email from clients where id = ${clientId}::uuid`,
  )
  return found?.email ?? null
}

const client = ({ clientId }: DifferenceRow) => (clientId === null ? {} : { clientId })

interface Moving {
  readonly verb: 'explain' | 'propose' | 'reject'
  readonly version: number
  readonly reason: string
  readonly set: Readonly<Record<string, unknown>>
  readonly work: Work | null
  readonly details?: Readonly<Record<string, unknown>>
}

function moved(parts: Parts, call: Deciding, found: DifferenceRow, move: Moving) {
  return namingDecider(parts, name, found.id, () =>
    transaction(parts.pool, async (tx) => {
      const after = await advance(tx, differenceLife, call.act, { id: found.id, ...client(found), ...move })
      return decidedAnswer(tx, call, name, found.id, after)
    }),
  )
}

/** The inbox item of a difference that stands. */
export async function workOf(
  parts: Pick<Parts, 'settings'>,
  found: DifferenceRow,
  state: 'open' | 'proposed',
  now: Date,
): Promise<Work> {
  return { state, dueAt: await workDueAt(parts, 'difference', now), ...client(found), summary: summaryOf(found) }
}

export function summaryOf({ kind, login, ours, theirs, currency }: DifferenceRow): Work['summary'] {
  const figure = (minor: bigint | null) => (minor === null ? null : decimalOf(minor))
  return { kind, account: login, ours: figure(ours), theirs: figure(theirs), currency }
}

/** The deal that a difference is about. */
export function dealOf({ id, accountId, theirs, currency, fingerprint }: DifferenceRow) {
  if (accountId === null || theirs === null || currency === null) throw new Error(`difference ${id} names no deal`)
  return { subject: 'difference' as const, record: id, ref: fingerprint, accountId, amount: money(theirs, currency) }
}

/** The opposite of the deal, at the platform, under a reference of its own; after a refusal as the next generation. */
async function reverse(tx: Transaction, parts: Parts, found: DifferenceRow, prefix: string, now: Date): Promise<void> {
  const { id, platform, login, clientId, facts } = found
  const { accountId, amount } = dealOf(found)
  if (platform === null || login === null || clientId === null) throw new Error(`difference ${id} names no login`)
  const shown = shownOfDeal(parts.keys.reference.bytes, prefix, platform, String(facts['ticket']))
  await run(tx, sql`update differences set reference = ${shown} where id = ${id}`)
  const sent = await row<{ times: number }>(
    tx,
    sql`select count(*)::int as times from operations where shown = ${shown}`,
  )
  await enqueueBalance(
    tx,
    parts.keys,
    {
      shown,
      generation: sent?.times ?? 0,
      platform,
      login,
      accountId,
      amount: negate(amount),
      checkMargin: amount.minor > 0n,
      leg: 'deal-reversal',
      subject: name,
      record: id,
      clientId,
    },
    now,
  )
}
