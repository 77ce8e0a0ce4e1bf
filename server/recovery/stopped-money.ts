/**
 * The only guard of money while platform, provider or bank know more than this database (requirements 20.10): every
 * movement of money reads the row of recovery in the same transaction. At its start the server searches for signs;
 * until it has, nothing is sent.
 */
import type { ActorIdentity } from '#rules/actors.ts'
import { decidedInRecovery, payoutNotPaid } from '#rules/differences.ts'
import {
  channelsOf,
  isPermittedForSome,
  isTransitionStopped,
  transitionsOfClearedRequests,
  stoppedTransitions,
  type MoneyChannel,
  type StoppedChannels,
} from '#rules/recovery.ts'
import { row, run, type Connection } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import type { ProviderCheckout } from '../integrations/card-provider/payment-provider.ts'

/** The sign that integrations know more: the cases (a) to (f) of requirements 20.3 to 20.8. */
export const recoverySigns = [
  'restored',
  'other-database',
  'unknown-reference',
  'waiting-reference',
  'lost-event',
  'batch',
] as const
export type RecoverySign = (typeof recoverySigns)[number]

export interface Recovery {
  readonly id: string
  /** From when on integrations may know more than this database. */
  readonly since: Date
  readonly sign: RecoverySign
  readonly openedAt: Date
  /** When the newest sign that widened recovery was found; until one is, when recovery opened. */
  readonly widenedAt: Date
  /** When trading accounts and the card provider were reopened; null while they are stopped. */
  readonly accountsOpenAt: Date | null
  /** When the bank was reopened; null while nothing is paid out. */
  readonly payoutsOpenAt: Date | null
}

/** Returns the open recovery, or null. */
export function recoveryOf(connection: Connection): Promise<Recovery | null> {
  return row<Recovery>(connection)`
    select id, since, sign, opened_at as "openedAt", coalesce(widened_at, opened_at) as "widenedAt",
      accounts_open_at as "accountsOpenAt", payouts_open_at as "payoutsOpenAt" from recovery where closed_at is null`
}

/** Returns which channels are stopped, or null without a recovery. */
export function stoppedChannels(recovery: Recovery | null): StoppedChannels | null {
  return recovery && { accounts: recovery.accountsOpenAt === null, payouts: recovery.payoutsOpenAt === null }
}

/** Returns whether a channel is stopped. For scheduled tasks and other work that only waits. */
export async function isStopped(connection: Connection, channel: MoneyChannel): Promise<boolean> {
  return stoppedChannels(await recoveryOf(connection))?.[channel] ?? false
}

/** The Retry-After of the problem: an earlier retry would be useless. */
const retryLaterSeconds = 600

/** Returns the problem, in the text for the person who acts. */
function stoppedProblem(identity: ActorIdentity): Problem {
  const code = identity.kind === 'client' ? 'money-stopped' : 'money-stopped-office'
  return new Problem(code, { retryAfterSeconds: retryLaterSeconds })
}

/** Throws a problem (503) while one of the channels is stopped. */
export async function assertMoneyNotStopped(
  connection: Connection,
  channels: readonly MoneyChannel[],
  identity: ActorIdentity,
): Promise<void> {
  if (channels.length === 0) return
  const now = stoppedChannels(await recoveryOf(connection))
  if (now && channels.some((channel) => now[channel])) throw stoppedProblem(identity)
}

/**
 * Throws for a transition while its channel is stopped, except for an integration's response, for the end of a request
 * of which recovery knows that nothing was done, and for the decisions that recovery waits for.
 */
export async function assertTransitionNotStopped(
  tx: Connection,
  step: { readonly machine: string; readonly action: string; readonly record: string },
  identity: ActorIdentity,
): Promise<void> {
  const channels = channelsOf(step.machine, step.action)
  if (channels.length === 0 || identity.kind === 'external' || identity.kind === 'recovery') return
  const recovery = await recoveryOf(tx)
  const now = stoppedChannels(recovery)
  if (!recovery || !now) return
  const stops = channels.some((channel) => now[channel]) || (await awaitsBankStatements(tx, step, recovery))
  if (stops && !(await isExempt(tx, step, recovery))) throw stoppedProblem(identity)
}

/** Returns the actions of a state machine that are stopped now; for one record, without those that recovery permits. */
export async function stoppedActions(
  connection: Connection,
  machine: string,
  record?: string,
): Promise<ReadonlySet<string>> {
  const recovery = await recoveryOf(connection)
  const now = stoppedChannels(recovery)
  if (!recovery || !now) return new Set()
  const verbs = Object.keys(stoppedTransitions[machine] ?? {}).filter((action) =>
    isTransitionStopped(machine, action, now),
  )
  const isExemptRecord =
    record !== undefined && (await isExempt(connection, { machine, action: 'cancel', record }, recovery))
  return new Set(isExemptRecord ? verbs.filter((action) => !isPermittedForSome(machine, action)) : verbs)
}

/**
 * Returns whether a bank transaction that was unmatched in the copy may have been matched or returned since, which
 * only bank statements show.
 */
async function awaitsBankStatements(
  tx: Connection,
  { machine, action, record }: { readonly machine: string; readonly action: string; readonly record: string },
  { since, payoutsOpenAt }: Recovery,
): Promise<boolean> {
  if (payoutsOpenAt !== null || machine !== 'bank_line' || action !== 'match') return false
  const old = await row(tx)`select from bank_lines where id = ${record} and created_at <= ${since}`
  return old !== null
}

/** Returns whether recovery permits a transition of this record while the others of its channel are stopped. */
async function isExempt(
  tx: Connection,
  { machine, action, record }: { readonly machine: string; readonly action: string; readonly record: string },
  { id }: Recovery,
): Promise<boolean> {
  // Recovery waits for it, and it moves no money.
  if (machine === 'difference')
    return (
      (await row(
        tx,
      )`select from differences where id = ${record}::uuid and kind = any (${decidedInRecovery}::text[])`) !== null
    )
  if (!transitionsOfClearedRequests.includes(action)) return false
  const found = await row(tx)`
    select from recovery_cleared where recovery = ${id} and kind = ${machine} and record = ${record}
      -- The bank shows a payment for it: it is not known that nothing was done.
      and not exists (select from differences d where d.kind = ${payoutNotPaid} and d.record = ${record}::uuid)`
  return found !== null
}

/**
 * Stores a provider's notification that something happened to a checkout, so that `recover` queries it. A second
 * payment of a checkout is stored like one whose notification names no checkout.
 */
export async function storeWebhook(
  connection: Connection,
  { id }: Recovery,
  provider: string,
  { providerId, paymentId }: ProviderCheckout,
  now: Date,
): Promise<void> {
  await run(connection)`insert into recovery_webhooks (recovery, provider, provider_id, payment_id, received_at)
      select ${id}, ${provider}, case when exists (select from recovery_webhooks w where w.recovery = ${id}
            and w.provider = ${provider} and w.provider_id = ${providerId} and w.payment_id <> ${paymentId})
          then ${paymentId} else ${providerId} end, ${paymentId}, ${now}::timestamptz on conflict do nothing`
}
