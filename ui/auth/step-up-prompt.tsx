import { lazy, Suspense, useContext, useEffect, useSyncExternalStore } from 'react'
import { currentStepUp, StepUpContext, cancelStepUp, subscribeToStepUp } from './step-up.ts'

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))

/** Stands once in each app, where somebody is signed in; draws the dialog when a call asks for a proof. */
export function StepUpPrompt() {
  const asked = useSyncExternalStore(subscribeToStepUp, currentStepUp)
  const calls = useContext(StepUpContext)
  // Anyone who is signed out is not asked any more.
  useEffect(() => () => cancelStepUp(), [])
  if (!asked || !calls) return null
  return (
    <Suspense fallback={null}>
      <StepUpDialog asked={asked} calls={calls} />
    </Suspense>
  )
}
