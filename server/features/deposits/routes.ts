/** Deposits by wire and through the provider, and the firm's bank lines. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/deposits.ts'
import * as office from '#contract/office/deposits.ts'
import { previewStatement as previewEndpoint } from '#contract/office/statements.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { cancelDeposit } from './cancel-deposit.ts'
import { checkCreditCardPayment } from './check-checkout.ts'
import { importStatement, type AdoptPayouts } from './import-statement.ts'
import { matchDeposit, matchLine, rejectDeposit } from './match-deposit.ts'
import { getBankLine, getOfficeDeposit, listBankLines, listOfficeDeposits } from './office-deposits.ts'
import { previewStatement } from './preview-statement.ts'
import { requestCreditCardPayment } from './request-checkout.ts'
import { requestWirePayment } from './request-wire.ts'
import { takeReturnedPayout } from './take-returned-payout.ts'
import { confirmLine, rejectLine, sendBackLine, typeLine } from './enter-bank-transaction.ts'
import { webhookRoute } from './webhook.ts'
import { getWireDetails, mailWireDetails, wireDetailsPdf } from './wire-details.ts'

export async function depositRoutes(
  server: FastifyInstance,
  serve: Serve,
  parts: Parts,
  adoptPayouts: AdoptPayouts,
): Promise<void> {
  serve(contract.requestWirePayment, requestWirePayment(parts))
  serve(contract.requestCreditCardPayment, requestCreditCardPayment(parts))
  serve(contract.checkCreditCardPayment, checkCreditCardPayment(parts))
  serve(contract.cancelDeposit, cancelDeposit(parts))
  serve(contract.mailWireDetails, mailWireDetails(parts))
  serve(contract.wireDetailsPdf, wireDetailsPdf(parts))
  serve(contract.getWireDetails, getWireDetails(parts))
  serve(office.listOfficeDeposits, listOfficeDeposits(parts))
  serve(office.getOfficeDeposit, getOfficeDeposit(parts))
  serve(office.matchDeposit, matchDeposit(parts))
  serve(office.rejectDeposit, rejectDeposit(parts))
  serve(office.listBankLines, listBankLines(parts))
  serve(office.getBankLine, getBankLine(parts))
  serve(previewEndpoint, (call) => previewStatement(parts, call))
  serve(office.importStatement, importStatement(parts, adoptPayouts))
  serve(office.typeLine, typeLine(parts))
  serve(office.confirmLine, confirmLine(parts))
  serve(office.rejectLine, rejectLine(parts))
  serve(office.sendBackLine, sendBackLine(parts))
  serve(office.matchLine, matchLine(parts))
  serve(office.takeReturnedPayout, takeReturnedPayout(parts))
  await webhookRoute(server, parts)
}
