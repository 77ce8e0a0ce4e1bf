/**
 * All endpoints of the portal and of the back office, for the access matrix, the OpenAPI documents and the tests. No
 * app imports this.
 */
import * as accounts from './accounts.ts'
import * as bankDetails from './bank-details.ts'
import * as confirmations from './confirmations.ts'
import * as countries from './countries.ts'
import * as declarations from './declarations.ts'
import * as deposits from './deposits.ts'
import * as documents from './documents.ts'
import * as enquiries from './enquiries.ts'
import type { Endpoint } from './endpoint.ts'
import * as files from './files.ts'
import * as help from './help.ts'
import * as history from './history.ts'
import * as notices from './notifications.ts'
import * as officeAccounts from './office/account-requests.ts'
import * as officeTradingAccounts from './office/trading-accounts.ts'
import * as officeBank from './office/bank-details.ts'
import * as officeBankDirectory from './office/bank-directory.ts'
import * as officeBooks from './office/accounting.ts'
import * as officeChecks from './office/checks.ts'
import * as officeClientDecisions from './office/client-decisions.ts'
import * as officeClients from './office/clients.ts'
import * as officeClientTabs from './office/client-tabs.ts'
import * as officeDeposits from './office/deposits.ts'
import * as officeBankLines from './office/bank-lines.ts'
import * as officeDocuments from './office/documents.ts'
import * as officeAccessRequests from './office/access-requests.ts'
import * as officeEnquiries from './office/enquiries.ts'
import * as officeOverview from './office/overview.ts'
import * as officeSearch from './office/search.ts'
import * as officeFirmMoney from './office/firm-money.ts'
import * as officeFactorResets from './office/factor-resets.ts'
import * as officeLastBalance from './office/last-balance.ts'
import * as officeInbox from './office/inbox.ts'
import * as officeSavedViews from './office/saved-views.ts'
import * as officeRecovery from './office/recovery.ts'
import * as officeRetention from './office/retention.ts'
import * as officeListExport from './office/list-export.ts'
import * as officeRecords from './office/records.ts'
import * as officeReports from './office/reports.ts'
import * as officeReportSchedules from './office/report-schedules.ts'
import * as officeLeverage from './office/leverage-requests.ts'
import * as officePayoutBatches from './office/payout-batches.ts'
import * as officeReceipts from './office/receipts.ts'
import * as officePayoutStops from './office/payout-stops.ts'
import * as officePlatformRights from './office/platform-rights.ts'
import * as officeProfessional from './office/professional.ts'
import * as officeProfileChanges from './office/profile-changes.ts'
import * as officeSession from './office/session.ts'
import * as officeSettings from './office/settings.ts'
import * as officeAbsences from './office/absences.ts'
import * as officeStaff from './office/staff.ts'
import * as officeStatements from './office/statements.ts'
import * as officeTransfers from './office/transfers.ts'
import * as officeWithdrawals from './office/withdrawals.ts'
import * as passwords from './passwords.ts'
import * as professionalStatus from './professional-status.ts'
import * as profile from './profile.ts'
import * as proof from './step-up.ts'
import * as requestStatus from './request-status.ts'
import * as registration from './registration.ts'
import * as security from './security.ts'
import * as settings from './settings.ts'
import * as statements from './statements.ts'
import * as tradingHistory from './trading-history.ts'
import * as transfers from './transfers.ts'
import * as session from './users-session.ts'
import * as withdrawals from './withdrawals.ts'

export const portalEndpoints: readonly Endpoint[] = endpointsOf([
  session,
  passwords,
  registration,
  profile,
  security,
  proof,
  declarations,
  professionalStatus,
  documents,
  files,
  accounts,
  bankDetails,
  deposits,
  withdrawals,
  transfers,
  requestStatus,
  history,
  tradingHistory,
  statements,
  settings,
  countries,
  help,
  enquiries,
  notices,
  confirmations,
])

export const officeEndpoints: readonly Endpoint[] = endpointsOf([
  officeSession,
  officeFirmMoney,
  officeLastBalance,
  officeInbox,
  officeSavedViews,
  officeDocuments,
  officeClients,
  officeClientTabs,
  officeSearch,
  officeOverview,
  officeClientDecisions,
  officeAccessRequests,
  officeFactorResets,
  officeAccounts,
  officeTradingAccounts,
  officeLeverage,
  officeBank,
  officeBankDirectory,
  officeProfileChanges,
  officePlatformRights,
  officeProfessional,
  officeEnquiries,
  officeDeposits,
  officeBankLines,
  officeStatements,
  officeWithdrawals,
  officePayoutBatches,
  officeReceipts,
  officePayoutStops,
  officeTransfers,
  officeChecks,
  officeBooks,
  officeSettings,
  officeAbsences,
  officeStaff,
  officeListExport,
  officeRecords,
  officeReports,
  officeReportSchedules,
  officeRecovery,
  officeRetention,
])

/** Returns the endpoints among the modules' exports by their names, so that none can be forgotten here. */
function endpointsOf(modules: readonly object[]): Endpoint[] {
  return modules.flatMap((module) =>
    Object.values(module)
      .filter(isEndpoint)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'path' in value &&
    'access' in value &&
    'response' in value
  )
}
