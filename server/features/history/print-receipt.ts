/** Receipts of deposits, withdrawals and transfers, for their client and for staff (requirements 24.30). */
import { msg, type Message } from '#contract/message.ts'
import {
  receiptStatuses,
  type DepositRow,
  type HistoryList,
  type receiptPdf as endpoint,
  type TransferRow,
  type WithdrawalRow,
} from '#contract/history.ts'
import type { officeReceiptPdf as officeEndpoint } from '#contract/office/receipts.ts'
import { statusLabels } from '#contract/status-labels.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import type { ClientId } from '#rules/ids.ts'
import { subtractFee, money, type Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isUuid } from '../../db/ids.ts'
import { BinaryResponse, requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { amountText, timeText } from '../../i18n/format.ts'
import { stateText, translate } from '../../i18n/translate.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import { isolateDirection } from '../../pdf/scripts.ts'
import { requesterById } from '../clients/queries.ts'
import { columnLabels, rateText } from './file-labels.ts'
import { recordWithClient } from './queries.ts'
import type { render } from './render-receipt.ts'
import { historyLabels, recordKinds } from './show-history.ts'

const renderer = new URL('./render-receipt.ts', import.meta.url)

const titles = {
  deposits: msg`Deposit receipt`,
  withdrawals: msg`Withdrawal receipt`,
  transfers: msg`Transfer receipt`,
} as const satisfies Record<HistoryList, Message>
const labels = {
  ...columnLabels,
  requested: msg`Requested`,
  approved: statusLabels.approved,
  paid: statusLabels.paid,
  returned: statusLabels.returned,
  payout: msg`Payout amount`,
  creditedBack: msg`Credited back to the account`,
  created: msg`Created`,
} as const
const verify = msg`To verify this receipt, contact {firm} and quote the reference {reference}.`

interface Reader {
  readonly language: Language
  readonly timeZone: string
}
type Row = readonly [label: keyof typeof labels, value: string | null]

export const printReceipt: Handler<typeof endpoint> = (dependencies, context) =>
  receiptOf(dependencies, context, requireClient(context).clientId)

export const printOfficeReceipt: Handler<typeof officeEndpoint> = (dependencies, context) =>
  receiptOf(dependencies, context, null)

interface ReceiptContext extends Pick<RequestContext, 'language' | 'now'> {
  readonly params: { readonly list: HistoryList; readonly id: string }
}

/** Throws `not-found` for another client's payment, and `wrong-state` for one without a receipt. */
async function receiptOf(
  dependencies: Dependencies,
  { params: { list, id }, language, now }: ReceiptContext,
  clientId: ClientId | null,
): Promise<BinaryResponse> {
  if (!isUuid(id)) throw new Problem('not-found')
  const words = await historyLabels(dependencies, language)
  const found = requireFound(await recordWithClient(dependencies.pool, list, { id, clientId }, words))
  if (!receiptStatuses.includes(found.status))
    throw new Problem('wrong-state', { values: { state: found.status, record: recordKinds[list] } })
  const { legalName: firm, timeZone } = await dependencies.settings.get('firm')
  const { name, surname } = await requesterById(dependencies.pool, found.clientId)
  const reader = { language, timeZone }
  const { amount, rows } = factsOf(list, found, reader)
  const { reference } = found
  const receipt = {
    firm,
    title: translate(titles[list], language),
    client: `${name} ${surname}`,
    amount,
    status: stateText(recordKinds[list], found.status, language),
    rows: rows.flatMap(([label, value]) =>
      value === null ? [] : [[translate(labels[label], language), value] as const],
    ),
    verify: translate(verify, language, { firm, reference }),
    created: `${translate(labels.created, language)} ${timeText(now, language, timeZone)} (${timeZone})`,
    language,
  }
  return new BinaryResponse(await renderPdf<typeof render>(renderer, receipt), `receipt-${reference}.pdf`)
}

function factsOf(
  list: HistoryList,
  record: DepositRow | WithdrawalRow | TransferRow,
  reader: Reader,
): { amount: string; rows: Row[] } {
  if (list === 'deposits') return depositFacts(record as DepositRow, reader)
  if (list === 'withdrawals') return withdrawalFacts(record as WithdrawalRow, reader)
  return transferFacts(record as TransferRow, reader)
}

const text = (minor: bigint, currency: Currency, { language }: Reader) => amountText(money(minor, currency), language)
const time = (at: Date | null, { language, timeZone }: Reader) =>
  at === null ? null : timeText(at, language, timeZone)

function depositFacts(one: DepositRow, reader: Reader): { amount: string; rows: Row[] } {
  const currency = one.depositCurrency
  const received = one.depositAmountReceived ?? one.depositAmountSent
  const credited = text(subtractFee(money(received, currency), money(one.depositFee, currency)).minor, currency, reader)
  const wentBack = (minor: bigint) => (minor > 0n ? text(minor, currency, reader) : null)
  return {
    amount: credited,
    rows: [
      ['reference', one.reference],
      ['account', groupByFour(one.accountNumber)],
      ['method', one.depositMethod],
      ['amount', text(one.depositAmountSent, currency, reader)],
      ['received', text(received, currency, reader)],
      ['fee', text(one.depositFee, currency, reader)],
      ['arrives', credited],
      ['refunded', wentBack(one.depositRefunded)],
      ['chargedBack', wentBack(one.depositChargedBack)],
      ['requested', time(one.timestamp, reader)],
      ['approved', time(one.timeApproved, reader)],
    ],
  }
}

function withdrawalFacts(one: WithdrawalRow, reader: Reader): { amount: string; rows: Row[] } {
  const currency = one.withdrawalCurrency
  const amount = text(one.withdrawalAmount, currency, reader)
  const sent = text(
    subtractFee(money(one.withdrawalAmount, currency), money(one.withdrawalFee, currency)).minor,
    currency,
    reader,
  )
  // A withdrawal reversed before its payout is credited back with its fee; one returned by the bank, with the payout
  // amount.
  const [isPaid, isBack] = [one.timePaid !== null, one.status === 'returned']
  return {
    amount,
    rows: [
      ['reference', one.reference],
      ['from', groupByFour(one.accountNumber)],
      ['method', one.withdrawalMethod],
      ['bank', `${isolateDirection(one.bankName)} …${one.bankEnding}`],
      ['amount', amount],
      ['fee', text(one.withdrawalFee, currency, reader)],
      ['payout', isBack && !isPaid ? null : sent],
      ['creditedBack', isBack ? (isPaid ? sent : amount) : null],
      ['requested', time(one.timestamp, reader)],
      ['approved', time(one.timeApproved, reader)],
      ['paid', time(one.timePaid, reader)],
      ['returned', time(one.timeReturned, reader)],
    ],
  }
}

function transferFacts(one: TransferRow, reader: Reader): { amount: string; rows: Row[] } {
  const amount = text(one.transferAmount, one.transferCurrency, reader)
  const isExchanged = one.transferCurrency !== one.arrivesCurrency
  return {
    amount,
    rows: [
      ['reference', one.reference],
      ['from', groupByFour(one.sourceAccount)],
      ['to', groupByFour(one.destinationAccount)],
      ['amount', amount],
      ['rate', isExchanged ? rateText(one.rate, reader.language) : null],
      ['arrives', text(one.arrives, one.arrivesCurrency, reader)],
      ['requested', time(one.timestamp, reader)],
      ['approved', time(one.timeApproved, reader)],
    ],
  }
}
