import { lazy, Suspense, useContext, useEffect, useSyncExternalStore } from 'react'
import { currentStepUp, StepUpContext, cancelStepUp, subscribeToStepUp } from './step-up.ts'

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))

/** Rendered once in each app while signed in; shows the dialog when a request requires a confirmation. */
export function StepUpPrompt() {
  const asked = useSyncExternalStore(subscribeToStepUp, currentStepUp)
  const calls = useContext(StepUpContext)
  // After a logout nothing is requested any more.
  useEffect(() => () => cancelStepUp(), [])
  if (!asked || !calls) return null
  return (
    <Suspense fallback={null}>
      <StepUpDialog asked={asked} calls={calls} />
    </Suspense>
  )
}
