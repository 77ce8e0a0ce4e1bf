/** Trading accounts: the client's calls, and the requests of the back office. */
import * as contract from '#contract/accounts.ts'
import * as office from '#contract/office/account-requests.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { changeTradingPassword } from './change-trading-password.ts'
import { approveAccount, rejectAccount } from './decide-account.ts'
import { getAccountRequest, listAccountRequests } from './office-requests.ts'
import { requestAnAccount } from './request-account.ts'
import { revealPassword } from './reveal-password.ts'
import { setNickname } from './set-nickname.ts'
import { getDemoAccounts, getLiveAccounts } from './show-accounts.ts'

export function accountRoutes(serve: Serve, parts: Parts): void {
  serve(contract.getLiveAccounts, getLiveAccounts(parts))
  serve(contract.getDemoAccounts, getDemoAccounts(parts))
  serve(contract.requestAnAccount, requestAnAccount(parts))
  serve(contract.setNickname, setNickname(parts))
  serve(contract.changeTradingPassword, changeTradingPassword(parts))
  serve(contract.revealPassword, revealPassword(parts))
  serve(office.listAccountRequests, listAccountRequests(parts))
  serve(office.getAccountRequest, getAccountRequest(parts))
  serve(office.approveAccount, approveAccount(parts))
  serve(office.rejectAccount, rejectAccount(parts))
}
