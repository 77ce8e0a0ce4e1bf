/** Live figures of accounts while their page is visible (requirements 24.12). */
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { Account } from '#contract/accounts.ts'
import {
  liveAccountsMax,
  liveAccountsPath,
  type LiveFigures,
  liveFiguresEvent,
  type LiveTrades,
} from '#contract/live-figures.ts'
import { withLateMark, type ShownAccount, useIsPageVisible, useIsReadingLate } from '#ui/account/late-figures.ts'
import { followStream } from '#ui/api/event-stream.ts'
import { session } from './session.ts'

/** Pushed data, by account id. */
interface Pushed {
  readonly figures: ReadonlyMap<string, LiveFigures>
  readonly trades: ReadonlyMap<string, LiveTrades>
}

export interface Live extends Pushed {
  /** No newer figures have reached the page in time. */
  readonly late: boolean
}

const none: Pushed = { figures: new Map(), trades: new Map() }

interface LiveOptions {
  /** The page's time of the answer with these accounts. */
  answeredAt: number
  /** Whether to subscribe to their open trades, too. */
  trades?: boolean
}

/** Subscribes to the open accounts among these while the page is visible. */
export function useLiveFigures(
  accounts: readonly Account[] | undefined,
  { answeredAt, trades = false }: LiveOptions,
): Live {
  const [live, setLive] = useState(none)
  const isSeen = useIsPageVisible()
  const ids = (accounts ?? [])
    .filter(({ status, number }) => status === 'approved' && number !== null)
    .slice(0, liveAccountsMax)
    .map(({ _id }) => _id)
    .join(',')
  useEffect(() => {
    if (ids === '' || !isSeen) return
    const stop = new AbortController()
    void followStream({
      path: `${liveAccountsPath}?ids=${ids}${trades ? '&trades=1' : ''}`,
      session,
      signal: stop.signal,
      onEvent(data) {
        const event = z.safeDecode(liveFiguresEvent, data as never)
        if (event.success) setLive((known) => withEvent(known, event.data))
      },
    })
    return () => stop.abort()
  }, [ids, isSeen, trades])
  return { ...live, late: useIsReadingLate(answeredAt, live === none ? undefined : live) }
}

function withEvent({ figures, trades }: Pushed, event: z.output<typeof liveFiguresEvent>): Pushed {
  return { figures: withNew(figures, event.accounts), trades: withNew(trades, event.trades ?? []) }
}

function withNew<One extends { readonly _id: string }>(known: ReadonlyMap<string, One>, news: readonly One[]) {
  return news.length === 0 ? known : new Map([...known, ...news.map((one) => [one._id, one] as const)])
}

/** Returns an account with pushed figures, if they are not older than its own; as old if newer ones are overdue. */
export function withLive<Shown extends Account>(account: Shown, live: Live): Shown & ShownAccount {
  return withLateMark(withPushed(account, live), live.late)
}

function withPushed<Shown extends Account>(account: Shown, live: Live): Shown {
  const pushed = live.figures.get(account._id)
  if (!pushed || pushed.figuresAt === null) return account
  if (account.figuresAt !== null && pushed.figuresAt < account.figuresAt) return account
  const { balance, equity, freeMargin, openPositions, available, reserved, figuresAt } = pushed
  const figures = { balance, equity, freeMargin, openPositions, available, reserved, figuresAt }
  const isSame = account.figuresAt?.getTime() === figuresAt.getTime()
  return {
    ...account,
    ...figures,
    figuresOld: pushed.figuresOld || (isSame && account.figuresOld),
    figuresHeld: pushed.figuresOld ? pushed.figuresHeld : account.figuresHeld,
  }
}
