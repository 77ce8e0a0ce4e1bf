/** Feature registry: the routes, operations and scheduled tasks of every feature. */
import type { TransferId, WithdrawalId } from '#rules/ids.ts'
import type { FastifyInstance } from 'fastify'
import { appendToChain } from './db/audit-chain.ts'
import { accountTasks, accountOperation, legs as accountLegs } from './features/accounts/jobs.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { apiDocsRoutes } from './features/api-docs/routes.ts'
import { bankDetailsRoutes } from './features/bank-details/routes.ts'
import { demoRoutes } from './features/demo/routes.ts'
import { depositTasks, legs as depositLegs } from './features/deposits/jobs.ts'
import { depositRoutes } from './features/deposits/routes.ts'
import { enquiryRoutes } from './features/enquiries/routes.ts'
import { helpRoutes } from './features/help/routes.ts'
import { historyRoutes } from './features/history/routes.ts'
import { leverageOperation } from './features/leverage/jobs.ts'
import { leverageRoutes } from './features/leverage/routes.ts'
import type { CheckedKinds } from './checks/checked-request.ts'
import { checkRoutes } from './features/checks/routes.ts'
import { countryRoutes } from './features/countries/routes.ts'
import { declarationRoutes } from './features/declarations/routes.ts'
import { statusOperation } from './features/professional-status/jobs.ts'
import { professionalRoutes } from './features/professional-status/routes.ts'
import { profileChangeRoutes } from './features/profile-changes/routes.ts'
import { linkTasks } from './features/clients/link-digests.ts'
import { clientRoutes } from './features/clients/routes.ts'
import { documentTasks } from './features/documents/jobs.ts'
import { documentRoutes } from './features/documents/routes.ts'
import { fileTasks } from './features/files/jobs.ts'
import { storeDocument, storeProof } from './features/files/upload-file.ts'
import { fileRoutes } from './features/files/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { resetOperation } from './features/passwords/jobs.ts'
import { passwordRoutes } from './features/passwords/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { registrationRoutes } from './features/registration/routes.ts'
import { requestStatusRoutes } from './features/request-status/routes.ts'
import { securityRoutes } from './features/security/routes.ts'
import { accessTasks } from './features/sessions/jobs.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { settingsRoutes } from './features/public-settings/routes.ts'
import { held as transferHeld, legs as transferLegs } from './features/transfers/jobs.ts'
import { statementTasks } from './features/statements/jobs.ts'
import { statementRoutes } from './features/statements/routes.ts'
import { tradingHistoryTasks } from './features/trading-history/jobs.ts'
import { tradingHistoryRoutes } from './features/trading-history/routes.ts'
import { transferRoutes } from './features/transfers/routes.ts'
import { withdrawalById } from './features/withdrawals/queries.ts'
import { stageOf, withdrawalChecked } from './features/withdrawals/withdrawal-checks.ts'
import { transferById } from './features/transfers/queries.ts'
import { transferCheckedIn } from './features/transfers/transfer-checks.ts'
import { withdrawalRoutes } from './features/withdrawals/routes.ts'
import { held as withdrawalHeld, legs as withdrawalLegs } from './features/withdrawals/jobs.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { changesRoutes } from './features/changes/routes.ts'
import { clientMoneyRoutes } from './features/client-money/routes.ts'
import { showClientMoney } from './features/client-money/show-client-money.ts'
import { legs as correctionLegs } from './features/corrections/jobs.ts'
import { correctionRoutes } from './features/corrections/routes.ts'
import { failedOperationRoutes } from './features/failed-operations/routes.ts'
import { firmSettingRoutes } from './features/firm-settings/routes.ts'
import { liveFigureTasks } from './features/live-figures/jobs.ts'
import { liveFigureRoutes, openPositionRoutes } from './features/live-figures/routes.ts'
import { inboxRoutes } from './features/inbox/routes.ts'
import { legs as differenceLegs, reconciliationTasks } from './features/reconciliation/jobs.ts'
import { overviewTasks } from './features/overview/jobs.ts'
import { overviewRoutes } from './features/overview/routes.ts'
import { savedViewRoutes } from './features/saved-views/routes.ts'
import { reconciliationRoutes } from './features/reconciliation/routes.ts'
import { factorResetRoutes } from './features/factor-resets/routes.ts'
import { correctionAdoption } from './features/corrections/adopt-correction.ts'
import { depositAdoption } from './features/deposits/adopt-deposit.ts'
import { linesOfAdopted, adoptChosenLine, adoptLines } from './features/deposits/lines-of-adopted.ts'
import { depositRefundSettled } from './features/deposits/money-back.ts'
import { assignCheckout } from './features/deposits/assign-checkout.ts'
import { reversalSettled } from './features/recovery/reverse-deal.ts'
import { recoveryRoutes } from './features/recovery/routes.ts'
import { lostRefundSettled } from './features/recovery/settle-checkout-item.ts'
import { transferAdoption } from './features/transfers/adopt-transfer.ts'
import { adoptPayouts } from './features/withdrawals/adopt-payouts.ts'
import { withdrawalAdoption } from './features/withdrawals/adopt-withdrawal.ts'
import { retentionTasks } from './features/retention/jobs.ts'
import { retentionRoutes } from './features/retention/routes.ts'
import { accountOpeningChecked } from './features/accounts/opening-checks.ts'
import { bankChecked } from './features/bank-details/bank-checks.ts'
import { clientApprovalChecked } from './features/clients/approval-checks.ts'
import { correctionChecked } from './features/corrections/correction-checks.ts'
import { matchChecked, returnChecked } from './features/deposits/line-checks.ts'
import { uncreditedChecked } from './features/deposits/uncredited-checks.ts'
import { leverageChecked } from './features/leverage/leverage-checks.ts'
import { reportTasks } from './features/reports/jobs.ts'
import { reportRoutes } from './features/reports/routes.ts'
import { staffRoutes } from './features/staff/routes.ts'
import { staffSessionRoutes } from './features/staff-sessions/routes.ts'
import type { Pages } from './http/pages.ts'
import { balanceOperation } from './jobs/balance.ts'
import { cardRefundKind, depositRefundKind, refundOperation } from './jobs/card-refund.ts'
import type { OperationKind } from './jobs/operations.ts'
import { unsettledTask } from './jobs/unsettled.ts'
import type { ScheduledTask } from './jobs/workers.ts'
import { mailOperation } from './mail/mail-operation.ts'
import { platformTasks } from './jobs/platform-days.ts'
import { checkoutSearch, dealSearch } from './recovery/deal-search.ts'
import { batchSearch } from './recovery/released-batches.ts'
import type { SignSearch } from './recovery/sending-gate.ts'
import { reencryptTask } from './crypto/reencrypt.ts'
import type { RegisterEndpoint } from './http/register-endpoint.ts'
import { connectedPlatforms, type Dependencies } from './dependencies.ts'
import type { Adopting } from './recovery/adopt-deal.ts'

/** Registers every endpoint. `server` is for the few routes that are no JSON calls: files, streams, pages. */
export async function registerFeatures(
  server: FastifyInstance,
  registerEndpoint: RegisterEndpoint,
  dependencies: Dependencies,
  pages: Pages,
): Promise<void> {
  apiDocsRoutes(server, dependencies)
  await demoRoutes(server, dependencies)
  settingsRoutes(registerEndpoint)
  countryRoutes(registerEndpoint)
  helpRoutes(registerEndpoint)
  enquiryRoutes(registerEndpoint)
  sessionRoutes(registerEndpoint)
  registrationRoutes(registerEndpoint, pages)
  passwordRoutes(registerEndpoint)
  securityRoutes(registerEndpoint)
  requestStatusRoutes(registerEndpoint)
  profileRoutes(registerEndpoint)
  declarationRoutes(registerEndpoint)
  notificationRoutes(registerEndpoint)
  await fileRoutes(server, registerEndpoint, dependencies)
  documentRoutes(registerEndpoint)
  clientRoutes(registerEndpoint)
  professionalRoutes(registerEndpoint)
  profileChangeRoutes(registerEndpoint)
  accountRoutes(registerEndpoint)
  leverageRoutes(registerEndpoint)
  bankDetailsRoutes(registerEndpoint)
  await depositRoutes(server, registerEndpoint, dependencies, adoptBankFindings(dependencies))
  withdrawalRoutes(registerEndpoint, storeProof)
  transferRoutes(registerEndpoint)
  checkRoutes(registerEndpoint, checkedKinds, storeProof)
  historyRoutes(registerEndpoint)
  tradingHistoryRoutes(registerEndpoint)
  openPositionRoutes(registerEndpoint)
  statementRoutes(registerEndpoint)
  staffSessionRoutes(registerEndpoint)
  staffRoutes(registerEndpoint)
  firmSettingRoutes(registerEndpoint)
  correctionRoutes(registerEndpoint)
  clientMoneyRoutes(registerEndpoint)
  reconciliationRoutes(registerEndpoint)
  auditRoutes(registerEndpoint)
  failedOperationRoutes(registerEndpoint)
  reportRoutes(registerEndpoint)
  factorResetRoutes(registerEndpoint)
  retentionRoutes(registerEndpoint)
  inboxRoutes(registerEndpoint)
  savedViewRoutes(registerEndpoint)
  overviewRoutes(registerEndpoint)
  recoveryRoutes(registerEndpoint, adoptionsOfFeatures(dependencies))
  await changesRoutes(server, dependencies)
  await liveFigureRoutes(server, dependencies)
}

/** The requests with checks, by kind. */
const checkedKinds: CheckedKinds = {
  withdrawal: async ({ pool }, id) =>
    withdrawalChecked(stageOf((await withdrawalById(pool, id as WithdrawalId))?.state ?? 'pending')),
  transfer: async ({ pool }, id) => transferCheckedIn((await transferById(pool, id as TransferId))?.state ?? 'pending'),
  bank_line: async (_dependencies, _id, { client }) => (client === undefined ? returnChecked : matchChecked(client)),
  deposit: async () => uncreditedChecked,
  client: async () => clientApprovalChecked,
  account: async () => accountOpeningChecked,
  leverage_request: async () => leverageChecked,
  bank_details: async (_dependencies, _id, { holder }) => bankChecked(holder),
  correction: async () => correctionChecked,
}

/** Returns the kinds of operations at integrations. */
export function operationKinds(dependencies: Dependencies): OperationKind[] {
  return [
    mailOperation(dependencies),
    resetOperation(dependencies),
    balanceOperation(
      dependencies,
      {
        ...accountLegs,
        ...correctionLegs,
        ...depositLegs,
        ...differenceLegs,
        ...transferLegs(dependencies),
        ...withdrawalLegs,
        'deal-reversal': (tx, operation, ...rest) =>
          (operation.subject === 'recovery_item' ? reversalSettled : differenceLegs['deal-reversal'])(
            tx,
            operation,
            ...rest,
          ),
      },
      { ...transferHeld, ...withdrawalHeld },
    ),
    accountOperation(dependencies),
    leverageOperation(dependencies),
    statusOperation(dependencies),
    refundOperation(dependencies, cardRefundKind, lostRefundSettled),
    refundOperation(dependencies, depositRefundKind, depositRefundSettled),
  ]
}

/**
 * Returns the adoption of what bank statements show of lost time: paid payouts, and the transactions of adopted bank
 * transfers.
 */
function adoptBankFindings(dependencies: Dependencies): Adopting['adoptPayouts'] {
  return async (tx, auditContext) => {
    await adoptLines(tx, dependencies.keys, auditContext)
    return adoptPayouts(tx, auditContext)
  }
}

/** Returns the features' functions with which recovery adopts what it finds (requirements 20.13). */
export function adoptionsOfFeatures(dependencies: Dependencies): Adopting {
  return {
    kinds: operationKinds(dependencies),
    adoptions: {
      withdrawal: withdrawalAdoption,
      transfer: transferAdoption,
      deposit: depositAdoption,
      correction: correctionAdoption,
    },
    keys: dependencies.keys,
    adoptPayouts: adoptBankFindings(dependencies),
    assignCheckout: (tx, checkout, auditContext) => assignCheckout(tx, dependencies.keys, checkout, auditContext),
    linesOfAdopted: (connection, deposit, now) => linesOfAdopted(connection, dependencies.keys, deposit, now),
    takeChosenLine: (tx, deposit, line, auditContext) =>
      adoptChosenLine(tx, dependencies.keys, deposit, line, auditContext),
  }
}

/** Returns the scheduled tasks. */
export function scheduledTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    { name: 'seal', everyMs: 1_000, run: async () => void (await appendToChain(dependencies.jobs)) },
    reencryptTask(dependencies),
    ...platformTasks(dependencies),
    ...accessTasks(dependencies),
    ...accountTasks(dependencies),
    ...liveFigureTasks(dependencies),
    ...depositTasks(dependencies),
    ...linkTasks(dependencies),
    ...documentTasks(dependencies),
    ...fileTasks(dependencies),
    ...reconciliationTasks(dependencies),
    ...overviewTasks(dependencies, showClientMoney),
    ...reportTasks(dependencies),
    ...retentionTasks(dependencies),
    ...tradingHistoryTasks(dependencies),
    ...statementTasks(dependencies, storeDocument),
    unsettledTask(
      dependencies,
      operationKinds(dependencies).map(({ kind }) => kind),
    ),
  ]
}

/**
 * Returns the searches for signs that integrations know more than the database, which run before a server sends
 * anything.
 */
export function signSearches(dependencies: Dependencies): SignSearch[] {
  const platforms = connectedPlatforms(dependencies)
  return [
    batchSearch(dependencies),
    ...platforms.map((platform) => dealSearch(dependencies, platform)),
    ...(dependencies.cards ? [checkoutSearch(dependencies)] : []),
  ]
}
