/** Trading accounts: endpoints of the client and of the back office. */
import * as contract from '#contract/accounts.ts'
import { getTradingAccount as ownPage } from '#contract/trading-history.ts'
import * as office from '#contract/office/account-requests.ts'
import { getOfficeTradingAccount as staffPage } from '#contract/office/trading-accounts.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { changeTradingPassword } from './change-trading-password.ts'
import { approveAccount, rejectAccount } from './decide-account.ts'
import { getAccountRequest, listAccountRequests } from './office-requests.ts'
import { requestAnAccount } from './request-account.ts'
import { revealPassword } from './reveal-password.ts'
import { setNickname } from './set-nickname.ts'
import { getOfficeTradingAccount, getTradingAccount } from './show-account.ts'
import { getDemoAccounts, getLiveAccounts } from './show-accounts.ts'

export function accountRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.getLiveAccounts, getLiveAccounts)
  registerEndpoint(contract.getDemoAccounts, getDemoAccounts)
  registerEndpoint(ownPage, getTradingAccount)
  registerEndpoint(staffPage, getOfficeTradingAccount)
  registerEndpoint(contract.requestAnAccount, requestAnAccount)
  registerEndpoint(contract.setNickname, setNickname)
  registerEndpoint(contract.changeTradingPassword, changeTradingPassword)
  registerEndpoint(contract.revealPassword, revealPassword)
  registerEndpoint(office.listAccountRequests, listAccountRequests)
  registerEndpoint(office.getAccountRequest, getAccountRequest)
  registerEndpoint(office.approveAccount, approveAccount)
  registerEndpoint(office.rejectAccount, rejectAccount)
}
