import { lazy, Suspense, useContext, useEffect, useSyncExternalStore } from 'react'
import { askedNow, ProofContext, giveUpAsked, subscribeToAsked } from './step-up.ts'

const ProofDialog = lazy(() => import('./step-up-dialog.tsx'))

/** Stands once in each app, where somebody is signed in; draws the dialog when a call asks for a proof. */
export function ProofPrompt() {
  const asked = useSyncExternalStore(subscribeToAsked, askedNow)
  const calls = useContext(ProofContext)
  // Whoever is signed out is not asked any more.
  useEffect(() => () => giveUpAsked(), [])
  if (!asked || !calls) return null
  return (
    <Suspense fallback={null}>
      <ProofDialog asked={asked} calls={calls} />
    </Suspense>
  )
}
