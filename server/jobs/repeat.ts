/** Something done again and again, never twice at once on this server. */

interface Repeated {
  readonly everyMs: number
  run(): Promise<unknown>
  /** A run failed; the next one follows. */
  onError(error: Error): void
}

/** Runs it at its interval, counted from the end of each run. Answers how it ends: what is under way is finished. */
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
