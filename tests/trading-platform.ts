/** Operations on a simulated trading platform, and the operations that it has received. */
import { expect } from 'vitest'
import type { Currency, Money } from '#rules/money.ts'
import type { RunningSimulator } from './start-simulator.ts'

let number = 0

/** Returns a new reference of an operation. */
export function newOperationRef(): string {
  number += 1
  return `01JTEST${String(number).padStart(19, '0')}`
}

export function moneyOf(decimal: number, currency: Currency = 'EUR'): Money {
  return { minor: BigInt(Math.round(decimal * 100)), currency }
}

/** Waits until the platform has received the call that it delays. */
export async function waitForDelayedCall(simulator: RunningSimulator): Promise<void> {
  const waiting = async () => (await simulator.read<{ faults: unknown[] }>('switches')).faults
  await expect.poll(waiting).toEqual([])
}

/** Returns the balance operations of an account on the platform. */
export function dealsOf(
  simulator: RunningSimulator,
  login: string,
): Promise<{ ticket: string; comment: string; amount: string }[]> {
  return simulator.read(`deals?login=${login}&action=2`)
}
