/** Closed trades and the sums of an account, derived from its platform's deals (requirements 24.17). */

/** The effect of a deal: volumes in 10⁻⁸ lots, amounts in minor units of the account's currency. */
export interface DealValues {
  readonly symbol: string
  /** MetaTrader's code: 0 buy, 1 sell, 2 balance, 3 credit … */
  readonly action: number
  /** 0 in, 1 out, 2 in and out, 3 out by another position. */
  readonly entry: number
  readonly reason: number
  readonly volume: bigint
  readonly closedVolume: bigint
  readonly price: string
  readonly pricePosition: string
  readonly stopLoss: string | null
  readonly takeProfit: string | null
  readonly profit: bigint
  readonly swap: bigint
  readonly commission: bigint
  readonly fee: bigint
}

/** A stored deal; times in ms by the platform's clock. */
export interface StoredDeal extends DealValues {
  readonly deal: bigint
  readonly position: bigint
  readonly order: bigint
  readonly time: number
}

export interface ClosedTrade extends Omit<
  StoredDeal,
  'action' | 'entry' | 'closedVolume' | 'price' | 'pricePosition' | 'time'
> {
  /** Of the closed position. */
  readonly side: 'buy' | 'sell'
  readonly openPrice: string
  readonly closePrice: string
  /** When the position was opened; null if no opening deal is stored. */
  readonly openedAt: number | null
  readonly closedAt: number
}

/** The open part of a position. */
interface OpenPart {
  readonly at: number
  volume: bigint
  closed: bigint
  /** Price times volume, for the weighted average price. */
  value: number
  commission: bigint
  fee: bigint
  givenCommission: bigint
  givenFee: bigint
}

const entryIn = 0
const entryReversal = 2
const entryCloseBy = 3

/**
 * Returns the closed trades of one position: a row for each deal that closed it in whole or in part. The costs of
 * opening are split by closed volume, rounded toward zero; the last closing deal takes the rest.
 */
export function closedTrades(deals: readonly StoredDeal[]): ClosedTrade[] {
  const trades: ClosedTrade[] = []
  let opened: OpenPart | null = null
  for (const deal of deals.filter(({ action }) => action < 2).toSorted(byTime)) {
    if (deal.entry === entryIn) {
      opened = addOpening(opened, deal, deal.volume)
      continue
    }
    const volume = deal.entry === entryCloseBy || deal.closedVolume === 0n ? deal.volume : deal.closedVolume
    trades.push(tradeOf(deal, volume, opened))
    if (opened !== null && opened.closed >= opened.volume) opened = null
    // The rest after a reversal opens the other side; its costs belong to the deal, which closed.
    if (deal.entry === entryReversal && deal.volume > volume)
      opened = addOpening(null, { ...deal, commission: 0n, fee: 0n }, deal.volume - volume)
  }
  return trades
}

function byTime(one: StoredDeal, other: StoredDeal): number {
  return one.time - other.time || Number(one.deal - other.deal)
}

function addOpening(before: OpenPart | null, deal: StoredDeal, volume: bigint): OpenPart {
  const opened = before ?? {
    at: deal.time,
    volume: 0n,
    closed: 0n,
    value: 0,
    commission: 0n,
    fee: 0n,
    givenCommission: 0n,
    givenFee: 0n,
  }
  opened.volume += volume
  opened.value += Number(deal.price) * Number(volume)
  opened.commission += deal.commission
  opened.fee += deal.fee
  return opened
}

function tradeOf(deal: StoredDeal, volume: bigint, opened: OpenPart | null): ClosedTrade {
  const costs = opened === null ? { commission: 0n, fee: 0n } : shareOf(opened, volume)
  const { commission, fee, position, order, symbol, stopLoss, takeProfit, reason, profit, swap } = deal
  return {
    deal: deal.deal,
    position,
    order,
    symbol,
    side: deal.action === 1 ? 'buy' : 'sell',
    volume,
    openPrice: deal.entry === entryCloseBy ? averageOpenPrice(deal, opened) : deal.pricePosition,
    closePrice: deal.price,
    stopLoss,
    takeProfit,
    reason,
    profit,
    swap,
    commission: commission + costs.commission,
    fee: fee + costs.fee,
    openedAt: opened?.at ?? null,
    closedAt: deal.time,
  }
}

/** Takes the share of the opening costs that belongs to a volume, and records it as used. */
function shareOf(opened: OpenPart, volume: bigint): { commission: bigint; fee: bigint } {
  opened.closed += volume
  const isLast = opened.closed >= opened.volume
  // Division of bigints rounds toward zero.
  const part = (cost: bigint, given: bigint) => (isLast ? cost - given : (cost * volume) / opened.volume)
  const commission = part(opened.commission, opened.givenCommission)
  const fee = part(opened.fee, opened.givenFee)
  opened.givenCommission += commission
  opened.givenFee += fee
  return { commission, fee }
}

function averageOpenPrice(deal: StoredDeal, opened: OpenPart | null): string {
  if (opened === null || opened.volume === 0n) return deal.pricePosition
  return (opened.value / Number(opened.volume)).toFixed(deal.price.split('.')[1]?.length ?? 0)
}

/** The rows of an account's sum for deals other than trades. */
type DealRow = 'deposits' | 'withdrawals' | 'transfers' | 'returned' | 'credit' | 'commission' | 'other' | 'unknown'

const rowsByLeg: Readonly<Record<string, DealRow>> = {
  'deposit-credit': 'deposits',
  'demo-balance': 'deposits',
  'withdrawal-debit': 'withdrawals',
  'withdrawal-reversal': 'returned',
  'withdrawal-return': 'returned',
  'transfer-withdraw': 'transfers',
  'transfer-deposit': 'transfers',
  'transfer-compensate': 'transfers',
}
const balanceAction = 2
const rowsByAction: readonly (readonly [DealRow, readonly number[]])[] = [
  ['credit', [3, 6, 20]],
  ['commission', [7, 8, 9, 10, 11, 18]],
  ['other', [4, 5, 12, 15, 16, 17, 19]],
]
const cancelledActions = [13, 14]

/** Returns whether deals of an action change the account: cancelled ones do not. */
export function movesMoney(action: number): boolean {
  return !cancelledActions.includes(action)
}

/** Our own balance operation that a deal carried out. */
interface OwnOperation {
  readonly leg: string | null
  /** Of a correction: whether it returns a deposit. */
  readonly returnsDeposit: boolean
}

/**
 * Returns the row of the sum that a whole deal belongs to: null for trades, whose parts have rows of their own, and
 * for cancelled deals, which have none. `own` is null for a deal that no operation of ours carried out.
 */
export function rowOfDeal(action: number, own: OwnOperation | null): DealRow | null {
  if (action < 2 || !movesMoney(action)) return null
  if (action === balanceAction) return own?.returnsDeposit ? 'returned' : (rowsByLeg[own?.leg ?? ''] ?? 'other')
  return rowsByAction.find(([, actions]) => actions.includes(action))?.[0] ?? 'unknown'
}
