/** Every feature of the server, joined: its routes, its operations towards the outside, its chores. */
import type { FastifyInstance } from 'fastify'
import { sealEvents } from './db/audit-chain.ts'
import { accountChores, accountOperation, legs as accountLegs } from './features/accounts/jobs.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { apiDocsRoutes } from './features/api-docs/routes.ts'
import { bankDetailsRoutes } from './features/bank-details/routes.ts'
import { demoRoutes } from './features/demo/routes.ts'
import { depositChores, legs as depositLegs } from './features/deposits/jobs.ts'
import { depositRoutes } from './features/deposits/routes.ts'
import { historyRoutes } from './features/history/routes.ts'
import { leverageOperation } from './features/leverage/jobs.ts'
import { leverageRoutes } from './features/leverage/routes.ts'
import { checkRoutes, type CheckedKinds } from './features/checks/routes.ts'
import { countryRoutes } from './features/countries/routes.ts'
import { declarationRoutes } from './features/declarations/routes.ts'
import { statusOperation } from './features/professional-status/jobs.ts'
import { professionalRoutes } from './features/professional-status/routes.ts'
import { profileChangeRoutes } from './features/profile-changes/routes.ts'
import { clientRoutes } from './features/clients/routes.ts'
import { documentChores } from './features/documents/jobs.ts'
import { documentRoutes } from './features/documents/routes.ts'
import { fileChores } from './features/files/jobs.ts'
import { storeProof } from './features/files/upload-file.ts'
import { fileRoutes } from './features/files/routes.ts'
import { noticeRoutes } from './features/notifications/routes.ts'
import { resetOperation } from './features/passwords/jobs.ts'
import { passwordRoutes } from './features/passwords/routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { registrationRoutes } from './features/registration/routes.ts'
import { requestStatusRoutes } from './features/request-status/routes.ts'
import { securityRoutes } from './features/security/routes.ts'
import { accessChores } from './features/sessions/jobs.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { settingsRoutes } from './features/public-settings/routes.ts'
import { held as transferHeld, legs as transferLegs } from './features/transfers/jobs.ts'
import { transferRoutes } from './features/transfers/routes.ts'
import { withdrawalById } from './features/withdrawals/queries.ts'
import { stageOf, withdrawalChecked } from './features/withdrawals/withdrawal-checks.ts'
import { transferChecked } from './features/transfers/transfer-checks.ts'
import { withdrawalRoutes } from './features/withdrawals/routes.ts'
import { held as withdrawalHeld, legs as withdrawalLegs } from './features/withdrawals/jobs.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { changesRoutes } from './features/changes/routes.ts'
import { clientMoneyRoutes } from './features/client-money/routes.ts'
import { legs as correctionLegs } from './features/corrections/jobs.ts'
import { correctionRoutes } from './features/corrections/routes.ts'
import { failedJobRoutes } from './features/failed-operations/routes.ts'
import { firmSettingRoutes } from './features/firm-settings/routes.ts'
import { inboxRoutes } from './features/inbox/routes.ts'
import { legs as differenceLegs, reconciliationChores } from './features/reconciliation/jobs.ts'
import { reconciliationRoutes } from './features/reconciliation/routes.ts'
import { factorResetRoutes } from './features/factor-resets/routes.ts'
import { correctionAdoption } from './features/corrections/adopt-correction.ts'
import { depositAdoption } from './features/deposits/adopt-deposit.ts'
import { linesOfAdopted, takeChosenLine, takeLines } from './features/deposits/lines-of-adopted.ts'
import { assignCheckout } from './features/deposits/assign-checkout.ts'
import { reversalSettled } from './features/recovery/reverse-deal.ts'
import { recoveryRoutes } from './features/recovery/routes.ts'
import { refundOperation } from './features/recovery/settle-checkout-item.ts'
import { transferAdoption } from './features/transfers/adopt-transfer.ts'
import { adoptPayouts } from './features/withdrawals/adopt-payouts.ts'
import { withdrawalAdoption } from './features/withdrawals/adopt-withdrawal.ts'
import { retentionChores } from './features/retention/jobs.ts'
import { retentionRoutes } from './features/retention/routes.ts'
import { accountOpeningChecked } from './features/accounts/opening-checks.ts'
import { bankChecked } from './features/bank-details/bank-checks.ts'
import { clientApprovalChecked } from './features/clients/approval-checks.ts'
import { correctionChecked } from './features/corrections/correction-checks.ts'
import { matchChecked, returnChecked } from './features/deposits/line-checks.ts'
import { leverageChecked } from './features/leverage/leverage-checks.ts'
import { reportRoutes } from './features/reports/routes.ts'
import { staffRoutes } from './features/staff/routes.ts'
import { staffSessionRoutes } from './features/staff-sessions/routes.ts'
import type { Pages } from './http/pages.ts'
import { balanceOperation } from './jobs/balance.ts'
import type { OperationKind } from './jobs/operations.ts'
import { unsettledChore } from './jobs/unsettled.ts'
import type { Chore } from './jobs/workers.ts'
import { mailOperation } from './mail/mail-operation.ts'
import { isConnected } from './office/decide.ts'
import { checkoutSearch, dealSearch } from './recovery/deal-search.ts'
import { batchSearch } from './recovery/released-batches.ts'
import type { SignSearch } from './recovery/sending-gate.ts'
import { resealChore } from './crypto/reencrypt.ts'
import type { Serve } from './http/register-endpoint.ts'
import type { Parts } from './dependencies.ts'
import type { Adopting } from './recovery/adopt-deal.ts'

/** Binds every endpoint. `server` is for the few routes that are no JSON calls: files, streams, pages. */
export async function features(server: FastifyInstance, serve: Serve, parts: Parts, pages: Pages): Promise<void> {
  apiDocsRoutes(server, parts)
  await demoRoutes(server, parts)
  settingsRoutes(serve, parts)
  countryRoutes(serve, parts)
  sessionRoutes(serve, parts)
  registrationRoutes(serve, parts, server, pages)
  passwordRoutes(serve, parts)
  securityRoutes(serve, parts)
  requestStatusRoutes(serve, parts)
  profileRoutes(serve, parts)
  declarationRoutes(serve, parts)
  noticeRoutes(serve, parts)
  await fileRoutes(server, serve, parts)
  documentRoutes(serve, parts)
  clientRoutes(serve, parts)
  professionalRoutes(serve, parts)
  profileChangeRoutes(serve, parts)
  accountRoutes(serve, parts)
  leverageRoutes(serve, parts)
  bankDetailsRoutes(serve, parts)
  await depositRoutes(server, serve, parts, adoptBank(parts))
  withdrawalRoutes(serve, parts, storeProof)
  transferRoutes(serve, parts)
  checkRoutes(serve, parts, checkedKinds, storeProof)
  historyRoutes(serve, parts)
  staffSessionRoutes(serve, parts)
  staffRoutes(serve, parts)
  firmSettingRoutes(serve, parts)
  correctionRoutes(serve, parts)
  clientMoneyRoutes(serve, parts)
  reconciliationRoutes(serve, parts)
  auditRoutes(serve, parts)
  failedJobRoutes(serve, parts)
  reportRoutes(serve, parts)
  factorResetRoutes(serve, parts)
  retentionRoutes(serve, parts)
  inboxRoutes(serve, parts)
  recoveryRoutes(serve, parts, adopting(parts))
  await changesRoutes(server, parts)
}

/** What stands on checks, by kind. */
const checkedKinds: CheckedKinds = {
  withdrawal: async ({ pool }, id) => withdrawalChecked(stageOf((await withdrawalById(pool, id))?.state ?? 'pending')),
  transfer: async () => transferChecked,
  bank_line: async (_parts, _id, { client }) => (client === undefined ? returnChecked : matchChecked(client)),
  client: async () => clientApprovalChecked,
  account: async () => accountOpeningChecked,
  leverage_request: async () => leverageChecked,
  bank_details: async (_parts, _id, { holder }) => bankChecked(holder),
  correction: async () => correctionChecked,
}

/** What is done at outsides, kind by kind. */
export function operationKinds(parts: Parts): OperationKind<never>[] {
  return [
    mailOperation(parts),
    resetOperation(parts),
    balanceOperation(
      parts,
      {
        ...accountLegs,
        ...correctionLegs,
        ...depositLegs,
        ...differenceLegs,
        ...transferLegs(parts),
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
    accountOperation(parts),
    leverageOperation(parts),
    statusOperation(parts),
    refundOperation(parts),
  ] as OperationKind<never>[]
}

/** What bank statements show of lost time: payouts that are paid, and the lines of wires that were adopted. */
function adoptBank(parts: Parts): Adopting['adoptPayouts'] {
  return async (tx, act) => {
    await takeLines(tx, parts.keys, act)
    return adoptPayouts(tx, act)
  }
}

/** What recovery needs of the features to adopt what it finds (mechanics section 13). */
export function adopting(parts: Parts): Adopting {
  return {
    kinds: operationKinds(parts),
    adoptions: {
      withdrawal: withdrawalAdoption,
      transfer: transferAdoption,
      deposit: depositAdoption,
      correction: correctionAdoption,
    },
    keys: parts.keys,
    adoptPayouts: adoptBank(parts),
    assignCheckout: (tx, checkout, act) => assignCheckout(tx, parts.keys, checkout, act),
    linesOfAdopted,
    takeChosenLine,
  }
}

/** What time brings. */
export function chores(parts: Parts): Chore[] {
  return [
    { name: 'seal', everyMs: 1_000, run: async () => void (await sealEvents(parts.jobs)) },
    resealChore(parts),
    ...accessChores(parts),
    ...accountChores(parts),
    ...depositChores(parts),
    ...documentChores(parts),
    ...fileChores(parts),
    ...reconciliationChores(parts),
    ...retentionChores(parts),
    unsettledChore(
      parts,
      operationKinds(parts).map(({ kind }) => kind),
    ),
  ]
}

/** Where a server looks for signs that the world knows more than its database, before it sends anything. */
export function signSearches(parts: Parts): SignSearch[] {
  const platforms = (['MT4', 'MT5'] as const).filter((platform) => isConnected(parts, platform))
  return [
    batchSearch(parts),
    ...platforms.map((platform) => dealSearch(parts, platform)),
    ...(parts.cards ? [checkoutSearch(parts)] : []),
  ]
}
