/** Bank details: the client's three calls, and the back office's. */
import {
  addBankDetails as addEndpoint,
  getBankDetails as getEndpoint,
  updateBankDetails as updateEndpoint,
} from '#contract/bank-details.ts'
import * as office from '#contract/office/bank-details.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { addBankDetails, updateBankDetails } from './add-bank-details.ts'
import { approveBankDetails, enterHolder, rejectBankDetails } from './decide-bank-details.ts'
import { getOfficeBankDetails, listOfficeBankDetails } from './office-bank-details.ts'
import { getBankDetails } from './show-bank-details.ts'

export function bankDetailsRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(getEndpoint, getBankDetails(dependencies))
  registerEndpoint(addEndpoint, addBankDetails(dependencies))
  registerEndpoint(updateEndpoint, updateBankDetails(dependencies))
  registerEndpoint(office.listOfficeBankDetails, listOfficeBankDetails(dependencies))
  registerEndpoint(office.getOfficeBankDetails, getOfficeBankDetails(dependencies))
  registerEndpoint(office.approveBankDetails, approveBankDetails(dependencies))
  registerEndpoint(office.enterHolder, enterHolder(dependencies))
  registerEndpoint(office.rejectBankDetails, rejectBankDetails(dependencies))
}
