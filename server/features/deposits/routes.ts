/** Deposits by wire and through the provider, and the firm's bank lines. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/deposits.ts'
import * as office from '#contract/office/deposits.ts'
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
import { confirmLine, rejectLine, sendBackLine, enterBankTransaction } from './enter-bank-transaction.ts'
import { webhookRoute } from './webhook.ts'
import { getWireDetails, mailWireDetails, wireDetailsPdf } from './wire-details.ts'

export async function depositRoutes(
  server: FastifyInstance,
  registerEndpoint: RegisterEndpoint,
  dependencies: Dependencies,
  adoptPayouts: AdoptPayouts,
): Promise<void> {
  registerEndpoint(contract.requestWirePayment, requestWirePayment(dependencies))
  registerEndpoint(contract.requestCreditCardPayment, requestCreditCardPayment(dependencies))
  registerEndpoint(contract.checkCreditCardPayment, checkCreditCardPayment(dependencies))
  registerEndpoint(contract.cancelDeposit, cancelDeposit(dependencies))
  registerEndpoint(contract.mailWireDetails, mailWireDetails(dependencies))
  registerEndpoint(contract.wireDetailsPdf, wireDetailsPdf(dependencies))
  registerEndpoint(contract.getWireDetails, getWireDetails(dependencies))
  registerEndpoint(office.listOfficeDeposits, listOfficeDeposits(dependencies))
  registerEndpoint(office.getOfficeDeposit, getOfficeDeposit(dependencies))
  registerEndpoint(office.matchDeposit, matchDeposit(dependencies))
  registerEndpoint(office.rejectDeposit, rejectDeposit(dependencies))
  registerEndpoint(office.listBankLines, listBankLines(dependencies))
  registerEndpoint(office.getBankLine, getBankLine(dependencies))
  registerEndpoint(previewEndpoint, (context) => previewStatement(dependencies, context))
  registerEndpoint(office.importStatement, importStatement(dependencies, adoptPayouts))
  registerEndpoint(office.enterBankTransaction, enterBankTransaction(dependencies))
  registerEndpoint(office.confirmLine, confirmLine(dependencies))
  registerEndpoint(office.rejectLine, rejectLine(dependencies))
  registerEndpoint(office.sendBackLine, sendBackLine(dependencies))
  registerEndpoint(office.matchLine, matchLine(dependencies))
  registerEndpoint(office.takeReturnedPayout, takeReturnedPayout(dependencies))
  await webhookRoute(server, dependencies)
}
