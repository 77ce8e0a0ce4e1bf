/** A registration that went on in another window or on another device: what stands there is read before anything is said. */
import { useQueryClient } from '@tanstack/react-query'
import { useLingui } from '@lingui/react/macro'
import { checkUserRegister } from '#contract/registration.ts'
import { currentUser } from '#contract/users-session.ts'
import { call } from '#ui/call.ts'
import { refresh } from '#ui/endpoint-query.ts'
import { Failure } from '#ui/failure.ts'
import { tell } from '#ui/passing-notices.tsx'

/** The step that was sent is not the one that is due. */
const otherStepCodes: readonly string[] = ['step-skipped', 'step-closed', 'email-not-confirmed']

/** After a refusal: leads to the step that is due or, where the registration is complete, to what comes after it. */
export function useCatchUp(): (thrown: unknown) => Promise<void> {
  const { t } = useLingui()
  const queries = useQueryClient()
  return async (thrown) => {
    if (!(thrown instanceof Failure)) return
    if (otherStepCodes.includes(thrown.code)) {
      await refresh(queries, [checkUserRegister])
      tell(thrown.error)
    }
    if (thrown.code !== 'registration-over') return
    try {
      // Its fresh token lets the guard lead on; without an answer the refusal stays where it is said.
      await call(currentUser, {})
      tell(t`Your registration was finished on another device.`)
    } catch (unanswered) {
      if (!(unanswered instanceof Failure)) throw unanswered
    }
  }
}
