/** Bank details: three endpoints of the client, and those of the back office. */
import * as contract from '#contract/bank-details.ts'
import * as office from '#contract/office/bank-details.ts'
import * as directory from '#contract/office/bank-directory.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { addBankDetails, updateBankDetails } from './add-bank-details.ts'
import { importBankDirectory, lookUpBank, showBankDirectory } from './bank-directory.ts'
import { approveBankDetails, enterHolder, rejectBankDetails } from './decide-bank-details.ts'
import { getOfficeBankDetails, listOfficeBankDetails } from './office-bank-details.ts'
import { getBankDetails } from './show-bank-details.ts'

export function bankDetailsRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.getBankDetails, getBankDetails)
  registerEndpoint(contract.addBankDetails, addBankDetails)
  registerEndpoint(contract.updateBankDetails, updateBankDetails)
  registerEndpoint(contract.lookUpBank, lookUpBank)
  registerEndpoint(directory.showBankDirectory, showBankDirectory)
  registerEndpoint(directory.importBankDirectory, importBankDirectory)
  registerEndpoint(office.listOfficeBankDetails, listOfficeBankDetails)
  registerEndpoint(office.getOfficeBankDetails, getOfficeBankDetails)
  registerEndpoint(office.approveBankDetails, approveBankDetails)
  registerEndpoint(office.enterHolder, enterHolder)
  registerEndpoint(office.rejectBankDetails, rejectBankDetails)
}
