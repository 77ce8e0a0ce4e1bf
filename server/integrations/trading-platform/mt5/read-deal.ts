/** Reads a deal in the Web API's format. An unreadable field affects only its own account (ADR 328). */
import { rowOfDeal } from '#rules/closed-trades.ts'
import { unreadableAction, rawOf, removeControlCharacters, type UnreadableField } from '../unreadable-records.ts'
import type { PlatformDeal, Unreadable } from '../trade-history.ts'
import { amountOf, priceText, nullIfUnreadable, volumeField, volumeOf } from './values.ts'

type WireRecord = Record<string, unknown>

/** Digits that fit into the columns: 8 bytes, and 2 for codes. */
const numberPattern = /^\d{1,18}$/
const codePattern = /^\d{1,4}$/
const volumeMax = 10n ** 18n
/** Until the year 2286. */
const timePatterns = { TimeMsc: /^\d{1,13}$/, Time: /^\d{1,10}$/ }

/**
 * Returns a deal; `unreadable` names the first field that cannot be read. `owner`: the account whose deals were
 * requested, if it was only one.
 */
export function dealFrom(deal: WireRecord, owner: string | null): PlatformDeal {
  const unreadableFields: UnreadableField[] = []
  const read = <Value>(field: string, reason: Unreadable['reason'], value: Value | null, instead: Value): Value => {
    if (value === null) unreadableFields.push({ field, reason: deal[field] === undefined ? 'missing' : reason })
    return value ?? instead
  }
  const text = (field: string) => (typeof deal[field] === 'string' ? removeControlCharacters(deal[field]) : null)
  const matching = (field: string, pattern: RegExp) => {
    const value = text(field)
    return value !== null && pattern.test(value) ? value : null
  }
  const number = (field: string) => read(field, 'number', matching(field, numberPattern), '0')
  const code = (field: string) => Number(read(field, 'number', matching(field, codePattern), '0'))
  const amount = (field: string) =>
    read(
      field,
      'amount',
      nullIfUnreadable(() => amountOf(deal, field)),
      0n,
    )
  const volume = (name: string) => {
    const value = nullIfUnreadable(() => volumeOf(deal, name))
    return read(volumeField(deal, name), 'number', value !== null && value <= volumeMax ? value : null, 0n)
  }
  const price = (field: string) =>
    read(
      field,
      'number',
      nullIfUnreadable(() => priceText(deal, field) ?? ''),
      '',
    ) || null
  const timeField = deal.TimeMsc === undefined ? 'Time' : 'TimeMsc'
  const login = read('Login', 'number', matching('Login', numberPattern), owner ?? '')
  const ticket = read('Deal', 'number', matching('Deal', numberPattern), '')
  const time = Number(read(timeField, 'time', matching(timeField, timePatterns[timeField]), '0'))
  const isPlaced = unreadableFields.length === 0
  const action = Number(read('Action', 'action', matching('Action', codePattern), String(unreadableAction)))
  const found = {
    ticket: isPlaced ? ticket : '',
    login,
    order: number('Order'),
    position: number('PositionID'),
    symbol: read('Symbol', 'missing', text('Symbol'), ''),
    action,
    entry: code('Entry'),
    reason: code('Reason'),
    volume: volume('Volume'),
    closedVolume: volume('VolumeClosed'),
    price: price('Price') ?? '0',
    pricePosition: price('PricePosition') ?? '0',
    stopLoss: price('PriceSL'),
    takeProfit: price('PriceTP'),
    profit: amount('Profit'),
    swap: amount('Storage'),
    commission: amount('Commission'),
    // Servers from before this field do not send it.
    fee: deal.Fee === undefined ? 0n : amount('Fee'),
    // Only the comment of a balance operation says whether it is ours.
    comment: action === 2 ? read('Comment', 'missing', text('Comment'), '') : (text('Comment') ?? ''),
    time: timeField === 'Time' ? time * 1000 : time,
  }
  // Whether it moved balance or credit is not known.
  if (unreadableFields.length === 0 && rowOfDeal(action, null) === 'unknown')
    unreadableFields.push({ field: 'Action', reason: 'action' })
  const [first] = unreadableFields
  const { Comment: _left, ...sent } = deal
  return first === undefined ? found : { ...found, unreadable: { ...first, raw: rawOf(sent) } }
}
