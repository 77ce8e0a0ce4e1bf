/** Deposits and bank transactions for staff. */
import type { getOfficeDeposit as getEndpoint, listOfficeDeposits as listEndpoint } from '#contract/office/deposits.ts'
import type { getBankLine as lineEndpoint, listBankLines as linesEndpoint } from '#contract/office/bank-lines.ts'
import type { Check } from '#contract/office/briefs.ts'
import { namesMatch, bankLineMachine, depositMachine } from '#rules/deposits.ts'
import { referencesIn } from '#rules/references.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import type { Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, problemText, requireFound } from '../../http/problem.ts'
import { payoutByReference, payoutOfLine, payoutsFor, type ReturnedPayout } from '../../ledger/returned-payouts.ts'
import { methodNames } from '../../settings/method-names.ts'
import { absentPlatform, ownRequest } from '../../office/decide.ts'
import { pageOf, queuePage } from '../../office/listing.ts'
import { latestOperation } from '../../office/lists.ts'
import { clientBrief, clientsOf, recordFieldsOf, viewersOf, pageCheck } from '../../office/records.ts'
import { timelineOf } from '../../office/timeline.ts'
import type { CheckoutStatus } from '../../integrations/card-provider/payment-provider.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { commentText } from '../../i18n/format.ts'
import { payoutReturnProblem, suggestMatches, bankLineResponse, bankLineResponses } from './bank-line-responses.ts'
import { openWiresFor, unmatchedLinesFor } from './match-queries.ts'
import { creditProblem, refundProblem } from './decide-uncredited.ts'
import { ownStatus, queryStatuses } from './settle-checkout.ts'
import { uncreditedChecked } from './uncredited-checks.ts'
import {
  bankLineById,
  bankLineListing,
  depositById,
  depositColumns,
  depositListing,
  lineColumns,
  type BankLine,
  type Deposit,
} from './queries.ts'

function factsOf(deposit: Deposit, methodName: (kept: string) => string) {
  return {
    ...deposit,
    accountNumber: deposit.login,
    method: methodName(deposit.method),
    amount: deposit.amountMinor,
    received: deposit.receivedMinor,
    fee: deposit.feeMinor,
    refunded: deposit.refundedMinor - deposit.chargedBackMinor,
    chargedBack: deposit.chargedBackMinor,
  }
}

export const listOfficeDeposits: Handler<typeof listEndpoint> = async (dependencies, context) => {
  const methodName = await methodNames(dependencies, context.language)
  return queuePage(dependencies, depositMachine.name, depositListing, depositColumns, context, (deposit: Deposit) => ({
    createdAt: deposit.requestedAt,
    ...factsOf(deposit, methodName),
  }))
}

export const getOfficeDeposit: Handler<typeof getEndpoint> = async (dependencies, context) => {
  const { pool } = dependencies
  const deposit = requireFound(await depositById(pool, context.params.id))
  const { id, accountId, clientId, comment } = deposit
  const line = deposit.bankLine === null ? null : await bankLineById(pool, deposit.bankLine)
  const decisionChecks = await checksOfPage(dependencies, context as RequestContext, uncreditedChecked, deposit)
  const status = await statusAtProvider(dependencies, deposit, context.now)
  const waits = deposit.state === 'pending' && deposit.type === 'wire'
  const open = waits ? await unmatchedLinesFor(pool, deposit) : []
  const fits = await suggestMatches(pool, open, [deposit])
  const shown = await bankLineResponses(
    context as RequestContext,
    pool,
    fits.map((fit) => fit.line),
  )
  return {
    deposit: {
      ...factsOf(deposit, await methodNames(dependencies, context.language)),
      ...(await fieldsOf(dependencies, context as RequestContext, deposit, { block: decisionChecks.refusal, status })),
      checks: checksOf(deposit, line),
      decisionChecks: decisionChecks.shown,
      client: await clientBrief(dependencies, clientId),
      account: { id: accountId, number: deposit.login, platform: deposit.platform },
      comment: commentText(comment, context.language),
      line: line && (await bankLineResponse(context as RequestContext, pool, line)),
      suggestions: fits.flatMap(({ reasons, difference }, index) => {
        const one = shown[index]
        return one ? [{ line: one, reasons, difference }] : []
      }),
      provider: deposit.provider === null ? null : providerOf(deposit, status),
      operation: await latestOperation(pool, { subject: depositMachine.name, record: id, language: context.language }),
    },
  }
}

async function fieldsOf(
  dependencies: Dependencies,
  context: RequestContext,
  deposit: Deposit,
  { block, status }: { readonly block: Problem | null; readonly status: CheckoutStatus | null },
) {
  const own = ownRequest(context, deposit.clientEmail)
  const refunding = await refundProblem(dependencies.pool, deposit.id, status)
  const notWire = deposit.type === 'wire' ? null : new Problem('wrong-state', { values: { state: deposit.state } })
  return recordFieldsOf(context, dependencies, {
    ...deposit,
    createdAt: deposit.requestedAt,
    decidedAt: deposit.approvedAt ?? deposit.rejectedAt,
    reason: commentText(deposit.comment, context.language) || null,
    machine: depositMachine,
    refusals: {
      match: own ?? notWire ?? absentPlatform(dependencies, deposit.platform),
      reject: own,
      credit: own ?? refunding ?? (await creditProblem(dependencies, dependencies.pool, deposit)) ?? block,
      refund:
        own ??
        refunding ??
        (deposit.providerId === null ? new Problem('provider-payment-unknown') : null) ??
        absentPlatform(dependencies, deposit.platform) ??
        block,
    },
  })
}

/** Returns the provider's current status while the payment is undecided; null if it does not respond in time. */
async function statusAtProvider(dependencies: Dependencies, deposit: Deposit, now: Date) {
  const asks =
    deposit.providerId !== null && ['pending', 'in_review', 'uncredited'].includes(deposit.state)
      ? dependencies.cards
      : null
  const statuses = asks && (await queryStatuses(dependencies, asks, deposit, now).catch(nullIfIntegrationError))
  return statuses && ownStatus(deposit, statuses)
}

function providerOf({ provider, providerId, refundedMinor }: Deposit, status: CheckoutStatus | null) {
  return { name: provider ?? '', id: providerId, state: status?.state ?? null, refunded: refundedMinor }
}

function nullIfIntegrationError(error: unknown): null {
  if (isIntegrationError(error)) return null
  throw error
}

function checksOf(deposit: Deposit, line: BankLine | null): Check[] {
  if (!line) return []
  const verdict = (same: boolean) => (same ? 'ok' : 'differs')
  const [announced, received] = [deposit.amountMinor, line.amountMinor]
  return [
    pageCheck('amount-announced', verdict(announced === received), announced, received),
    pageCheck('payer-is-client', verdict(namesMatch(line.payer, deposit.clientName)), deposit.clientName, line.payer),
  ]
}

export const listBankLines: Handler<typeof linesEndpoint> = async (dependencies, context) => {
  const { rows, next } = await pageOf(dependencies, bankLineListing, lineColumns, context.query)
  return { rows: await bankLineResponses(context as RequestContext, dependencies.pool, rows), next }
}

export const getBankLine: Handler<typeof lineEndpoint> = async (dependencies, context) => {
  const { pool } = dependencies
  const line = requireFound(await bankLineById(pool, context.params.id))
  const waits = line.state === 'unmatched' && line.amountMinor > 0n
  const fits = waits ? await suggestMatches(pool, [line], await openWiresFor(pool, line)) : []
  const payouts = waits ? await payoutsFor(pool, line, referencesIn(line.remittance), context.now) : []
  const clientOf = await clientsOf(dependencies, [...fits.map(({ deposit }) => deposit), ...payouts])
  return {
    line: await bankLineResponse(context as RequestContext, pool, line),
    suggestions: fits.flatMap(({ deposit, reasons, difference }) => {
      const client = clientOf(deposit.clientId)
      if (!client) return []
      return {
        ...deposit,
        depositId: deposit.id,
        client,
        accountNumber: deposit.login,
        amount: deposit.amountMinor,
        announcedAt: deposit.requestedAt,
        reasons,
        difference,
      }
    }),
    payouts: payouts.flatMap((payout) => {
      const client = clientOf(payout.clientId)
      return client ? [{ ...payoutResponse(context as RequestContext, line, payout), client }] : []
    }),
    ...(await matchedRecords(dependencies, line)),
    timeline: await timelineOf(pool, [bankLineMachine.name], line.id, context.language),
    viewers: await viewersOf(pool, line.id, requireStaff(context), context.now),
  }
}

/** Returns a payout that the bank transaction may return, with the reason if it cannot be assigned to it. */
function payoutResponse(context: RequestContext, line: BankLine, payout: ReturnedPayout) {
  const { id, reference, state, sentMinor } = payout
  const code = payoutReturnProblem(line, payout, requireStaff(context).staffId)
  return {
    withdrawalId: id,
    reference,
    state,
    sent: sentMinor,
    charge: sentMinor - line.amountMinor,
    refusal: code && { code, text: problemText(code, context.language) },
  }
}

/** Returns the payout that a bank transaction sent or returned, or null. */
async function payoutOfBankLine(connection: Connection, line: BankLine): Promise<ReturnedPayout | null> {
  if (line.amountMinor < 0n) return payoutByReference(connection, referencesIn(line.remittance))
  return line.state === 'came_back' ? payoutOfLine(connection, line.id) : null
}

/** Returns the deposit or payout that a bank transaction was matched to. */
async function matchedRecords({ pool }: Dependencies, line: BankLine) {
  const deposit = line.depositId === null ? null : await depositById(pool, line.depositId)
  const payout = await payoutOfBankLine(pool, line)
  return {
    deposit: deposit && { id: deposit.id, reference: deposit.reference },
    withdrawal: payout && {
      id: payout.id,
      reference: payout.reference,
      accountNumber: payout.login,
      charge: line.amountMinor < 0n ? -line.amountMinor - payout.sentMinor : payout.sentMinor - line.amountMinor,
    },
  }
}
