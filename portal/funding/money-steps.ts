/** Moves a money wizard between its steps, also by the browser's Back and Forward. Sends nothing. */
import { useSteps } from '#ui/navigation/browser-back.ts'
import type { StoredRequest } from './stored-request.ts'

/** A step before the confirm step with its entries, or the confirm step with its draft. */
type MoneyStep<Draft> = { readonly step: string; readonly draft?: Draft }

interface MoneySteps<Step, Draft> {
  readonly step: Step
  readonly setStep: (step: Step) => void
  readonly keep: (kept: StoredRequest<Draft>) => void
  readonly forget: () => void
  /** The steps up to and including this one, each with its entries. */
  readonly pathTo: (step: Step) => readonly Step[]
}

/**
 * `goNext` moves forward, `goBack` to an earlier step, `change` stores the entries of the current step. Each opening of a
 * confirm step has a new key: only its button sends the request.
 */
export function useMoneySteps<Draft extends object, Step extends MoneyStep<Draft>>({
  step,
  setStep,
  keep,
  forget,
  pathTo,
}: MoneySteps<Step, Draft>) {
  const show = (to: Step) => {
    if (to.draft !== undefined) keep({ key: crypto.randomUUID(), sent: false, draft: to.draft })
    setStep(to)
  }
  const steps = useSteps<Step>(step, show, hasSameEntries)
  const goBack = (to: Step) => {
    forget()
    const path = pathTo(step)
    steps.back(to, path.slice(path.findIndex((earlier) => pageOfStep(earlier) === pageOfStep(to)) + 1))
  }
  const change = (to: Step) => {
    // A later step that was reached with other entries is not returned to.
    steps.leave()
    setStep(to)
  }
  return { goNext: steps.next, goBack, change }
}

/** Method and amount are two steps on one page. */
function pageOfStep({ step }: { readonly step: string }): string {
  return step === 'select_payment_method' ? 'select_amount' : step
}

/** Returns whether a later step was reached with the same entries, which are then still valid. */
function hasSameEntries<Draft extends object>(ahead: MoneyStep<Draft>, to: MoneyStep<Draft>): boolean {
  const entered = new Map(Object.entries({ ...ahead, ...ahead.draft }))
  return (
    pageOfStep(ahead) === pageOfStep(to) &&
    Object.entries({ ...to, ...to.draft }).every(
      ([name, value]) =>
        name === 'step' || name === 'draft' || value === null || value === '' || value === entered.get(name),
    )
  )
}
