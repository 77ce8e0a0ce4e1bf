/** How a money wizard moves between its steps, also by the browser's Back and Forward. Nothing is sent from here. */
import { useSteps } from '#ui/navigation/browser-back.ts'
import type { StoredRequest } from './stored-request.ts'

/** A step before the confirm step, with what was entered on it, or the confirm step with its draft. */
type MoneyStep<Draft> = { readonly step: string; readonly draft?: Draft }

interface MoneySteps<Step, Draft> {
  readonly step: Step
  readonly setStep: (step: Step) => void
  readonly keep: (kept: StoredRequest<Draft>) => void
  readonly forget: () => void
  /** The steps that lead to this one, itself included, each with what was entered on it. */
  readonly pathTo: (step: Step) => readonly Step[]
}

/**
 * `goOn` leads on, `goBack` to an earlier step, `change` keeps what is typed on the step that is shown. A confirm step is
 * opened under a key of its own each time: its button alone sends the request.
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
  const steps = useSteps<Step>(step, show, isSameWay)
  const goBack = (to: Step) => {
    forget()
    const path = pathTo(step)
    steps.back(to, path.slice(path.findIndex((earlier) => placeOf(earlier) === placeOf(to)) + 1))
  }
  const change = (to: Step) => {
    // A step ahead that was reached with another answer is not returned to.
    steps.leave()
    setStep(to)
  }
  return { goOn: steps.next, goBack, change }
}

/** The method and the amount are two steps on one page. */
function placeOf({ step }: { readonly step: string }): string {
  return step === 'select_payment_method' ? 'select_amount' : step
}

/**
 * Returns whether a step ahead is the one that is led to, reached by the same answers: what was entered on it then
 * still holds.
 */
function isSameWay<Draft extends object>(ahead: MoneyStep<Draft>, to: MoneyStep<Draft>): boolean {
  const entered = new Map(Object.entries({ ...ahead, ...ahead.draft }))
  return (
    placeOf(ahead) === placeOf(to) &&
    Object.entries({ ...to, ...to.draft }).every(
      ([name, value]) =>
        name === 'step' || name === 'draft' || value === null || value === '' || value === entered.get(name),
    )
  )
}
