/** Faults that wait for the calls they fit. Each program asks for them at the point where it would fail so. */
import { needed, numberField, textField } from './http.ts'
import type { Fields, Route } from './http.ts'

export interface Call {
  /** "/api/trade/balance", without the query. */
  readonly path: string
  readonly login?: string | undefined
  /** Whether a fault without a path fits this call. */
  readonly moves: boolean
}

export interface Fault {
  readonly kind: string
  readonly fields: Fields
  left: number
}

export interface Faults {
  add(kind: string, fields: Fields): void
  /** The first waiting fault of the kind that fits; it is used up by one. */
  take(kind: string, call: Call, suits?: (fields: Fields) => boolean): Fields | null
  /** Holds a call up for as long as a waiting `slow` says; until the faults are cleared, if that is sooner. */
  holdUp(call: Call): Promise<void>
  list(): readonly Fault[]
  clear(): void
}

/** `anyCall` names the kinds that fit any call where no path is given. */
export function waitingFaults(anyCall: readonly string[] = []): Faults {
  let faults: Fault[] = []
  let cleared = new AbortController()
  const take: Faults['take'] = (kind, call, suits = () => true) => {
    const fault = faults.find(
      (waiting) => waiting.kind === kind && fits(waiting, call, anyCall.includes(kind)) && suits(waiting.fields),
    )
    if (fault === undefined) return null
    fault.left -= 1
    if (fault.left === 0) faults = faults.filter((waiting) => waiting !== fault)
    return fault.fields
  }
  return {
    take,
    async holdUp(call) {
      const slow = take('slow', call)
      if (slow === null) return
      const { promise: over, resolve: end } = Promise.withResolvers<void>()
      const timer = setTimeout(end, numberField(slow, 'ms') ?? 0)
      cleared.signal.addEventListener('abort', () => end())
      await over
      clearTimeout(timer)
    },
    add(kind, fields) {
      const count = numberField(fields, 'count') ?? 1
      faults.push({ kind, fields, left: count === 0 ? Number.POSITIVE_INFINITY : count })
    },
    list: () => faults,
    clear() {
      faults = []
      cleared.abort()
      cleared = new AbortController()
    },
  }
}

function fits(fault: Fault, call: Call, anyCall: boolean): boolean {
  const path = textField(fault.fields, 'path')
  const login = textField(fault.fields, 'login')
  if (login !== undefined && fault.kind !== 'misapply' && login !== call.login) return false
  return path === undefined ? anyCall || call.moves : call.path.startsWith(path)
}

/** Returns the switches that add faults, each with the fields it cannot do without. */
export function faultRoutes(faults: Faults, kinds: Readonly<Record<string, readonly string[]>>): Record<string, Route> {
  const routes: Record<string, Route> = {}
  for (const [kind, fieldNames] of Object.entries(kinds)) {
    routes[`POST /${kind}`] = ({ fields }) => {
      for (const name of fieldNames) needed(textField(fields, name), name)
      faults.add(kind, fields)
      return { ok: true }
    }
  }
  return routes
}
