/** Trading accounts, live and demo (requirements 7). */
import * as z from 'zod/mini'
import { clientStatuses, requestTypes } from '#rules/choices.ts'
import { accountTypes, demoBalances, platforms, leverages } from '#rules/constants.ts'
import { endpoint } from './endpoint.ts'
import {
  body,
  choice,
  currency,
  signedBalance,
  id,
  noHiddenCharacters,
  numberChoice,
  password,
  seconds,
  trimmed,
  accountId,
} from './fields.ts'
import { userId } from './users-session.ts'

const accountStatus = choice(['pending', 'approved', 'rejected'])

/** One trading account. Balances are null if the platform has given none. */
export const account = z.object({
  _id: z.string(),
  nickname: z.string(),
  number: z.nullable(z.string()),
  platform: choice(platforms),
  type: choice(accountTypes),
  baseCurrency: currency,
  leverage: z.int(),
  balance: z.nullable(signedBalance),
  equity: z.nullable(signedBalance),
  freeMargin: z.nullable(signedBalance),
  openPositions: z.nullable(z.int()),
  /** min(balance, free margin) less the amount set aside. */
  available: z.nullable(signedBalance),
  reserved: signedBalance,
  /** The requests for which it is set aside, newest first, each with its list in the history and its id there. */
  setAside: z.array(
    z.object({
      amount: signedBalance,
      list: choice(['withdrawals', 'transfers']),
      id: z.string(),
      reference: z.string(),
    }),
  ),
  /** When the platform was read. */
  figuresAt: z.nullable(seconds),
  /** No newer balances are stored, although the platform was asked again: they are those of `figuresAt`. */
  figuresOld: z.boolean(),
  /**
   * Why old balances are not replaced although the platform responds: an operation of the account is being booked, or
   * its balance is being compared with our records. Null if the platform does not respond.
   */
  figuresHeld: z._default(z.nullable(choice(['booking', 'checking'])), null),
  status: accountStatus,
  /** The platform has disabled it or no longer has it: it receives no money. */
  closed: z._default(z.boolean(), false),
  /** The platform no longer has it: it cannot pay out either. */
  missing: z._default(z.boolean(), false),
  /** False if no adapter is configured for its platform: it can neither receive nor pay out. */
  connected: z._default(z.boolean(), true),
  clientStatus: choice(clientStatuses),
  password: z.null(),
  passwordToShow: z.boolean(),
  /** Why it was rejected. */
  reason: z.nullable(z.string()),
  /** The platform's server name, for the login there. */
  server: z.nullable(z.string()),
  requestedAt: seconds,
  /** The leverages that may be requested for this account. */
  leverages: z.array(z.int()),
  leverageRequest: z.nullable(z.object({ from: z.int(), to: z.int(), since: seconds })),
})
export type Account = z.output<typeof account>

export const getLiveAccounts = endpoint('getLiveAccounts', 'GET /api/accounts/getLiveAccounts/:a/:b', {
  summary:
    'Returns the client’s live accounts, filtered by currency (a) and status (b); “all” disables either filter. The list is empty until the client is approved.',
  access: ['client'],
  params: z.object({ a: choice(['all', 'EUR', 'GBP', 'USD']), b: choice(['all', 'pending', 'approved', 'rejected']) }),
  response: z.object({ accounts: z.array(account) }),
})

export const getDemoAccounts = endpoint('getDemoAccounts', 'GET /api/accounts/getDemoAccounts', {
  summary: 'Returns the client’s demo accounts.',
  access: ['approved'],
  response: z.object({ accounts: z.array(account) }),
})

export const requestAnAccount = endpoint('requestAnAccount', 'POST /api/accounts/requestAnAccount', {
  summary: 'Requests a live account, which needs approval by staff, or a demo account, which is opened immediately.',
  access: ['approved'],
  body: body({
    userId,
    requestType: choice(requestTypes),
    platform: choice(platforms),
    accType: choice(accountTypes),
    baseCurrency: currency,
    leverage: numberChoice(leverages, 'leverage-not-allowed'),
    balance: z.optional(z.nullable(numberChoice(demoBalances))),
  }),
  status: 201,
  response: z.object({ id: z.string(), status: accountStatus }),
  problems: [
    'new-accounts-closed',
    'platform-closed',
    'declaration-first',
    'leverage-not-allowed',
    'balance-for-demo-only',
    'demo-balance-required',
    'unknown-value',
    'not-yours',
  ],
  idempotent: true,
})

export const updateAccount = endpoint('updateAccount', 'POST /api/accounts/updateAccount', {
  summary: 'Requests a different leverage, which needs approval by staff.',
  access: ['approved'],
  body: body({ userId, accountId, leverage: numberChoice(leverages, 'leverage-not-allowed') }),
  response: z.object({ leverageRequest: z.object({ id: z.string(), from: z.int(), to: z.int() }) }),
  problems: [
    'account-unknown',
    'account-not-approved',
    'account-closed',
    'leverage-closed',
    'leverage-not-allowed',
    'leverage-unchanged',
    'leverage-pending',
  ],
})

export const setNickname = endpoint('setNickname', 'POST /api/accounts/setNickname', {
  summary: 'Sets the client’s nickname for an account.',
  access: ['approved'],
  body: body({
    accountId,
    nickname: z
      .string('required')
      .check(trimmed, z.minLength(1, 'required'), z.maxLength(120, 'nickname-invalid'), noHiddenCharacters),
  }),
  problems: ['account-unknown', 'nickname-invalid'],
})

export const changeTradingPassword = endpoint('changeTradingPassword', 'POST /api/accounts/changeTradingPassword', {
  summary: 'Sets a new trading password on the platform.',
  access: ['approved'],
  body: body({ accountId, password }),
  problems: [
    'account-unknown',
    'account-not-approved',
    'account-closed',
    'trading-password-characters',
    'trading-password-weak',
    'platform-refused',
    'trading-password-unconfirmed',
    'password-garbled',
  ],
  requiresStepUp: true,
})

export const revealPassword = endpoint('revealPassword', 'POST /api/accounts/revealPassword', {
  summary: 'Returns the initial trading password, once, within 7 days of the account being opened.',
  access: ['approved'],
  body: body({ accountId: id }),
  response: z.object({ password: z.string() }),
  problems: ['account-unknown', 'account-closed', 'password-shown'],
  requiresStepUp: true,
})
