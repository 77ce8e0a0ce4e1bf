/** Faults for matching future calls. Each program checks for them at the point at which it would fail in this way. */
import { needed, numberField, textField, type Fields, type Route } from './http.ts'

export interface Call {
  /** "/api/trade/balance", without the query. */
  readonly path: string
  readonly login?: string | undefined
  /** Whether a fault without a path matches this call. */
  readonly moves: boolean
}

export interface Fault {
  readonly kind: string
  readonly fields: Fields
  left: number
}

export interface Faults {
  add(kind: string, fields: Fields): void
  /** Returns and removes the first waiting fault of the kind that matches. */
  take(kind: string, call: Call, suits?: (fields: Fields) => boolean): Fields | null
  /** Delays a call for as long as a waiting `slow` says, or until the faults are cleared, if that is sooner. */
  holdUp(call: Call): Promise<void>
  list(): readonly Fault[]
  clear(): void
}

/** `anyCall` names the kinds that match any call if no path is given. */
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

/** Returns the switches that add faults, each with its required fields. */
export function faultRoutes(faults: Faults, kinds: Readonly<Record<string, readonly string[]>>): Record<string, Route> {
  const routes: Record<string, Route> = {}
  for (const [kind, fieldNames] of Object.entries(kinds)) {
    routes[`POST /${kind}`] = ({ fields }) => {
      for (const name of fieldNames) needed(textField(fields, name), name)
      faults.add(kind, fields)
    }
  }
  return routes
}
