/** Bank details: the client's three calls, and the back office's. */
import {
  addBankDetails as addEndpoint,
  getBankDetails as getEndpoint,
  updateBankDetails as updateEndpoint,
} from '#contract/bank-details.ts'
import * as office from '#contract/office/bank-details.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { addBankDetails, updateBankDetails } from './add-bank-details.ts'
import { approveBankDetails, enterHolder, rejectBankDetails } from './decide-bank-details.ts'
import { getOfficeBankDetails, listOfficeBankDetails } from './office-bank-details.ts'
import { getBankDetails } from './show-bank-details.ts'

export function bankDetailsRoutes(serve: Serve, parts: Parts): void {
  serve(getEndpoint, getBankDetails(parts))
  serve(addEndpoint, addBankDetails(parts))
  serve(updateEndpoint, updateBankDetails(parts))
  serve(office.listOfficeBankDetails, listOfficeBankDetails(parts))
  serve(office.getOfficeBankDetails, getOfficeBankDetails(parts))
  serve(office.approveBankDetails, approveBankDetails(parts))
  serve(office.enterHolder, enterHolder(parts))
  serve(office.rejectBankDetails, rejectBankDetails(parts))
}
