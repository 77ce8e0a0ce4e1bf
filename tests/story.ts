/**
 * A story whose steps build on each other is one test, whatever order chance gives to tests. What fails names its step.
 */
import { test } from 'vitest'

type Step = (name: string, act: () => Promise<void>) => void

/** Declares one test that runs the steps told by `showToast`, in their order. */
export function story(name: string, tell: (step: Step) => void): void {
  const steps: { name: string; act: () => Promise<void> }[] = []
  tell((step, act) => steps.push({ name: step, act }))
  test(name, async () => {
    for (const step of steps) await step.act().catch((error: unknown) => told(step.name, error))
  })
}

function told(name: string, error: unknown): never {
  if (error instanceof Error) error.message = `${name}: ${error.message}`
  throw error
}
