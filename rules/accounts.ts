/** Trading accounts, live and demo (requirements 7). */
import { demoBalances, nicknameLengthMax } from './constants.ts'
import type { ClientStatus, RequestType } from './choices.ts'
import { leveragesFor } from './leverage.ts'
import { defineStateMachine } from './state-machine.ts'

export const accountMachine = defineStateMachine({
  name: 'account',
  table: 'trading_accounts',
  states: ['pending', 'processing', 'approved', 'rejected'],
  first: 'pending',
  /** A demo needs no approval: it is opened immediately. */
  alsoFirst: ['processing'],
  undecided: ['pending'],
  transitions: {
    approve: { from: ['pending'], to: 'processing', by: ['operations'] },
    reject: { from: ['pending'], to: 'rejected', by: ['operations'] },
    opened: { from: ['processing'], to: 'approved', by: ['external'] },
    /** The platform refused to open it: staff see why and decide again. */
    refused: { from: ['processing'], to: 'pending', by: ['external'] },
  },
})
export type AccountState = (typeof accountMachine.states)[number]
type AccountStatus = Exclude<AccountState, 'processing'>

/** Returns the status that a client sees: an account that the platform is opening is still pending. */
export function accountStatusForClient(state: AccountState): AccountStatus {
  return state === 'processing' ? 'pending' : state
}

export interface AccountRequest {
  readonly requestType: RequestType
  readonly leverage: number
  readonly demoBalance: number | null
  readonly clientStatus: ClientStatus
  readonly declarationAccepted: boolean
  readonly windDown: boolean
  /** Whether new accounts are opened on the requested platform. */
  readonly platformOpen: boolean
}

/**
 * Returns why an account cannot be requested, or null. Live accounts require the declaration, demos do not
 * (requirements 7.15).
 */
export function checkAccountRequest(request: AccountRequest) {
  if (request.windDown) return 'new-accounts-closed'
  if (!request.platformOpen) return 'platform-closed'
  if (request.requestType === 'live' && !request.declarationAccepted) return 'declaration-first'
  if (!leveragesFor(request.clientStatus).includes(request.leverage)) return 'leverage-not-allowed'
  if (request.requestType === 'live') return request.demoBalance === null ? null : 'balance-for-demo-only'
  if (request.demoBalance === null) return 'demo-balance-required'
  return (demoBalances as readonly number[]).includes(request.demoBalance) ? null : 'unknown-value'
}

const nicknamePattern = /^[\p{L}\p{N}][\p{L}\p{N} -]*$/u

/** Returns why a nickname is refused, or null: 1 to 30 letters, digits, spaces or hyphens (requirements 7.11). */
export function checkNickname(nickname: string) {
  const length = [...nickname].length
  if (length === 0) return 'required'
  return length <= nicknameLengthMax && nicknamePattern.test(nickname) ? null : 'nickname-invalid'
}
