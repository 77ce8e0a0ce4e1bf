/**
 * Steps that depend on each other are one test, so that a random order of tests does not matter. A failure names its
 * step.
 */
import { test } from 'vitest'

type Step = (name: string, act: () => Promise<void>) => void

/** Declares one test that runs the steps declared by `declareSteps`, in their order. */
export function story(name: string, declareSteps: (step: Step) => void): void {
  const steps: { name: string; act: () => Promise<void> }[] = []
  declareSteps((step, act) => steps.push({ name: step, act }))
  test(name, async () => {
    for (const step of steps) await step.act().catch((error: unknown) => throwWithStepName(step.name, error))
  })
}

function throwWithStepName(name: string, error: unknown): never {
  if (error instanceof Error) error.message = `${name}: ${error.message}`
  throw error
}
