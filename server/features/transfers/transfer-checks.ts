/** The facts that a transfer's checks judge (requirements 19.7 to 19.12). */
import { judgeAll } from '#rules/checks/check.ts'
import { approvalOnlyChecks } from '#rules/checks/account-checks.ts'
import { transferChecks, type TransferFacts } from '#rules/checks/transfer-checks.ts'
import { money } from '#rules/money.ts'
import { isBefore } from '#rules/state-machine.ts'
import { transferMachine, type RateAge } from '#rules/transfers.ts'
import { accountFacts, refreshBalances } from '../../checks/account-facts.ts'
import type { CheckedRequest, CheckTerms } from '../../checks/checked-request.ts'
import { clientFacts, factAsOf } from '../../checks/client-facts.ts'
import { run, type Connection } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { readSetting } from '../../settings/settings.ts'
import { rateAtOf, transferById, type Transfer } from './queries.ts'

const kind = transferMachine.name

export const transferChecked: CheckedRequest<Transfer> = {
  kind,
  isOpen: isBefore(transferMachine, 'approve'),
  find: transferById,
  clientOf: ({ clientId, clientEmail }) => ({ id: clientId, email: clientEmail }),
  involved: ({ decidedBy }) => [decidedBy],
  refresh: (
    dependencies,
    { sourceId: accountId, sourcePlatform: platform, sourceLogin: login, currency },
    seconds,
    now,
  ) => refreshBalances(dependencies, { accountId, platform, login, currency }, seconds, now),
  async lock(tx, { id, clientId, sourceId }) {
    await run(tx)`select 1 from clients where id = ${clientId} for share`
    await run(tx)`select 1 from trading_accounts where id = ${sourceId} for update`
    await run(tx)`select 1 from transfers where id = ${id} for update`
  },
  judge: async (connection, transfer, terms) =>
    judgeAll(transferChecks, await transferFacts(connection, transfer, terms)),
}

const isInProgress = isBefore(transferMachine, 'transferred')

/** Checks before the first leg, without the balance, which the platform checks itself. */
export const transferDebitChecked: CheckedRequest<Transfer> = {
  ...transferChecked,
  // The debit is the last step that these checks can stop: the credit follows without checks.
  isOpen: (transfer) => isInProgress(transfer) && transfer.isDebitWaiting,
  whyClosed: (transfer) =>
    isInProgress(transfer) ? new Problem(transfer.isDebitDone ? 'debit-made' : 'debit-sent') : null,
  judge: async (connection, transfer, terms) =>
    judgeAll(
      transferChecks,
      await transferFacts(connection, transfer, terms),
      (name) => !approvalOnlyChecks.includes(name),
    ),
}

/** Returns the checks of a transfer in a state. */
export function transferCheckedIn(state: Transfer['state']): CheckedRequest<Transfer> {
  return isInProgress({ state }) ? transferDebitChecked : transferChecked
}

async function transferFacts(connection: Connection, transfer: Transfer, terms: CheckTerms): Promise<TransferFacts> {
  const { id, clientId, sourceId: accountId, amountMinor, currency } = transfer
  return {
    ...(await clientFacts(connection, clientId, terms.now)),
    ...(await accountFacts(
      connection,
      { accountId, amount: money(amountMinor, currency), subject: kind, record: id },
      terms,
    )),
    threshold: money(terms.thresholds[currency], currency),
    rate: factAsOf(await rateAgeOf(connection, transfer, terms.now), terms.now),
  }
}

async function rateAgeOf(connection: Connection, transfer: Transfer, now: Date): Promise<RateAge | null> {
  if (transfer.currency === transfer.arrivesCurrency) return null
  const { maxAgeDays } = (await readSetting(connection, 'rates', now)).value
  return { asOf: rateAtOf(transfer)?.toISOString() ?? null, maxAgeDays }
}
