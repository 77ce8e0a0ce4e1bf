/** Deposits by wire and through the provider, and the firm's bank transactions. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/deposits.ts'
import * as office from '#contract/office/deposits.ts'
import * as bankLines from '#contract/office/bank-lines.ts'
import { previewStatement as previewEndpoint } from '#contract/office/statements.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { cancelDeposit } from './cancel-deposit.ts'
import { checkCreditCardPayment } from './check-checkout.ts'
import { importStatement, type AdoptPayouts } from './import-statement.ts'
import { matchDeposit, matchLine, rejectDeposit } from './match-deposit.ts'
import { getBankLine, getOfficeDeposit, listBankLines, listOfficeDeposits } from './office-deposits.ts'
import { previewStatement } from './preview-statement.ts'
import { requestCreditCardPayment } from './request-checkout.ts'
import { requestWirePayment } from './request-wire.ts'
import { takeReturnedPayout } from './take-returned-payout.ts'
import { confirmSettlement, proposeSettlement, rejectSettlement } from './decide-card-settlement.ts'
import { confirmLine, rejectLine, sendBackLine } from './decide-bank-transaction.ts'
import { creditDeposit, refundDeposit } from './decide-uncredited.ts'
import { enterBankTransaction } from './enter-bank-transaction.ts'
import { webhookRoute } from './webhook.ts'
import { getWireDetails, mailWireDetails, wireDetailsPdf } from './wire-details.ts'

export async function depositRoutes(
  server: FastifyInstance,
  registerEndpoint: RegisterEndpoint,
  dependencies: Dependencies,
  adoptPayouts: AdoptPayouts,
): Promise<void> {
  registerEndpoint(contract.requestWirePayment, requestWirePayment)
  registerEndpoint(contract.requestCreditCardPayment, requestCreditCardPayment)
  registerEndpoint(contract.checkCreditCardPayment, checkCreditCardPayment)
  registerEndpoint(contract.cancelDeposit, cancelDeposit)
  registerEndpoint(contract.mailWireDetails, mailWireDetails)
  registerEndpoint(contract.wireDetailsPdf, wireDetailsPdf)
  registerEndpoint(contract.getWireDetails, getWireDetails)
  registerEndpoint(office.listOfficeDeposits, listOfficeDeposits)
  registerEndpoint(office.getOfficeDeposit, getOfficeDeposit)
  registerEndpoint(bankLines.matchDeposit, matchDeposit)
  registerEndpoint(office.rejectDeposit, rejectDeposit)
  registerEndpoint(office.creditDeposit, creditDeposit)
  registerEndpoint(office.refundDeposit, refundDeposit)
  registerEndpoint(bankLines.listBankLines, listBankLines)
  registerEndpoint(bankLines.getBankLine, getBankLine)
  registerEndpoint(previewEndpoint, previewStatement)
  registerEndpoint(bankLines.importStatement, importStatement(adoptPayouts))
  registerEndpoint(bankLines.enterBankTransaction, enterBankTransaction)
  registerEndpoint(bankLines.confirmLine, confirmLine)
  registerEndpoint(bankLines.rejectLine, rejectLine)
  registerEndpoint(bankLines.sendBackLine, sendBackLine)
  registerEndpoint(bankLines.matchLine, matchLine)
  registerEndpoint(bankLines.takeReturnedPayout, takeReturnedPayout)
  registerEndpoint(bankLines.proposeSettlement, proposeSettlement)
  registerEndpoint(bankLines.confirmSettlement, confirmSettlement)
  registerEndpoint(bankLines.rejectSettlement, rejectSettlement)
  await webhookRoute(server, dependencies)
}
