/** Figures of accounts that move while their page is seen (requirements 24.12). */
import { useEffect, useState, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import type { Account } from '#contract/accounts.ts'
import { liveAccountsMax, liveAccountsPath, type LiveFigures, liveFiguresEvent } from '#contract/live-figures.ts'
import { followStream } from '#ui/api/event-stream.ts'
import { session } from './session.ts'

/** The figures that were pushed, by the account's id. */
export type Live = ReadonlyMap<string, LiveFigures>

const none: Live = new Map()

/** Follows the open accounts among these while the page is seen. */
export function useLiveFigures(accounts: readonly Account[] | undefined): Live {
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
      path: `${liveAccountsPath}?ids=${ids}`,
      session,
      signal: stop.signal,
      onEvent(data) {
        const event = z.safeDecode(liveFiguresEvent, data as never)
        if (!event.success) return
        setLive((known) => new Map([...known, ...event.data.accounts.map((one) => [one._id, one] as const)]))
      },
    })
    return () => stop.abort()
  }, [ids, isSeen])
  return live
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** An account with what was pushed of it, where that is no older than what was read. */
export function withLive(account: Account, live: Live): Account {
  const pushed = live.get(account._id)
  if (!pushed || pushed.figuresAt === null) return account
  if (account.figuresAt !== null && pushed.figuresAt < account.figuresAt) return account
  const { balance, equity, freeMargin, openPositions, available, reserved, figuresAt } = pushed
  const figures = { balance, equity, freeMargin, openPositions, available, reserved, figuresAt }
  return { ...account, ...figures, figuresOld: account.figuresOld || pushed.figuresOld }
}
