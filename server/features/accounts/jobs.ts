/** Opens accounts at their platform and settles the result (requirements 18.13, 23.7). */
import { portalPaths } from '#contract/portal-paths.ts'
import { accountMachine } from '#rules/accounts.ts'
import type { ClientStatus } from '#rules/choices.ts'
import { firstPasswordDays } from '#rules/constants.ts'
import { money } from '#rules/money.ts'
import { groupFor, otherGroups, type GroupFacts } from '#rules/platform-groups.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { requireRow, run, type Transaction } from '../../db/sql.ts'
import { operationRef } from '../../db/ids.ts'
import { enqueueBalance, ledgerEntryOf, type BalanceLegs } from '../../jobs/balance.ts'
import { enqueue, type Operation, type OperationKind, type Outcome } from '../../jobs/operations.ts'
import { openOperationItem, recordOf } from '../../jobs/operation.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { encryptSecret } from '../../crypto/keys.ts'
import { post } from '../../ledger/post.ts'
import { moveAccount, type GroupRows } from '../../jobs/move-account.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { knownLogins } from '../../recovery/known-logins.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { requesterById } from '../clients/queries.ts'
import { lockAccount } from './queries.ts'
import { accountOpening, type AccountOpening } from './request-queries.ts'
import { newTradingPassword, passwordLabel, firstPassword } from './first-password.ts'
import { openingData } from './opening-data.ts'

interface OpeningPayload {
  readonly platform: Platform
  /** Set when the request was approved; older operations have none. */
  readonly group?: string
}

/**
 * Writes the operation that opens the account. The first password is generated and encrypted before anything is sent:
 * if the response is lost, the account is found by the operation's reference and its password is known.
 */
export async function enqueueOpening(
  tx: Transaction,
  dependencies: Pick<Dependencies, 'keys'>,
  account: { id: AccountId; platform: Platform; clientId: ClientId; group: string },
  now: Date,
): Promise<void> {
  const sealed = encryptSecret(dependencies.keys.factor, passwordLabel(account.id), Buffer.from(newTradingPassword()))
  await run(tx)`update trading_accounts set first_password = ${sealed} where id = ${account.id}`
  await enqueue(tx, now, {
    kind: 'open-account',
    ref: operationRef(now),
    target: `${account.platform}:new`,
    payload: { platform: account.platform, group: account.group },
    subject: accountMachine.name,
    record: account.id,
    clientId: account.clientId,
  })
}

/** Returns the facts that determine the group of an account to be opened. */
export function groupFactsOf(
  account: Pick<AccountOpening, 'platform' | 'requestType' | 'accType' | 'currency' | 'clientStatus' | 'country'>,
): GroupFacts {
  const { platform, requestType, accType: type, currency, clientStatus: status, country } = account
  return { platform, realm: requestType === 'demo' ? 'demo' : 'real', type, currency, status, country }
}

/** Returns the operation kind `open-account`: sent once, and recovered by its reference if the response is lost. The
 * account is searched for again before staff's repeat is sent. */
export function accountOperation(dependencies: Dependencies): OperationKind<OpeningPayload> {
  const groupOf = async (operation: Operation<OpeningPayload>, account: AccountOpening): Promise<string> => {
    const { rows } = await dependencies.settings.get('platformGroups')
    const group = operation.payload.group ?? groupFor(rows, groupFactsOf(account))
    if (group === null) throw new Error(`operation ${operation.id} has no platform group`)
    return group
  }
  const opening = (operation: Operation<OpeningPayload>) =>
    recordOf(operation, (id: AccountId) => accountOpening(dependencies.jobs, id))
  const findOpened = async (operation: Operation<OpeningPayload>, account: AccountOpening) => {
    const { rows } = await dependencies.settings.get('platformGroups')
    const group = await groupOf(operation, account)
    return dependencies.platforms[account.platform].findAccountByRef(operation.ref, {
      groups: [group, ...otherGroups(rows, groupFactsOf(account), group)],
      // Not from the last send: the account of an earlier one may have appeared in between.
      sentAt: operation.createdAt,
      known: (logins) => knownLogins(dependencies.jobs, account.platform, logins),
    })
  }
  return {
    kind: 'open-account',
    repeatable: false,
    async send(operation, sendBy) {
      const account = await opening(operation)
      if (account.firstPassword === null) throw new Error(`account ${account.id} has no first password`)
      // It was sent, and the account may have appeared after two queries had not found it.
      const opened = operation.sentAt === null ? null : await findOpened(operation, account)
      if (opened !== null) return opened
      const { login } = await dependencies.platforms[account.platform].createAccount({
        ref: operation.ref,
        group: await groupOf(operation, account),
        main: firstPassword(dependencies.keys, account.id, account.firstPassword),
        ...(await openingData(dependencies, account)),
        sendBy,
      })
      return { login }
    },
    find: async (operation) => findOpened(operation, await opening(operation)),
    async settled(tx, operation, outcome, auditContext) {
      const account = await recordOf(operation, (id: AccountId) => lockAccount(tx, id))
      const fullAccount = await accountOpening(tx, account.id)
      if (!fullAccount) throw new Error(`account ${account.id} has no owner`)
      if ('done' in outcome) {
        const { login } = outcome.done as { login: string }
        await completeOpening(
          tx,
          dependencies,
          fullAccount,
          { login, group: await groupOf(operation, fullAccount) },
          auditContext,
        )
      } else await returnToPending(tx, fullAccount, outcome, auditContext)
    },
  }
}

async function completeOpening(
  tx: Transaction,
  dependencies: Dependencies,
  account: AccountOpening,
  { login, group }: { login: string; group: string },
  auditContext: AuditContext,
): Promise<void> {
  await applyTransition(tx, accountMachine, auditContext, account, 'opened', {
    set: {
      login,
      group_name: group,
      reason: null,
      opened_at: auditContext.now,
      opening_data: null,
      first_password_until: new Date(auditContext.now.getTime() + firstPasswordDays * 86_400_000),
    },
    details: { platform: account.platform, login, leverage: account.leverage },
    workItem: null,
  })
  const { id, platform, currency, leverage } = account
  // A new account is empty, so the platform is not queried.
  await run(tx)`insert into platform_figures (account_id, balance_minor, credit_minor, equity_minor, margin_minor,
        free_margin_minor, profit_minor, open_positions, leverage, read_at)
      values (${id}, 0, 0, 0, 0, 0, 0, 0, ${leverage}, ${auditContext.now}) on conflict do nothing`
  const { rows: groups } = await dependencies.settings.get('platformGroups')
  await applyOwnerStatus(tx, groups, { ...account, login }, auditContext.now)
  if (account.demoBalanceMinor !== null && account.reference !== null) {
    await enqueueBalance(tx, dependencies.keys, auditContext.now, {
      request: { ...account, reference: account.reference, login, accountId: id },
      subject: accountMachine.name,
      leg: 'demo-balance',
      amount: money(account.demoBalanceMinor, currency),
    })
  }
  const servers = await dependencies.settings.get('platforms')
  const server = account.requestType === 'demo' ? servers[platform].demoServer : servers[platform].liveServer
  await notifyOpened(tx, account, 'account-opened', { number: login, server }, auditContext.now)
}

/** Moves a newly opened live account to its owner's category if that has changed since the opening was sent. */
async function applyOwnerStatus(
  tx: Transaction,
  groups: GroupRows,
  account: AccountOpening & { login: string },
  now: Date,
) {
  if (account.requestType === 'demo') return
  const { status } = await requireRow<{ status: ClientStatus }>(tx)`
    select client_status as status from clients where id = ${account.clientId} for share`
  if (status === account.clientStatus) return
  await run(tx)`update trading_accounts set client_status = ${status}, version = version + 1 where id = ${account.id}`
  await moveAccount(tx, groups, account, status, now)
}

const retryAfterMs = 3_600_000

/** Puts the request back to pending with the platform’s reason, demo accounts included. Staff decide again. */
async function returnToPending(
  tx: Transaction,
  account: AccountOpening,
  outcome: Extract<Outcome, { refused: unknown }>,
  auditContext: AuditContext,
): Promise<void> {
  const { reason, code, message } = outcome.refused
  const { requestType, platform, accType: type, currency, leverage } = account
  await applyTransition(tx, accountMachine, auditContext, account, 'refused', {
    reason: `${code} ${message}`.slice(0, 500),
    set: { first_password: null, opening_data: null, decided_by: null, decided_at: null },
    workItem: {
      state: 'refused',
      dueAt: new Date(auditContext.now.getTime() + retryAfterMs),
      clientId: account.clientId,
      summary: { requestType, platform, type, currency, leverage, refused: reason, code },
    },
  })
}

/** Notifies the client that the account is open or rejected. */
export async function notifyOpened(
  tx: Transaction,
  account: Pick<AccountOpening, 'id' | 'clientId' | 'platform' | 'accType' | 'currency' | 'requestType'>,
  kind: 'account-opened' | 'account-rejected',
  more: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  const client = await requesterById(tx, account.clientId)
  const { platform, accType: type, currency, requestType } = account
  const link = requestType === 'demo' ? portalPaths.demoAccounts : portalPaths.tradingAccounts
  const facts = { platform, type, currency, requestType, ...more }
  await notifyClient(tx, now, { kind, client, facts, link, subject: accountMachine.name, record: account.id })
}

export const legs: BalanceLegs = {
  /** Demo money: it is posted as a trading result and involves no bank account. */
  'demo-balance': async (tx, operation, outcome, auditContext) => {
    const account = await recordOf(operation, (id: AccountId) => lockAccount(tx, id))
    if (!('done' in outcome)) {
      const { reason, code } = outcome.refused
      return openOperationItem(tx, operation, 'refused', auditContext.now, { reason, code })
    }
    const minor = BigInt(operation.payload.minor)
    const own = { currency: account.currency, tradingAccount: account.id }
    await post(tx, auditContext.now, ledgerEntryOf(operation), [
      { account: { kind: 'trading_result', ...own }, minor },
      { account: { kind: 'client', ...own }, minor: -minor },
    ])
  },
}

/** Returns the scheduled tasks: first passwords that were not viewed in time are deleted (requirements 7.5). */
export function accountTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    {
      name: 'forget-first-passwords',
      everyMs: 60_000,
      run: async (now) =>
        void (await run(dependencies.jobs)`update trading_accounts set first_password = null
            where first_password is not null and first_password_until <= ${now}`),
    },
  ]
}
