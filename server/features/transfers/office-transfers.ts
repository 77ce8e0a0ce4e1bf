/** Transfers for staff: both accounts, the rate at the request and now, and the reserved amount. */
import type * as office from '#contract/office/transfers.ts'
import { rateBetween, transferMachine } from '#rules/transfers.ts'
import type { Currency } from '#rules/money.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { withdrawableAmount, cachedSnapshot, type AccountSnapshot } from '../../ledger/account-snapshot.ts'
import { reservedFor, reservedOf } from '../../ledger/reservations.ts'
import { answerText } from '../../office/answer-text.ts'
import { absentPlatform, ownRequest } from '../../office/decide.ts'
import { isNotSentYet } from '../../jobs/cancel-unsent.ts'
import { queuePage } from '../../office/listing.ts'
import { clientBrief, recordFieldsOf, pageCheck } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { commentText } from '../../i18n/format.ts'
import {
  legsOf,
  rateAtOf,
  transferById,
  transferColumns,
  transferListing,
  type LegRow,
  type Transfer,
} from './queries.ts'
import { transferChecked, transferCheckedIn } from './transfer-checks.ts'

const kind = transferMachine.name

function factsOf(transfer: Transfer) {
  const { sourceLogin, destinationLogin, amountMinor, arrivesMinor } = transfer
  const numbers = { sourceNumber: sourceLogin, destinationNumber: destinationLogin }
  return { ...transfer, ...numbers, amount: amountMinor, arrives: arrivesMinor }
}

export const listOfficeTransfers: Handler<typeof office.listOfficeTransfers> = (dependencies, context) =>
  queuePage(dependencies, kind, transferListing, transferColumns, context, (transfer: Transfer) => ({
    createdAt: transfer.requestedAt,
    ...factsOf(transfer),
  }))

export const getOfficeTransfer: Handler<typeof office.getOfficeTransfer> = async (dependencies, context) => {
  const { pool } = dependencies
  const transfer = requireFound(await transferById(pool, context.params.id))
  const { id, currency, sourceId, state } = transfer
  const checked = transferCheckedIn(state)
  const checks = await checksOfPage(dependencies, context as RequestContext, checked, transfer)
  // Once the transfer is decided, current balances are not those of the decision.
  const isOpen = state === 'pending' || state === 'processing'
  const source = isOpen ? await cachedSnapshot(pool, sourceId, currency) : null
  const destination = isOpen ? await cachedSnapshot(pool, transfer.destinationId, transfer.arrivesCurrency) : null
  const reserved = await reservedOf(pool, sourceId)
  const here = await reservedFor(pool, kind, id)
  const left = source && withdrawableAmount(source).minor - reserved
  const { pairs } = await dependencies.settings.get('rates')
  const rateNow = rateBetween(currency, transfer.arrivesCurrency, pairs)
  const ledger = (amount: bigint) => ({ amount: isOpen ? amount : null, currency, at: null })
  return {
    transfer: {
      ...factsOf(transfer),
      ...(await fieldsOf(dependencies, context as RequestContext, transfer, checks.refusal)),
      checks: transferChecked.isOpen(transfer)
        ? [pageCheck('rate-unchanged', rateNow === transfer.rate ? 'ok' : 'warn', transfer.rate, rateNow)]
        : [],
      decisionChecks: checks.shown,
      client: await clientBrief(dependencies, transfer.clientId),
      source: accountSide(sourceId, transfer.sourceLogin, transfer.sourcePlatform, currency, source),
      destination: accountSide(
        transfer.destinationId,
        transfer.destinationLogin,
        transfer.destinationPlatform,
        transfer.arrivesCurrency,
        destination,
      ),
      comment: commentText(transfer.comment, context.language),
      rateAt: rateAtOf(transfer),
      rateNow,
      setAsideHere: ledger(-here),
      setAsideElsewhere: ledger(-(reserved - here)),
      freeAfter: { amount: left, currency, at: source?.readAt ?? null },
      legs: (await legsOf(pool, id)).map((leg) => ({
        ...leg,
        leg: legNames[leg.leg],
        lastError: answerText(leg.lastError, context.language),
      })),
    },
  }
}

const legNames = {
  'transfer-withdraw': 'withdraw',
  'transfer-deposit': 'deposit',
  'transfer-compensate': 'compensate',
} as const satisfies Record<LegRow['leg'], string>

function accountSide(
  id: string,
  number: string,
  platform: string,
  currency: Currency,
  figures: AccountSnapshot | null,
) {
  const fact = (amount: bigint | undefined) => ({
    amount: amount ?? null,
    currency,
    at: figures?.readAt ?? null,
  })
  return {
    id,
    number,
    platform,
    balance: fact(figures?.balance.minor),
    freeMargin: fact(figures?.freeMargin?.minor),
    openPositions: figures?.openPositions ?? null,
  }
}

async function fieldsOf(
  dependencies: Dependencies,
  context: RequestContext,
  transfer: Transfer,
  block: Problem | null,
) {
  const own = ownRequest(context, transfer.clientEmail)
  const absent = absentPlatform(dependencies, transfer.sourcePlatform, transfer.destinationPlatform)
  return recordFieldsOf(context, dependencies, {
    ...transfer,
    createdAt: transfer.requestedAt,
    decidedAt: transfer.approvedAt ?? transfer.rejectedAt,
    reason: commentText(transfer.comment, context.language) || null,
    machine: transferMachine,
    refusals: {
      approve: own ?? absent ?? block,
      reject: own ?? ((await isNotSentYet(dependencies.pool, transfer)) ? null : new Problem('wrong-state')),
    },
  })
}
