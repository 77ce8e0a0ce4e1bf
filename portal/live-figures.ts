/** Live figures of accounts while their page is visible (requirements 24.12). */
import { useEffect, useState, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import type { Account } from '#contract/accounts.ts'
import {
  liveAccountsMax,
  liveAccountsPath,
  type LiveFigures,
  liveFiguresEvent,
  type LiveTrades,
} from '#contract/live-figures.ts'
import { followStream } from '#ui/api/event-stream.ts'
import { session } from './session.ts'

/** Pushed data, by account id. */
export interface Live {
  readonly figures: ReadonlyMap<string, LiveFigures>
  readonly trades: ReadonlyMap<string, LiveTrades>
}

const none: Live = { figures: new Map(), trades: new Map() }

/** Subscribes to the open accounts among these while the page is visible; with `trades` also to their open trades. */
export function useLiveFigures(accounts: readonly Account[] | undefined, { trades = false } = {}): Live {
  const [live, setLive] = useState(none)
  const isSeen = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
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
  return live
}

function withEvent({ figures, trades }: Live, event: z.output<typeof liveFiguresEvent>): Live {
  return { figures: withNew(figures, event.accounts), trades: withNew(trades, event.trades ?? []) }
}

function withNew<One extends { readonly _id: string }>(known: ReadonlyMap<string, One>, news: readonly One[]) {
  return news.length === 0 ? known : new Map([...known, ...news.map((one) => [one._id, one] as const)])
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Returns an account with pushed figures, if they are not older than its own. */
export function withLive<Shown extends Account>(account: Shown, live: Live): Shown {
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
