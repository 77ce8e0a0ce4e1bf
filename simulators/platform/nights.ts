/** The state at each midnight of the server's clock: balances by the deals until then, and the open positions. */
import { sumsOf, type Account, type Deal, type Night, type Store } from './store.ts'

const daySeconds = 86_400

/** An account at the end of a day. */
export interface DayEnd {
  readonly account: Account
  /** The midnight, in seconds of the server's clock. */
  readonly time: number
  readonly balance: number
  readonly credit: number
  /** The day's deals. */
  readonly deals: readonly Deal[]
  readonly positions: Night['positions']
}

/** Returns a function to call before anything is read or changed: it records the positions open at past midnights. */
export function nightWatch(book: Store): () => void {
  let seen = book.clock.seconds()
  return () => {
    const now = book.clock.seconds()
    passMidnights(book, seen, now)
    seen = now
  }
}

/** Records the open positions for every midnight between two times. */
function passMidnights(book: Store, from: number, to: number): void {
  const nights: Record<string, Night> = {}
  const positions = Map.groupBy(book.positions(), ({ login }) => login)
  if (positions.size === 0) return
  for (let time = nextMidnight(from); time <= to; time += daySeconds) {
    for (const [login, open] of positions) nights[`${login}:${time}`] = { login, time, positions: open }
  }
  if (Object.keys(nights).length > 0) book.state.commit({ nights })
}

/** Returns the day ends of an account in a time. */
export function dayEnds(book: Store, account: Account, from: number, to: number): DayEnd[] {
  const deals = book.deals(account.login).toSorted((one, other) => one.time - other.time)
  const began = Math.min(account.registeredAt, deals[0]?.time ?? account.registeredAt)
  const ends: DayEnd[] = []
  const last = Math.min(to, book.clock.seconds())
  const sums = { balance: 0, credit: 0 }
  let counted = 0
  for (let time = nextMidnight(Math.max(from - 1, began)); time <= last; time += daySeconds) {
    const first = counted
    while ((deals[counted]?.time ?? time) < time) counted += 1
    const passed = deals.slice(first, counted)
    const moved = sumsOf(passed)
    sums.balance += moved.balance
    sums.credit += moved.credit
    const positions = book.state.rows('nights').get(`${account.login}:${time}`)?.positions ?? []
    const own = passed.filter((deal) => deal.time >= time - daySeconds)
    ends.push({ account, time, ...sums, deals: own, positions })
  }
  return ends
}

function nextMidnight(seconds: number): number {
  return (Math.floor(seconds / daySeconds) + 1) * daySeconds
}
