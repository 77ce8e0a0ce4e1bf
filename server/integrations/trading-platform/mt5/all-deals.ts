/** The balance operations of all accounts of a MetaTrader 5 server, page by page. */
import type { Currency } from '#rules/money.ts'
import { UnreadableValue } from '../unreadable-records.ts'
import type { BalanceOperationPage } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import { balanceDealOf, dealsBetween } from './deals.ts'
import type { GroupsByCurrency, ServerGroups } from './server-groups.ts'
import type { ServerZone } from '../server-clock.ts'

/** The maximum time that a page covers. */
const sliceSeconds = 6 * 3600
/** The place of the groups without a readable name, which comes after those of all parts. */
const unnamed = '~'
/** Groups are named in the address of the call. */
const namesLengthMax = 1500

interface GroupsOfCurrency {
  /** Null if it cannot be read: their deals are then without an amount. */
  readonly currency: Currency | null
  readonly names: readonly string[]
}

/**
 * Returns a page of balance operations: some groups of one currency over several hours, because a deal names neither.
 * `after` is the start of the next page. Groups in currencies that we do not offer contain no client money. Throws
 * after the last page if the name of a group cannot be read: its deals are not among these.
 */
export async function operationsPage(
  caller: Mt5Caller,
  serverGroups: ServerGroups,
  zone: ServerZone,
  { from, to, after }: { from: number; to: number; after: string | null },
): Promise<BalanceOperationPage> {
  const { names, unreadableNames } = await serverGroups.names()
  const parts = partsOf(await serverGroups.byCurrency(names))
  const [, at = String(from), key = ''] = /^(-?\d+) (.*)$/.exec(after ?? '') ?? []
  // If the groups changed since the last page, what may not have been read is read again.
  const part = key === unnamed ? undefined : (parts.findLast((one) => keyOf(one) <= key) ?? parts[0])
  if (part === undefined) {
    if (unreadableNames.length === 0) return { operations: [], next: null }
    const text = 'The name of a group cannot be read: its deals may be ours. Correct it there'
    throw new UnreadableValue('Group', 'value', unreadableNames[0], text)
  }
  const begin = keyOf(part) === key ? Number(at) : from
  const end = Math.min(begin + sliceSeconds, to + 1)
  const deals = await dealsBetween(caller, { group: part.names.join(',') }, begin, end - 1)
  const operations = deals.flatMap((deal) => {
    const found = balanceDealOf(deal, part.currency)
    if (found === null) return []
    const { time, ...operation } = found
    return [{ ...operation, at: new Date(zone.toUtc(time ?? begin * 1000)) }]
  })
  if (end <= to) return { operations, next: `${end} ${keyOf(part)}` }
  const following = parts[parts.indexOf(part) + 1]
  if (following === undefined && unreadableNames.length === 0) return { operations, next: null }
  return { operations, next: `${from} ${following === undefined ? unnamed : keyOf(following)}` }
}

/** Returns the position of a part, and its extent: a group that is added or removed may move names between parts. */
function keyOf({ currency, names }: GroupsOfCurrency): string {
  return `${currency ?? ''} ${names[0] ?? ''}\t${names.at(-1) ?? ''}`
}

function partsOf(groups: GroupsByCurrency): GroupsOfCurrency[] {
  return [...groups]
    .toSorted(([one], [other]) => (one ?? '').localeCompare(other ?? ''))
    .flatMap(([currency, names]) => namesInParts(names).map((part) => ({ currency, names: part })))
}

/** Splits names into lists that fit into the address of a call. */
export function namesInParts(names: readonly string[]): string[][] {
  const parts: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const name of names.toSorted()) {
    length += name.length + 1
    if (length > namesLengthMax) {
      parts.push([])
      length = name.length
    }
    parts.at(-1)?.push(name)
  }
  return parts
}
