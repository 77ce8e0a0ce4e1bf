/**
 * How tests wait for what another process or server does: they look until it is so, with a breath between two looks. What
 * never becomes so is told by the test's own time-out. Nothing else in the tests waits by the clock (tests/architecture.test.ts).
 */
import { setTimeout as wait } from 'node:timers/promises'

const breathMs = 20

/** Lets the others work before the next look. */
export async function breath(ms = breathMs): Promise<void> {
  await wait(ms)
}

/** Looks until it is so. A look that throws is the test's failure. */
export async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await look())) await breath()
}
