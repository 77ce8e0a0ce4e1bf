import { useState } from 'react'
import * as z from 'zod/mini'
import type { Account } from '#contract/accounts.ts'

const kept = z.array(z.string())

/** Rejected requests that the client has read and put away, in this browser. */
export function useDismissed(owner: string): [ReadonlySet<string>, (id: string) => void] {
  const name = `portal.dismissed.${owner}`
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(() => new Set(read(name)))
  const dismiss = (id: string) => {
    const next = new Set(dismissed).add(id)
    localStorage.setItem(name, JSON.stringify([...next]))
    setDismissed(next)
  }
  return [dismissed, dismiss]
}

function read(name: string): string[] {
  const text = localStorage.getItem(name)
  const found = kept.safeParse(text === null ? [] : JSON.parse(text))
  return found.success ? found.data : []
}

const order = { pending: 0, approved: 1, rejected: 2 }

/** A new request first, then what is open, then what was rejected and not put away. */
export function arranged(accounts: readonly Account[], dismissed: ReadonlySet<string>): Account[] {
  return accounts
    .filter(({ _id, status }) => status !== 'rejected' || !dismissed.has(_id))
    .toSorted(
      (one, other) =>
        order[one.status] - order[other.status] ||
        (one.status === 'approved' ? 0 : other.requestedAt.getTime() - one.requestedAt.getTime()),
    )
}
