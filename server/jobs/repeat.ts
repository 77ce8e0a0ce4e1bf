/** A repeated task, never concurrent with itself on this server. */

interface Repeated {
  readonly everyMs: number
  /** Whether the interval is counted from the beginning of a run, not from its end. */
  readonly fromBegin?: boolean
  run(): Promise<unknown>
  /** A run failed; the next one follows. */
  onError(error: Error): void
}

/** Runs it at its interval. Returns a function that stops it and waits for the current run. */
export function repeat({ everyMs, fromBegin = false, run, onError }: Repeated): () => Promise<void> {
  let stopped = false
  let turn: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = (afterMs: number) => {
    if (stopped) return
    timer = setTimeout(() => {
      const begun = performance.now()
      turn = run()
        .then(() => undefined, onError)
        .finally(() => next(fromBegin ? Math.max(0, everyMs - (performance.now() - begun)) : everyMs))
    }, afterMs)
    timer.unref()
  }
  next(everyMs)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await turn
  }
}
