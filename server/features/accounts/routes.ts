/** Trading accounts: the client's calls, and the requests of the back office. */
import * as contract from '#contract/accounts.ts'
import * as office from '#contract/office/account-requests.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { changeTradingPassword } from './change-trading-password.ts'
import { approveAccount, rejectAccount } from './decide-account.ts'
import { getAccountRequest, listAccountRequests } from './office-requests.ts'
import { requestAnAccount } from './request-account.ts'
import { revealPassword } from './reveal-password.ts'
import { setNickname } from './set-nickname.ts'
import { getDemoAccounts, getLiveAccounts } from './show-accounts.ts'

export function accountRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(contract.getLiveAccounts, getLiveAccounts(dependencies))
  registerEndpoint(contract.getDemoAccounts, getDemoAccounts(dependencies))
  registerEndpoint(contract.requestAnAccount, requestAnAccount(dependencies))
  registerEndpoint(contract.setNickname, setNickname(dependencies))
  registerEndpoint(contract.changeTradingPassword, changeTradingPassword(dependencies))
  registerEndpoint(contract.revealPassword, revealPassword(dependencies))
  registerEndpoint(office.listAccountRequests, listAccountRequests(dependencies))
  registerEndpoint(office.getAccountRequest, getAccountRequest(dependencies))
  registerEndpoint(office.approveAccount, approveAccount(dependencies))
  registerEndpoint(office.rejectAccount, rejectAccount(dependencies))
}
