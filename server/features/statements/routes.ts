/** Statements of an account by month and year, for its client and for staff. */
import * as office from '#contract/office/trading-accounts.ts'
import * as contract from '#contract/statements.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { getStatements, statementCsv, statementPdf, yearCsv, yearPdf } from './show-statements.ts'

export function statementRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.getStatements, getStatements)
  registerEndpoint(contract.statementPdf, statementPdf)
  registerEndpoint(contract.statementCsv, statementCsv)
  registerEndpoint(contract.yearPdf, yearPdf)
  registerEndpoint(contract.yearCsv, yearCsv)
  registerEndpoint(office.getOfficeStatements, getStatements)
  registerEndpoint(office.officeStatementPdf, statementPdf)
  registerEndpoint(office.officeStatementCsv, statementCsv)
  registerEndpoint(office.officeYearPdf, yearPdf)
  registerEndpoint(office.officeYearCsv, yearCsv)
}
