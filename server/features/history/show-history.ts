/** The client's history: the newest of all three lists, or one list filtered, sorted and paged (requirements 11.3). */
import { msg, type Labels } from '#contract/message.ts'
import type {
  countTransferHistory as countsEndpoint,
  getTransferHistory as endpoint,
  getTransferTimeline as timelineEndpoint,
  HistoryList,
} from '#contract/history.ts'
import type { Language } from '#rules/choices.ts'
import { minorOf, money } from '#rules/money.ts'
import { delayedUntil } from '../../checks/client-facts.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import { methodNames } from '../../settings/method-names.ts'
import { between } from '../../office/lists.ts'
import { isMoment, readCursor, writeCursor } from '../../office/page-cursor.ts'
import type { Dependencies } from '../../dependencies.ts'
import { stoppedActions } from '../../recovery/stopped-money.ts'
import { amountText, commentText } from '../../i18n/format.ts'
import { translate } from '../../i18n/translate.ts'
import {
  historyPageWithCount,
  historyCounts,
  historyEvents,
  historyPage,
  historyFirstPages,
  newestFirst,
  noFilter,
  type HistoryFilter,
  type HistoryOrder,
} from './queries.ts'
import { wireArrivedAt } from '../deposits/queries.ts'
import type { HistoryLabels } from './read-row.ts'

const firstSize = 20

interface Filters {
  readonly account?: string | undefined
  readonly status?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Returns the filters of a query, its days as instants in the firm's time zone. */
export async function filterOf(dependencies: Dependencies, query: Filters): Promise<HistoryFilter> {
  const { timeZone } = await dependencies.settings.get('firm')
  return { account: query.account ?? null, status: query.status ?? null, ...between(query, timeZone) }
}

/** Returns the labels for rows in a language. */
export async function historyLabels(dependencies: Dependencies, language: Language): Promise<HistoryLabels> {
  return { language, method: await methodNames(dependencies, language) }
}

export const getTransferHistory: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { list, size, sort = 'timestamp', direction } = context.query
  const filter = await filterOf(dependencies, context.query)
  const words = await historyLabels(dependencies, context.language)
  const pageSize = size === undefined ? firstSize : Number(size)
  const ascending = direction === 'asc'
  const place = placeOf(context.query.cursor, list, sort, ascending)
  const order: HistoryOrder = { sort, ascending, after: place, size: pageSize + 1 }
  if (list === undefined) {
    const found = await historyFirstPages(dependencies.pool, clientId, filter, order, words)
    const next = (name: HistoryList) => cursorAfter(found[name], name, order)
    return {
      deposits: found.deposits.slice(0, pageSize),
      withdrawals: found.withdrawals.slice(0, pageSize),
      transfers: found.transfers.slice(0, pageSize),
      next: { deposits: next('deposits'), withdrawals: next('withdrawals'), transfers: next('transfers') },
    }
  }
  const { page, total } =
    place?.total === undefined
      ? await historyPageWithCount(dependencies.pool, list, clientId, filter, order, words)
      : { page: await historyPage(dependencies.pool, list, clientId, filter, order, words), total: place.total }
  return { [list]: page.slice(0, pageSize), total, next: cursorAfter(page, list, order, total) }
}

export const countTransferHistory: Handler<typeof countsEndpoint> = async (dependencies, context) =>
  historyCounts(dependencies.pool, requireClient(context).clientId, await filterOf(dependencies, context.query))

/**
 * Returns the cursor of the next page, or undefined if the extra row that was read does not exist. It contains the
 * count, so that no later page counts again.
 */
function cursorAfter(
  page: readonly { id: string; place: string }[],
  list: HistoryList,
  order: HistoryOrder,
  total?: number | null,
): string | null {
  const last = page[order.size - 2]
  if (page.length < order.size || !last) return null
  const counted = total === undefined ? [] : [total]
  return writeCursor([list, order.sort, order.ascending ? 1 : 0, last.place, last.id, ...counted])
}

interface Place {
  readonly value: string
  readonly id: string
  /** The count of the first page; absent from a cursor of the three lists together. */
  readonly total: number | null | undefined
}

/**
 * Returns the position of a cursor. Throws for one of another list, sort or direction, or one that we did not issue.
 */
function placeOf(
  cursor: string | undefined,
  list: HistoryList | undefined,
  sort: string,
  ascending: boolean,
): Place | null {
  if (cursor === undefined) return null
  const [ofList, ofSort, ofDirection, value, id, total] = readCursor(cursor)
  const isSameList = ofList === list && ofSort === sort && ofDirection === (ascending ? 1 : 0)
  if (!isSameList || typeof value !== 'string' || value.length > 100 || typeof id !== 'string' || !isUuid(id))
    throw new Problem('cursor-invalid', { field: 'cursor' })
  const timed = sort.startsWith('time')
  const counted = sort.endsWith('Amount') || sort.endsWith('Sent')
  const isText = !value.includes('\0') && value.isWellFormed()
  if (!isText || (timed && value !== '-infinity' && !isMoment(value)) || (counted && !/^\d{1,18}$/.test(value)))
    throw new Problem('cursor-invalid', { field: 'cursor' })
  if (total !== undefined && total !== null && !Number.isSafeInteger(total))
    throw new Problem('cursor-invalid', { field: 'cursor' })
  return { value, id, total: total as number | null | undefined }
}

/** Labels of the steps that a client sees. Other steps are internal. */
const stepLabels: Labels = {
  request: msg`Requested`,
  match: msg`Payment identified`,
  paid: msg({ message: 'Paid', context: 'by the client' }),
  credited: msg`Credited to the trading account`,
  paidLate: msg`Paid after the deposit had ended`,
  review: msg`In review`,
  credit: msg`Sent to the trading account again`,
  refund: msg`Refund requested from the provider`,
  refundFailed: msg`Refund rejected by the provider`,
  repaid: msg`Payment returned in full`,
  returnReversed: msg`Return reversed by the provider`,
  declined: msg`Payment failed`,
  refused: msg`Rejected by the trading platform`,
  reject: msg`Rejected`,
  rejectLastBalance: msg`Rejected`,
  cancel: msg`Cancelled by you`,
  expire: msg`Expired`,
  approve: msg`Approved`,
  approveLastBalance: msg`Approved`,
  confirm: msg`Approved`,
  debited: msg`Debited from the trading account`,
  pay: msg`Sent to your bank`,
  reverse: msg`Not paid out, credited back to the trading account`,
  return: msg`Returned by the bank`,
  transferred: msg`Transferred`,
  refunded: msg`Refunded by the provider`,
  returned: msg`Returned to you`,
  charged_back: msg`Charged back by the provider`,
}
export const recordKinds = { deposits: 'deposit', withdrawals: 'withdrawal', transfers: 'transfer' } as const
const actionsWithReason = ['reject', 'rejectLastBalance', 'refused', 'declined', 'expire', 'return', 'review']
/** The comment of a record is that of the last of these; the others replace it without a reason. */
const actionsWithComment = [...actionsWithReason, 'paid', 'paidLate', 'repaid', 'reopen', 'credit', 'adopt']

/** The states of a withdrawal whose money has not left the firm. */
const undelivered: readonly string[] = ['pending', 'processing', 'approved']

export const getTransferTimeline: Handler<typeof timelineEndpoint> = async (dependencies, context) => {
  const { list, id } = context.params
  const { clientId } = requireClient(context)
  const found = requireFound(await historyEvents(dependencies.pool, list, clientId, id))
  const words = await historyLabels(dependencies, context.language)
  const [own] = await historyPage(
    dependencies.pool,
    list,
    clientId,
    { ...noFilter, id },
    { ...newestFirst, size: 1 },
    words,
  )
  const stopped = await stoppedActions(dependencies.pool, recordKinds[list], id)
  const isDelayable = list === 'withdrawals' && own !== undefined && undelivered.includes(own.status)
  const checks = await dependencies.settings.get('checks')
  const continuesAt = isDelayable ? await delayedUntil(dependencies.pool, clientId, checks, context.now) : null
  const arrivedAt = list === 'deposits' ? await wireArrivedAt(dependencies.pool, id) : null
  const commented = found.findLast(({ verb }) => actionsWithComment.includes(verb))
  return {
    [recordKinds[list]]: own,
    cancelStopped: stopped.has('cancel'),
    continuesAt,
    arrivedAt,
    timeline: found.flatMap((event) => {
      const { verb: action, at, state, comment, amount, currency } = event
      const step = stepLabels[action]
      // A request in second approval is still pending to the client (requirements 9.6).
      if (!step || state === 'second_approval') return []
      const hasReason = event === commented && actionsWithReason.includes(action) && comment !== ''
      const why = hasReason ? `: ${commentText(comment, context.language)}` : ''
      const part = amount === null ? '' : `: ${amountText(money(minorOf(amount) ?? 0n, currency), context.language)}`
      return [
        { verb: action, state: state ?? 'approved', at, text: `${translate(step, context.language)}${part}${why}` },
      ]
    }),
  }
}
