/** A repeated task, never concurrent with itself on this server. */

interface Repeated {
  readonly everyMs: number
  run(): Promise<unknown>
  /** A run failed; the next one follows. */
  onError(error: Error): void
}

/**
 * Runs it at its interval, counted from the end of each run. Returns a function that stops it and waits for the current
 * run.
 */
export function repeat({ everyMs, run, onError }: Repeated): () => Promise<void> {
  let stopped = false
  let turn: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = () => {
    if (stopped) return
    timer = setTimeout(() => {
      turn = run()
        .then(() => undefined, onError)
        .finally(next)
    }, everyMs)
    timer.unref()
  }
  next()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await turn
  }
}
