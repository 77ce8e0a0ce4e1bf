/**
 * Waits of tests for another process or server: they check until the condition is true, with a pause between two
 * checks. If it never is, the test's own time-out reports it. Nothing else in the tests waits by the clock
 * (tests/architecture.test.ts).
 */
import { setTimeout as wait } from 'node:timers/promises'

const pauseMs = 20

/** Lets other work run before the next check. */
export async function pauseBriefly(ms = pauseMs): Promise<void> {
  await wait(ms)
}

/** Checks until the condition is true. A check that throws fails the test. */
export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pauseBriefly()
}
